import type { JobContract } from '../kernel/ports/workflow-engine.ts';

/** One campaign from its schedule to the closing of its ledger. */
export const deliverCampaignJob: JobContract<{ campaignId: string }> = {
  workflow: 'deliverCampaign',
  taskQueue: 'control',
  id: ({ campaignId }) => `campaign/${campaignId}`,
};
