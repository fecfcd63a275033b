import { idempotencyKeyReused, keyUseOf } from '../../base/idempotency/index.ts';
import { type Context, direct, parseInput, projectIdOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { assertCustomEvent } from './assert-custom-event.ts';
import { eventShape, namedEventInput, recordEventInput, trackInput } from './events.schema.ts';
import { type NamedEvent, storeNamed, storeNamedOnce } from './history.store.ts';
import { storeTrackedEvent } from './store-tracked-event.ts';

export const recordEvent = direct({
  name: 'events.record',
  summary: 'Records an event like /v1/track, or by name with an optional contact',
  permission: 'data:write',
  risk: 'events',
  errors: ['CONTACT_NOT_FOUND'],
  input: recordEventInput,
  output: eventShape,
  handler: (ctx, input) => (isTrackForm(input) ? recordTracked(ctx, input) : recordNamed(ctx, input)),
});

/** Whether a body of `POST /events/track` has the form of `/v1/track` (behaviour B4.10). */
export const isTrackForm = ({ email, event }: { email?: unknown; event?: unknown }): boolean =>
  (email !== undefined && email !== null) || (event !== undefined && event !== null);

async function recordTracked(ctx: Context, raw: unknown) {
  const input = parseInput(trackInput, raw);
  assertCustomEvent(input.event, 'event');
  const projectId = projectIdOf(ctx);
  const { id, data, contactId, createdAt } = await storeTrackedEvent(
    ctx,
    projectId,
    input,
    'POST /events/track',
  );
  return { id, name: input.event, data, projectId, contactId, emailId: null, createdAt };
}

async function recordNamed(ctx: Context, raw: unknown) {
  const { name, contactId = null, data = null } = parseInput(namedEventInput, raw);
  assertCustomEvent(name, 'name');
  const projectId = projectIdOf(ctx);
  const event = { id: newId(), projectId, name, contactId, data };
  return { ...event, emailId: null, createdAt: await store(ctx, event) };
}

/** Callers give no key beside this form; an approval has one, so that it is carried out once however often a process ends. */
async function store(ctx: Context, event: NamedEvent): Promise<Date> {
  const { durable } = ctx.services.database;
  const use = ctx.request.approvedBy === undefined ? null : keyUseOf(ctx, 'approval of events.record');
  if (!use) return storeNamed(durable, event);
  const createdAt = await storeNamedOnce(durable, event, use);
  if (!createdAt) throw await idempotencyKeyReused(ctx, event.projectId, use.key);
  return createdAt;
}
