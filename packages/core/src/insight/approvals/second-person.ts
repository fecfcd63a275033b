import {
  assertState,
  changeCampaign,
  countRecipients,
  factsOfApproval,
  type lockCampaign,
  standingOf,
  stateOf,
} from '../../automation/campaigns/index.ts';
import { storeEvent } from '../../base/event-types/index.ts';
import {
  AppError,
  assertPermission,
  type CommandContext,
  projectIdOf,
  userIdOf,
} from '../../base/kernel/index.ts';
import { findApprovalSettings } from '../../people/projects/index.ts';
import { type ApprovalRow, decide, presentApproval } from './approvals.store.ts';
import { changedError } from './changed-error.ts';

/** The campaign that an approval is about, held until the end of the transaction; always before the approval itself. */
export type HeldCampaign = NonNullable<Awaited<ReturnType<typeof lockCampaign>>>;

/** Whether an approval is that of a campaign: it runs nothing. An agent's call has an input. */
export const isOfCampaign = ({ campaignId, input }: ApprovalRow): boolean =>
  campaignId !== null && input === null;

/**
 * Asserts that the caller is a second person: an owner or admin who has neither asked nor changed the campaign last.
 *
 * @throws AppError FORBIDDEN
 */
export function assertSecondPerson(
  ctx: CommandContext,
  { actorType, actorId }: Pick<ApprovalRow, 'actorType' | 'actorId'>,
  { changedById }: Pick<HeldCampaign, 'changedById'>,
): void {
  assertPermission(ctx.actor, 'campaigns:approve');
  const userId = userIdOf(ctx);
  if (actorType === 'user' && actorId === userId)
    throw notSecond('You have asked for this approval yourself');
  if (changedById === userId) throw notSecond('You were the last to change this campaign');
}

const notSecond = (message: string): AppError =>
  new AppError('FORBIDDEN', message, { suggestion: 'Ask another owner or admin of the project' });

/** Asserts the same of the send of an agent, where the campaign needs an approval for itself. @throws AppError FORBIDDEN */
export async function assertSecondOfAgent(
  ctx: CommandContext,
  row: ApprovalRow,
  campaign: HeldCampaign | null,
): Promise<void> {
  if (row.operation !== 'campaigns.send' || campaign === null) return;
  const count = () => countRecipients(ctx.services, ctx.db, campaign);
  if ((await standingOf(ctx.db, campaign, count)).kind === 'missing') assertSecondPerson(ctx, row, campaign);
}

/**
 * Approves the campaign as it is, if that is what was asked for. One that is scheduled already takes it along.
 *
 * @throws AppError CONFLICT
 */
export async function approveCampaign(
  ctx: CommandContext,
  row: ApprovalRow,
  campaign: HeldCampaign | null,
): Promise<void> {
  if (!campaign) throw changedError('The campaign was deleted');
  assertSecondPerson(ctx, row, campaign);
  assertState('approve', campaign.status);
  const { hash } = await stateOf(ctx.db, campaign.projectId, campaign);
  if (hash !== row.hash) throw changedError('The campaign has changed since this was asked for');
  await decide(ctx.db, row.id, { status: 'APPROVED', userId: userIdOf(ctx) });
  if (
    campaign.status === 'SCHEDULED' &&
    (await findApprovalSettings(ctx.db, campaign.projectId)).required !== 'NEVER'
  )
    await changeCampaign(ctx.db, campaign.id, { approvedHash: hash });
}

/** Tells what was decided of a campaign. */
export async function tellDecision(
  ctx: CommandContext,
  row: ApprovalRow,
  campaign: HeldCampaign | null,
): Promise<void> {
  if (!campaign) return;
  const { decidedBy, note, reason, status, hash } = presentApproval(row);
  const facts = {
    campaignId: campaign.id,
    campaignName: campaign.name,
    hash,
    recipients: factsOfApproval(row).recipients,
    by: decidedBy?.label ?? '',
  };
  if (status === 'APPROVED')
    await storeEvent(ctx.db, 'campaign.approved', projectIdOf(ctx), { ...facts, note });
  else await storeEvent(ctx.db, 'campaign.declined', projectIdOf(ctx), { ...facts, reason });
}
