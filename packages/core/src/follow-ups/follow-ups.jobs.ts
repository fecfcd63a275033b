import type { JobContract } from '../kernel/ports/workflow-engine.ts';

/** Takes the events of a project that something waits for (EventDispatch) to who waits for them. */
export const dispatchEventsJob: JobContract<{ projectId: string }> = {
  workflow: 'dispatchEvents',
  taskQueue: 'control',
  id: ({ projectId }) => `events/${projectId}`,
};

/** Follows changes of contacts (TouchedContact, stale segments) into the tracked segments of a project. */
export const refreshMembershipJob: JobContract<{ projectId: string }> = {
  workflow: 'refreshMembership',
  taskQueue: 'control',
  id: ({ projectId }) => `membership/${projectId}`,
};

/** One campaign from its schedule to the closing of its ledger. Stands here because lower areas close ledgers too: they erase contacts. */
export const deliverCampaignJob: JobContract<{ campaignId: string }> = {
  workflow: 'deliverCampaign',
  taskQueue: 'control',
  id: ({ campaignId }) => `campaign/${campaignId}`,
};
