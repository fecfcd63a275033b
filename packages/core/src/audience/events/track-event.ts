import { direct, projectIdOf } from '../../base/kernel/index.ts';
import { assertCustomEvent } from './assert-custom-event.ts';
import { trackInput, trackOutput } from './events.schema.ts';
import { storeTrackedEvent } from './store-tracked-event.ts';

/** @see `Event_dispatch` in dispatch-events.sql: the trigger that hands the event on to workflows and segments */
export const trackEvent = direct({
  name: 'events.track',
  summary: 'Records an event of a contact and creates or updates the contact',
  permission: 'events:track',
  risk: 'events',
  input: trackInput,
  output: trackOutput,
  async handler(ctx, input) {
    assertCustomEvent(input.event, 'event');
    const { contactId, id, createdAt, warnings } = await storeTrackedEvent(
      ctx,
      projectIdOf(ctx),
      input,
      'POST /v1/track',
    );
    return {
      contact: contactId,
      event: id,
      timestamp: createdAt,
      ...(warnings.length > 0 && { warnings }),
    };
  },
});
