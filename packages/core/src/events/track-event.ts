import { contactDataLimitError, contactUpsertInput } from '../contacts/index.ts';
import { type Context, databaseCode, hot, newId, projectIdOf } from '../kernel/index.ts';
import { idempotencyReused } from '../projects/index.ts';
import { assertCustomEvent } from './assert-custom-event.ts';
import { trackInput, trackOutput } from './events.schema.ts';
import { storeTracked, type TrackedEvent, type TrackRequest } from './events.store.ts';

export const trackEvent = hot({
  name: 'events.track',
  summary: 'Records an event of a contact and creates or updates the contact',
  permission: 'events:track',
  input: trackInput,
  output: trackOutput,
  async handler(ctx, { email, event, subscribed = null, data }) {
    assertCustomEvent(event, 'event');
    const projectId = projectIdOf(ctx);
    const { secrets, config } = ctx.services;
    const { set = {}, unset = [] } = data?.contact ?? {};
    const { idempotencyKey, label = 'POST /v1/track', successStatus = 200 } = ctx.request;
    const eventId = newId();
    const stored = await store(ctx, {
      projectId,
      contactChanges: contactUpsertInput(secrets, projectId, [{ email, subscribed, set, unset }]),
      eventId,
      name: event,
      data: data?.event ?? null,
      idempotency:
        idempotencyKey === undefined
          ? null
          : {
              key: idempotencyKey,
              request: label,
              statusCode: successStatus,
              ttlHours: config.IDEMPOTENCY_TTL_HOURS,
            },
    });
    return { contact: stored.contactId, event: eventId, timestamp: stored.createdAt };
  },
});

async function store(ctx: Context, request: TrackRequest): Promise<TrackedEvent> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await storeTracked(ctx.services.database.pool, request);
    } catch (error) {
      const code = databaseCode(error);
      if ((code === '40P01' || code === '40001') && attempt < 3) continue;
      const text = code === 'PR001' && error instanceof Error ? error.message : '';
      if (text === 'idempotency') {
        throw await idempotencyReused(ctx.services, request.projectId, request.idempotency?.key ?? '');
      }
      if (text.startsWith('data_too_large')) throw contactDataLimitError();
      throw error;
    }
  }
}
