import { fillConsentLogJob } from '@postrider/core/audience/consent';
import { changeContactsJob, convertFieldJob, importContactsJob } from '@postrider/core/audience/contacts';
import { computeSegmentJob, refreshMembershipJob } from '@postrider/core/audience/segments';
import { deliverCampaignJob } from '@postrider/core/automation/campaigns';
import {
  changeExecutionsJob,
  driveExecutionsJob,
  keepScheduleJob,
  moveExecutionsJob,
} from '@postrider/core/automation/workflows';
import { computeFiguresJob } from '@postrider/core/base/figures';
import type { JobContract } from '@postrider/core/base/kernel';
import { exportRecordsJob } from '@postrider/core/insight/exports';
import { normalizeAddressesJob, removeDataJob } from '@postrider/core/insight/removal';
import { watchDomainJob } from '@postrider/core/people/domains';
import { checkReputationJob } from '@postrider/core/people/reputation';
import { expect, it } from 'vitest';
import type { ScheduledWorkflow } from './scheduled-workflow.ts';
import type * as workflows from './workflows.ts';

type Workflows = typeof workflows;

/** What the version before has started and nothing starts any more. */
type FormerWorkflow = 'dispatchEvents' | 'runExecution';

type Contracts = {
  [Name in Exclude<keyof Workflows, ScheduledWorkflow | FormerWorkflow>]: JobContract<
    Parameters<Workflows[Name]>[0],
    Name
  >;
};

/**
 * The contracts of all workflows that core starts. Compilation fails when the name or the input of a contract
 * differs from the exported workflow, or when a workflow has neither a contract nor a schedule.
 */
const jobs = {
  changeContacts: changeContactsJob,
  changeExecutions: changeExecutionsJob,
  checkReputation: checkReputationJob,
  computeFigures: computeFiguresJob,
  computeSegment: computeSegmentJob,
  convertField: convertFieldJob,
  deliverCampaign: deliverCampaignJob,
  driveExecutions: driveExecutionsJob,
  exportRecords: exportRecordsJob,
  fillConsentLog: fillConsentLogJob,
  importContacts: importContactsJob,
  keepSchedule: keepScheduleJob,
  moveExecutions: moveExecutionsJob,
  normalizeAddresses: normalizeAddressesJob,
  refreshMembership: refreshMembershipJob,
  removeData: removeDataJob,
  watchDomain: watchDomainJob,
} satisfies Contracts;

it('no two jobs share an id, so a signal always reaches the right workflow', () => {
  const id = 'same';
  const input = {
    campaignId: id,
    definitionId: id,
    domainId: id,
    jobId: id,
    projectId: id,
    segmentId: id,
    shard: 7,
    workflowId: id,
  };
  const ids = Object.values(jobs).map((job) => job.id(input as never));
  expect(new Set(ids).size).toBe(ids.length);
});
