import { AppError, type Context, operationRegistry, projectIdOf, rehearse } from '../../base/kernel/index.ts';
import { type Effects, noEffects } from './approvals.rules.ts';
import {
  contactsOfJob,
  effectsSince,
  findMail,
  findWritten,
  queueMarks,
  type WrittenMail,
} from './approvals.store.ts';

export interface Observed {
  reply: unknown;
  effects: Effects;
  mail: WrittenMail | null;
}

/** What a call would do now, by a dry run. @throws AppError what the call would be refused with */
export function observe(
  ctx: Context,
  name: string,
  raw: unknown,
  { withMail = false } = {},
): Promise<Observed> {
  const operation = operationRegistry.get(name);
  if (!operation) throw new Error(`no operation is named ${name}`);
  const projectId = projectIdOf(ctx);
  const { idempotencyKey: _key, observer: _observer, ...request } = ctx.request;
  return rehearse({ ...ctx, request: { ...request, dryRun: true } }, async (rehearsal) => {
    const marks = await queueMarks(rehearsal.db);
    const reply = await operation.runRaw(rehearsal, raw);
    const effects = await effectsSince(rehearsal.db, projectId, marks);
    const id = (raw as { id?: unknown } | null)?.id;
    const mail = !withMail
      ? null
      : name.startsWith('campaigns.') && typeof id === 'string'
        ? await findWritten(rehearsal.db, projectId, id)
        : ((await findMail(rehearsal.db, projectId))[0] ?? null);
    const { jobId } = (reply ?? {}) as { jobId?: unknown };
    const contacts = typeof jobId === 'string' ? await contactsOfJob(rehearsal.db, projectId, jobId) : 0;
    return { reply, effects: await withAudience(rehearsal, name, raw, { ...effects, contacts }), mail };
  });
}

/** A campaign makes its emails later: its audience is asked. */
async function withAudience(ctx: Context, name: string, raw: unknown, effects: Effects): Promise<Effects> {
  if (name !== 'campaigns.send') return effects;
  const { id } = raw as { id: string };
  try {
    const audience = await operationRegistry.get('campaigns.audience')?.run(ctx, { id });
    const { willSend = 0 } = (audience ?? {}) as { willSend?: number };
    return { ...effects, total: willSend };
  } catch (error) {
    if (error instanceof AppError) return effects;
    throw error;
  }
}

export const nothingObserved: Observed = { reply: null, effects: noEffects, mail: null };
