import { deliverCampaignJob } from '../../automation/campaigns/campaigns.jobs.ts';
import { command } from '../../base/kernel/index.ts';
import { changedOutput, disableProjectInput } from './project-state.schema.ts';
import {
  findMemberAddressees,
  findRunningCampaigns,
  lockProjectState,
  markDisabled,
} from './project-state.store.ts';
import { disabledMail } from './project-state-mail.ts';
import { accessDenied } from './require-membership.ts';

/**
 * Disables a project (behaviour B3.6) and notifies its members. Everything that is to end with it ends by its state:
 * waiting email at the claim, campaigns and executions by their workflows, which `reconcile` signals as well.
 */
export const disableProject = command({
  name: 'projects.disable',
  summary: 'Disables a project: it stays readable, sends nothing, and its campaigns and executions end',
  permission: 'internal',
  risk: 'closed',
  internal: true,
  allowDisabled: true,
  input: disableProjectInput,
  output: changedOutput,
  async handler(ctx, { id, reason }) {
    const { services, db } = ctx;
    const project = await lockProjectState(db, id);
    if (!project) throw accessDenied();
    // A later reason does not replace the first: enabling after a payment must not lift another suspension.
    if (project.disabled) return { changed: false };
    await markDisabled(db, project, reason);
    const mail = { projectId: id, project: project.name };
    for (const to of await findMemberAddressees(db, id))
      await services.platformMail.write(db, disabledMail(services.config, { to, ...mail }, reason));
    const campaigns = await findRunningCampaigns(db, id);
    ctx.audit({ targetType: 'project', targetId: id, projectId: id, changed: ['disabled'] });
    ctx.afterCommit(() => {
      services.platformMail.notify();
      for (const campaignId of campaigns)
        services.workflows.signalDebounced(deliverCampaignJob, { campaignId });
    });
    return { changed: true };
  },
});
