import { defineJob, taskQueues } from '../../base/kernel/kernel.jobs.ts';

/** One campaign, from its schedule until its ledger is closed. */
export const deliverCampaignJob = defineJob({
  workflow: 'deliverCampaign',
  taskQueue: taskQueues.control,
  id: ({ campaignId }: { campaignId: string }) => `campaign/${campaignId}`,
});
