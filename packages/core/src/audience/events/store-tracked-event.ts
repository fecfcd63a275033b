import type { z } from 'zod';
import { refusalOf } from '../../base/db/index.ts';
import { idempotencyKeyReused, keyUseOf } from '../../base/idempotency/index.ts';
import type { Context } from '../../base/kernel/index.ts';
import { currentTrace } from '../../base/kernel/traces.ts';
import { newId } from '../../base/lib/index.ts';
import { numberedChoices, sayingOf, submissionStored, takeBackSubmission } from '../consent/index.ts';
import {
  contactDataLimitError,
  type FieldWarning,
  prepareChanges,
  recallFormerSpellings,
  settledData,
} from '../contacts/index.ts';
import { acceptEvent } from './accept-event.ts';
import { askInstead, mustAsk } from './ask-instead.ts';
import { keepEventTrace } from './event-traces.store.ts';
import type { trackInput } from './events.schema.ts';
import type { TrackedEvent, TrackRequest } from './events.store.ts';

/**
 * Stores a `/v1/track` request: the contact's change, the event and the idempotency key, all or nothing.
 *
 * Where the caller may be a visitor of a web page, it lifts no opt-out of the recipient (behaviour B4.3).
 *
 * @see `Event_dispatch` in dispatch-events.sql: the trigger queues the event for `dispatchEvents` when something waits for it
 * @throws AppError IDEMPOTENCY_KEY_REUSED; VALIDATION_ERROR when the contact's data would be too large; RATE_LIMIT_EXCEEDED from `askInstead`
 */
export async function storeTrackedEvent(
  ctx: Context,
  projectId: string,
  { email, event, subscribed, data, topics }: z.output<typeof trackInput>,
  defaultLabel: string,
): Promise<TrackedEvent & { id: string; data: Record<string, unknown> | null; warnings: FieldWarning[] }> {
  const { secrets } = ctx.services;
  const contact = data && (await settledData(ctx, data.contact, 'lenient'));
  const { set = {}, unset = [], lists, warnings = [] } = contact ?? {};
  const given = { subscribed, choices: await numberedChoices(ctx.db, projectId, topics) };
  const asks = mustAsk(ctx) ? await askInstead(ctx, { projectId, email }, given) : null;
  const { subscribed: wanted, choices } = asks ?? given;
  const id = newId();
  const [change] = prepareChanges(
    secrets,
    projectId,
    [{ email, subscribed: wanted ?? null, set, unset, ...(lists && { lists }), choices }],
    asks === null,
    sayingOf(ctx),
  );
  if (!change) throw new Error('an event has no contact');
  await recallFormerSpellings(ctx.db, secrets, projectId, [email]);
  const tracked: TrackRequest = {
    projectId,
    change,
    eventId: id,
    name: event,
    data: data?.event ?? null,
    idempotency: keyUseOf(ctx, defaultLabel),
    byDefault: asks === null,
  };
  const stored = await storeAnd(ctx, tracked, asks?.submissionId ?? null);
  return { ...stored, id, data: data?.event ?? null, warnings };
}

/** Nobody is asked because of a request that is refused. */
async function storeAnd(
  ctx: Context,
  request: TrackRequest,
  submissionId: string | null,
): Promise<TrackedEvent> {
  if (submissionId === null) return store(ctx, request);
  const { database } = ctx.services;
  try {
    const stored = await store(ctx, request);
    submissionStored(database);
    return stored;
  } catch (error) {
    await takeBackSubmission(database.durable, request.projectId, submissionId);
    throw error;
  }
}

async function store(ctx: Context, request: TrackRequest): Promise<TrackedEvent> {
  const trace = currentTrace();
  if (trace) await keepEventTrace(ctx.services.database.asyncCommit, { ...request, trace });
  try {
    return await acceptEvent(ctx.services, request);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.rule === 'idempotency')
      throw await idempotencyKeyReused(ctx, request.projectId, request.idempotency?.key ?? '');
    if (refusal?.rule === 'data_too_large') throw contactDataLimitError();
    throw error;
  }
}
