/** Everything that runs as a workflow; the worker bundles this file. */
export { deliverCampaign } from './campaigns/deliver-campaign.workflow.ts';
export { watchDomain } from './domains/watch-domain.workflow.ts';
export { reconcile } from './reconcile/reconcile.workflow.ts';
export { drainOutbox } from './sending/drain-outbox.workflow.ts';
