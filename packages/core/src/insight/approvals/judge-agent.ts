import { workflowReference } from '../../automation/workflows/contract.ts';
import { idOfWorkflow } from '../../automation/workflows/index.ts';
import {
  AppError,
  type Context,
  conflict,
  operationRegistry,
  parseRequest,
  projectIdOf,
  suggestions,
} from '../../base/kernel/index.ts';
import { projectPage } from '../../base/kernel/project-page.ts';
import { isUuid, newId } from '../../base/lib/index.ts';
import { findLeaders } from '../../people/domains/index.ts';
import { type Effects, largestInput, mostPending, openMs } from './approvals.rules.ts';
import {
  beginAsking,
  findTemplateId,
  findWaiting,
  hashOf,
  insertApproval,
  livenessOf,
  namesOf,
  recordsOf,
  takeTelling,
} from './approvals.store.ts';
import { nothingObserved, type Observed, observe } from './observe.ts';
import { titleOf } from './titles.rules.ts';

type Input = Record<string, unknown>;

/**
 * Lets a call of an agent's key pass where it can neither send email nor destroy anything, by what it would do now (behaviour B15.11);
 * otherwise it becomes an approval, which a person decides. A call that would be refused is refused, and nobody is asked.
 *
 * @throws AppError APPROVAL_REQUIRED
 */
export async function judgeAgent(ctx: Context, name: string, raw: unknown): Promise<void> {
  const operation = operationRegistry.get(name);
  if (!operation) throw new Error(`no operation is named ${name}`);
  const { risk, hasDryRun } = operation;
  const input = await withIds(ctx, name, (raw ?? {}) as Input);
  if (risk === 'none' && !(await isLiveTemplate(ctx, name, input))) return;
  if (!hasDryRun) parseRequest(operation.input, raw, operation.output);
  const observed = hasDryRun ? await observe(ctx, name, raw) : nothingObserved;
  if (await isHarmless(ctx, name, input, observed.effects)) return;
  throw await ask(ctx, name, input, observed);
}

/** A workflow by its id, also where the call names its alias: what a person agrees to is about one record. */
async function withIds(ctx: Context, name: string, input: Input): Promise<Input> {
  if (!name.startsWith('workflows.')) return input;
  const reference = workflowReference.safeParse(input['id']);
  if (!reference.success || isUuid(reference.data)) return input;
  const known = await idOfWorkflow(ctx.db, projectIdOf(ctx), reference.data);
  return known === null ? input : { ...input, id: known };
}

/** A template that an enabled workflow sends is no draft. */
async function isLiveTemplate(ctx: Context, name: string, input: Input): Promise<boolean> {
  if (name !== 'templates.update' && name !== 'templates.restoreVersion') return false;
  const given = String(input['id']);
  const projectId = projectIdOf(ctx);
  const id = isUuid(given) ? given : await findTemplateId(ctx.db, projectId, given);
  return id !== null && (await livenessOf(ctx.db, projectId, id)).templateIsInUse;
}

/** Whether an operation does less than its risk says. */
async function isHarmless(ctx: Context, name: string, input: Input, effects: Effects): Promise<boolean> {
  const risk = operationRegistry.get(name)?.risk;
  const id = typeof input['id'] === 'string' && isUuid(input['id']) ? input['id'] : null;
  const live = id === null ? null : await livenessOf(ctx.db, projectIdOf(ctx), id);
  if (risk === 'mail') {
    if (effects.total > 0) return false;
    if (name === 'campaigns.update') return live?.campaignIsDraft ?? false;
    if (name === 'workflows.update') {
      const named = Object.entries(input).filter(([key, value]) => key !== 'id' && value !== undefined);
      const onlyDisables = named.every(([key, value]) => key === 'enabled' && value === false);
      return onlyDisables || (input['enabled'] !== true && live !== null && !live.workflowIsEnabled);
    }
    return drafts.has(name) && live !== null && !live.workflowIsEnabled;
  }
  if (risk === 'events') {
    if (name.startsWith('segments.') && (input['trackMembership'] === true || live?.segmentIsTracked))
      return false;
    return (
      effects.total === 0 &&
      effects.workflows.length === 0 &&
      !effects.liftsOptOut &&
      !effects.touchesSegments
    );
  }
  return false;
}

/** What changes a workflow; while it is not enabled, a draft. */
const drafts = new Set([
  'workflows.addStep',
  'workflows.updateStep',
  'workflows.deleteStep',
  'workflows.addTransition',
  'workflows.deleteTransition',
  'workflows.replaceGraph',
]);

async function ask(
  ctx: Context,
  name: string,
  input: Input,
  { effects, reply }: Observed,
): Promise<AppError> {
  const operation = operationRegistry.get(name);
  if (!operation) throw new Error(`no operation is named ${name}`);
  const { services, actor, project } = ctx;
  const projectId = projectIdOf(ctx);
  const stored = storable(input);
  const names = await namesOf(services.database.prisma, projectId, stored);
  const summary = titleOf(name, operation.summary, { input: stored, effects, names, reply });
  const { asked, isNew } = await services.database.prisma.$transaction(async (db) => {
    const waiting = await beginAsking(db, projectId);
    const records = await recordsOf(db, projectId, stored);
    const hash = hashOf(name, stored, records);
    const same = await findWaiting(db, projectId, actor, hash);
    if (same) return { asked: same, isNew: false };
    if (waiting >= mostPending)
      throw conflict(`${mostPending} approvals of this project wait already`, {
        suggestion: suggestions.CONFLICT.mostApprovals,
      });
    const row = { id: newId(), summary, expiresAt: new Date(Date.now() + openMs) };
    const campaignId = name.startsWith('campaigns.') ? idOf(stored) : null;
    await insertApproval(db, {
      ...row,
      projectId,
      operation: name,
      campaignId,
      input: stored,
      hash,
      records,
      actor,
    });
    if (await takeTelling(db, projectId, row.id))
      for (const to of await findLeaders(db, projectId))
        await services.platformMail.write(db, {
          to,
          mail: 'approvalRequested',
          values: { project: project?.name ?? '' },
          url: projectPage(services.config, projectId, 'approvals'),
        });
    return { asked: row, isNew: true };
  });
  if (isNew) services.platformMail.notify();
  return new AppError('APPROVAL_REQUIRED', 'A person has to agree before this is done', {
    details: {
      approvalId: asked.id,
      url: projectPage(services.config, projectId, `approvals/${asked.id}`),
      expiresAt: asked.expiresAt?.toISOString() ?? null,
      summary: asked.summary,
    },
    suggestion: suggestions.APPROVAL_REQUIRED,
  });
}

const idOf = ({ id }: Input): string | null => (typeof id === 'string' && isUuid(id) ? id : null);

/** The input as JSON keeps it. @throws AppError FORBIDDEN for files, BAD_REQUEST for what is too large to be kept */
function storable(input: Input): Input {
  if (Object.values(input).some((value) => value instanceof Uint8Array))
    throw new AppError('FORBIDDEN', 'A file cannot wait for a person', {
      suggestion: 'Ask a person to do it in the dashboard',
    });
  const text = JSON.stringify(input);
  if (text.length > largestInput)
    throw new AppError(
      'BAD_REQUEST',
      `A call of more than ${largestInput} characters cannot wait for a person`,
    );
  return JSON.parse(text) as Input;
}
