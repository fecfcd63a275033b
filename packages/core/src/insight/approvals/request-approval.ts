import {
  assertState,
  campaignNotFound,
  endAsking,
  estimateToSend,
  findCampaign,
  findLatestApproval,
  lockCampaign,
  requestApprovalInput,
  stateOf,
} from '../../automation/campaigns/index.ts';
import { storeEvent } from '../../base/event-types/index.ts';
import { type CommandContext, command, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { projectPage } from '../../base/kernel/project-page.ts';
import { newId } from '../../base/lib/index.ts';
import { findLeaders } from '../../people/domains/index.ts';
import { mostPending, noEffects } from './approvals.rules.ts';
import { approval } from './approvals.schema.ts';
import {
  beginAsking,
  insertCampaignApproval,
  lockApproval,
  presentApproval,
  takeTelling,
} from './approvals.store.ts';
import { approvalNotFound } from './list-approvals.ts';
import { titleOf } from './titles.rules.ts';

/** Asks for the present state of the campaign, which the row's lock keeps until the commit. */
export const requestApproval = command({
  name: 'campaigns.requestApproval',
  summary: 'Asks for the approval of a campaign by an owner or admin who has not changed it last',
  permission: 'data:write',
  risk: 'none',
  errors: ['BAD_REQUEST', 'CAMPAIGN_NOT_FOUND', 'CONFLICT'],
  input: requestApprovalInput,
  output: approval,
  async prepare(ctx, { id }) {
    const campaign = await findCampaign(ctx.db, projectIdOf(ctx), id);
    if (!campaign) throw campaignNotFound();
    return estimateToSend(ctx, campaign);
  },
  async handler(ctx, { id, note = null }, recipients) {
    const projectId = projectIdOf(ctx);
    const campaign = await lockCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    assertState('approve', campaign.status);
    const { hash, digests } = await stateOf(ctx.db, projectId, campaign);
    const latest = await findLatestApproval(ctx.db, projectId, id);
    if (latest?.hash === hash && latest.status === 'APPROVED')
      throw conflict('This campaign has been approved as it is', {
        suggestion: suggestions.CONFLICT.approvalGiven,
      });
    if (latest?.hash === hash && latest.status === 'PENDING') return read(ctx, latest.id);
    await endAsking(ctx.db, projectId, [id]);
    if ((await beginAsking(ctx.db, projectId)) >= mostPending)
      throw conflict(`${mostPending} approvals of this project wait already`, {
        suggestion: suggestions.CONFLICT.mostApprovals,
      });
    const approvalId = newId();
    await insertCampaignApproval(ctx.db, {
      id: approvalId,
      projectId,
      campaignId: id,
      summary: titleOf('campaigns.send', '', {
        input: { id },
        effects: { ...noEffects, total: recipients },
        names: new Map([[id, campaign.name]]),
        reply: null,
      }),
      hash,
      records: JSON.stringify({ recipients, digests: digests() }),
      note,
      actor: ctx.actor,
    });
    const asked = await read(ctx, approvalId);
    await storeEvent(ctx.db, 'campaign.approval_requested', projectId, {
      campaignId: id,
      campaignName: campaign.name,
      ...{ hash, recipients, note },
      by: asked.requestedBy.label,
    });
    ctx.audit({ targetType: 'campaign', targetId: id, changed: ['approval'] });
    await tell(ctx, approvalId, campaign);
    return asked;
  },
});

async function read(ctx: CommandContext, id: string) {
  const row = await lockApproval(ctx.db, projectIdOf(ctx), id);
  if (!row) throw approvalNotFound();
  return presentApproval(row);
}

/** Writes to those who may decide. */
async function tell(
  ctx: CommandContext,
  approvalId: string,
  { name, changedById }: { name: string; changedById: string | null },
): Promise<void> {
  const { services, actor, db } = ctx;
  const projectId = projectIdOf(ctx);
  if (!(await takeTelling(db, projectId, approvalId))) return;
  const besides = [changedById, actor.type === 'user' ? actor.userId : null].filter((id) => id !== null);
  for (const to of await findLeaders(db, projectId, besides))
    await services.platformMail.write(db, {
      to,
      mail: 'campaignApprovalRequested',
      values: { project: ctx.project?.name ?? '', campaign: name },
      url: projectPage(services.config, projectId, `approvals/${approvalId}`),
    });
  ctx.afterCommit(() => services.platformMail.notify());
}
