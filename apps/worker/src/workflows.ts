/** All workflows; the worker bundles this file. */
export { reportUsage } from './billing/report-usage.workflow.ts';
export { deliverCampaign } from './campaigns/deliver-campaign.workflow.ts';
export { changeContacts } from './contacts/change-contacts.workflow.ts';
export { endSnoozes } from './contacts/end-snoozes.workflow.ts';
export { importContacts } from './contacts/import-contacts.workflow.ts';
export { watchDomain } from './domains/watch-domain.workflow.ts';
export { exportRecords } from './exports/export-records.workflow.ts';
export { reconcile } from './reconcile/reconcile.workflow.ts';
export { removeData } from './removal/remove-data.workflow.ts';
export { checkReputation } from './reputation/check-reputation.workflow.ts';
export { sweep } from './retention/sweep.workflow.ts';
export { computeSegment } from './segments/compute-segment.workflow.ts';
export { refreshMembership } from './segments/refresh-membership.workflow.ts';
export { dispatchEvents } from './workflows/dispatch-events.workflow.ts';
export { enterSchedule } from './workflows/enter-schedule.workflow.ts';
export { keepSchedule } from './workflows/keep-schedule.workflow.ts';
export { runExecution } from './workflows/run-execution.workflow.ts';
