import { deliverCampaignJob } from '../../automation/campaigns/campaigns.jobs.ts';
import { command } from '../../base/kernel/index.ts';
import { requireMembership } from '../../people/projects/index.ts';
import { removeDataJob } from './removal.jobs.ts';
import { removalInput, resetOutput } from './removal.schema.ts';
import { cancelCampaigns, removeCurrentCounts, startRemoval } from './removal.store.ts';

/** The number of campaigns signalled at once; the others end when their row is gone. */
const signalledAtOnce = 500;

/**
 * Removes the data of a project in the background: what existed at the time of the call. Its campaigns are cancelled at once, so that
 * their waiting email is not sent while it is being removed.
 */
export const resetProject = command({
  name: 'projects.reset',
  summary:
    'Removes emails, events, campaigns, workflows, segments, contacts, templates, jobs and suppressions of a project in the background',
  permission: 'account',
  risk: 'closed',
  errors: ['PROJECT_ACCESS_DENIED', 'FORBIDDEN'],
  input: removalInput,
  output: resetOutput,
  async handler(ctx, { id: projectId }) {
    await requireMembership(ctx, projectId, ['OWNER', 'ADMIN']);
    await startRemoval(ctx.db, projectId, 'RESET');
    await removeCurrentCounts(ctx.db, projectId);
    const campaigns = await cancelCampaigns(ctx.db, projectId);
    ctx.audit({ targetType: 'project', targetId: projectId, projectId });
    ctx.afterCommit(() => {
      for (const campaignId of campaigns.slice(0, signalledAtOnce))
        ctx.services.workflows.signalDebounced(deliverCampaignJob, { campaignId });
    });
    ctx.afterCommit(() => ctx.services.workflows.signal(removeDataJob, { projectId }));
    return { message: 'The data of the project is being removed' };
  },
});
