import { AppError, type Context, direct, parseInput, projectIdOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { assertCustomEvent } from './assert-custom-event.ts';
import { eventShape, namedEventInput, recordEventInput, trackInput } from './events.schema.ts';
import { storeNamed } from './history.store.ts';
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
    false,
  );
  return { id, name: input.event, data, projectId, contactId, emailId: null, createdAt };
}

async function recordNamed(ctx: Context, raw: unknown) {
  const { name, contactId = null, data = null } = parseInput(namedEventInput, raw);
  assertCustomEvent(name, 'name');
  const projectId = projectIdOf(ctx);
  const id = newId();
  const createdAt = await storeNamed(ctx.services.database.durable, { id, projectId, name, contactId, data });
  if (!createdAt) throw new AppError('CONTACT_NOT_FOUND', 'Contact not found');
  return { id, name, data, projectId, contactId, emailId: null, createdAt };
}
