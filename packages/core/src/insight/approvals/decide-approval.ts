import { lockCampaign } from '../../automation/campaigns/index.ts';
import { inSavepoint } from '../../base/db/index.ts';
import {
  AppError,
  assertPermission,
  type CommandContext,
  type Context,
  command,
  commandNamed,
  conflict,
  operationRegistry,
  projectIdOf,
  projectOf,
  suggestions,
  userIdOf,
} from '../../base/kernel/index.ts';
import { agentContext } from './agent-context.ts';
import { approval, approveInput, declineInput } from './approvals.schema.ts';
import {
  type ApprovalRow,
  decide,
  findApproval,
  lockApproval,
  presentApproval,
  recordsOf,
} from './approvals.store.ts';
import { changedError, failureOf } from './changed-error.ts';
import { approvalNotFound } from './list-approvals.ts';
import { objectOf } from './preview-approval.ts';
import { runDirect } from './run-direct.ts';
import {
  approveCampaign,
  assertSecondOfAgent,
  assertSecondPerson,
  type HeldCampaign,
  isOfCampaign,
  tellDecision,
} from './second-person.ts';

export const approveApproval = command({
  name: 'approvals.approve',
  summary: 'Agrees to a call of an agent, and carries it out exactly once; or approves a campaign',
  permission: 'approvals:decide',
  risk: 'closed',
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  input: approveInput,
  output: approval,
  async handler(ctx, { id, hash }) {
    const { row, campaign } = await lockOpen(ctx, id);
    if (row.hash !== hash) throw changedError('This is not what the approval asks for');
    const userId = userIdOf(ctx);
    ctx.audit({ targetType: 'approval', targetId: id, changed: ['status'] });
    if (row.input === null) {
      await approveCampaign(ctx, row, campaign);
      return told(ctx, id, campaign);
    }
    await assertSecondOfAgent(ctx, row, campaign);
    if (commandNamed(row.operation)) {
      await decide(ctx.db, id, { userId, ...(await runCommand(ctx, row, row.input, userId)) });
    } else {
      await decide(ctx.db, id, { status: 'RUNNING', userId });
      if (ctx.services.isRehearsal !== true)
        ctx.afterCommit(() => runDirect(ctx.services, row.projectId, id));
    }
    return read(ctx, id);
  },
});

export const declineApproval = command({
  name: 'approvals.decline',
  summary: 'Declines a call of an agent, or a campaign',
  permission: 'approvals:decide',
  risk: 'closed',
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  input: declineInput,
  output: approval,
  async handler(ctx, { id, reason = null }) {
    const { row, campaign } = await lockOpen(ctx, id);
    if (isOfCampaign(row) && campaign) assertSecondPerson(ctx, row, campaign);
    await decide(ctx.db, id, { status: 'DECLINED', userId: userIdOf(ctx), reason });
    ctx.audit({ targetType: 'approval', targetId: id, changed: ['status'] });
    return isOfCampaign(row) ? told(ctx, id, campaign) : read(ctx, id);
  },
});

interface Open {
  row: ApprovalRow;
  /** the campaign that it is about, which does not change before the decision is committed */
  campaign: HeldCampaign | null;
}

/**
 * An approval that waits, held until the end of the transaction, for a user with the role that its operation needs. The campaign is locked
 * before the approval, as everything does that ends approvals of a campaign.
 */
async function lockOpen(ctx: CommandContext, id: string): Promise<Open> {
  const projectId = projectIdOf(ctx);
  const found = await findApproval(ctx.db, { projectId, keyId: undefined }, id);
  const campaign = found?.campaignId ? await lockCampaign(ctx.db, projectId, found.campaignId) : null;
  const row = await lockApproval(ctx.db, projectId, id);
  const operation = row && operationRegistry.get(row.operation);
  if (!row || !operation) throw approvalNotFound();
  assertPermission(ctx.actor, operation.permission);
  if (row.status !== 'PENDING')
    throw conflict(`This approval is ${row.status}`, { suggestion: suggestions.CONFLICT.approvalDecided });
  return { row, campaign };
}

async function readRow(ctx: Context, id: string): Promise<ApprovalRow> {
  const row = await lockApproval(ctx.db, projectIdOf(ctx), id);
  if (!row) throw approvalNotFound();
  return row;
}

const read = async (ctx: Context, id: string) => presentApproval(await readRow(ctx, id));

async function told(ctx: CommandContext, id: string, campaign: HeldCampaign | null) {
  const row = await readRow(ctx, id);
  await tellDecision(ctx, row, campaign);
  return presentApproval(row);
}

type Outcome = Pick<Parameters<typeof decide>[2], 'status' | 'result' | 'error'>;

/** Carries a command out in the transaction of the decision: both are committed, or neither. */
async function runCommand(
  ctx: CommandContext,
  row: ApprovalRow,
  input: Record<string, unknown>,
  userId: string,
): Promise<Outcome> {
  const found = commandNamed(row.operation);
  if (!found) throw new Error(`${row.operation} is no command`);
  const effects: (() => unknown)[] = [];
  try {
    const reply = await inSavepoint(ctx.db, async () => {
      await assertUnchanged(ctx, row, input);
      const agent = await agentContext(
        ctx.services,
        { ...row, decidedById: userId },
        projectOf(ctx),
        ctx.request,
      );
      return found.within(
        {
          ...agent,
          db: ctx.db,
          afterCommit: (effect) => void effects.push(effect),
          audit: () => undefined,
        },
        input,
      );
    });
    for (const effect of effects) ctx.afterCommit(effect);
    return { status: 'DONE', result: objectOf(reply) };
  } catch (error) {
    if (error instanceof AppError) return { status: 'FAILED', error: failureOf(error) };
    throw error;
  }
}

/** @throws AppError when a record that the input names has changed since it was asked for */
async function assertUnchanged(
  { db }: Pick<Context, 'db'>,
  { projectId, records }: Pick<ApprovalRow, 'projectId' | 'records'>,
  input: Record<string, unknown>,
): Promise<void> {
  if ((await recordsOf(db, projectId, input)) !== records)
    throw changedError('What it names has changed since it was asked for');
}
