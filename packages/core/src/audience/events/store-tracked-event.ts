import type { z } from 'zod';
import { refusalOf } from '../../base/db/index.ts';
import { idempotencyKeyReused, keyUseOf } from '../../base/idempotency/index.ts';
import type { Context } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { numberedChoices, sayingOf } from '../consent/index.ts';
import {
  contactDataLimitError,
  type FieldWarning,
  prepareChanges,
  recallFormerSpellings,
  settledData,
} from '../contacts/index.ts';
import { acceptEvent } from './accept-event.ts';
import type { trackInput } from './events.schema.ts';
import type { TrackedEvent, TrackRequest } from './events.store.ts';

/**
 * Stores a `/v1/track` request: the contact's change, the event and the idempotency key, all or nothing.
 *
 * Where the caller may be a visitor of a web page, it lifts no opt-out of the recipient (behaviour B4.3).
 *
 * @see `Event_dispatch` in dispatch-events.sql: the trigger queues the event for `dispatchEvents` when something waits for it
 * @throws AppError IDEMPOTENCY_KEY_REUSED, or VALIDATION_ERROR when the contact's data would be too large
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
  const choices = await numberedChoices(ctx.db, projectId, topics);
  const id = newId();
  const [change] = prepareChanges(
    secrets,
    projectId,
    [{ email, subscribed: subscribed ?? null, set, unset, ...(lists && { lists }), choices }],
    true,
    sayingOf(ctx),
  );
  if (!change) throw new Error('an event has no contact');
  await recallFormerSpellings(ctx.db, secrets, projectId, [email]);
  const stored = await store(ctx, {
    projectId,
    change,
    eventId: id,
    name: event,
    data: data?.event ?? null,
    idempotency: keyUseOf(ctx, defaultLabel),
  });
  return { ...stored, id, data: data?.event ?? null, warnings };
}

async function store(ctx: Context, request: TrackRequest): Promise<TrackedEvent> {
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
