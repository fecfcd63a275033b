import {
  deleteEvents,
  getDailyEvents,
  getEvent,
  getEventStats,
  getEventUsage,
  isTrackForm,
  listContactEvents,
  listEventFigures,
  listEventNames,
  listEvents,
  recordEvent,
  searchEvents,
  trackEvent,
} from '@postrider/core/audience/events';
import type { Context } from '@postrider/core/base/kernel';
import { builder } from './builder.ts';
import { keyedMutationField, mutationField, queryField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

const TrackedEvent = objectFromZod(trackEvent.output);
export const Event = objectFromZod(recordEvent.output, 'Event');
const EventList = eventList('EventList');
const ContactEvents = eventList('ContactEvents');
const EventFigures = objectFromZod(listEventFigures.output.element, 'EventFigures');
const DailyEvents = objectFromZod(getDailyEvents.output.element, 'DailyEvents');
const EventCount = objectFromZod(getEventStats.output.element);
const EventNames = objectFromZod(listEventNames.output);
const EventUsage = objectFromZod(getEventUsage.output);
const DeletedEvents = objectFromZod(deleteEvents.output);

type EventRecord = typeof Event.$inferType;

/** Both lists of events have one type of event, which leads to its contact and email. */
function eventList(name: string) {
  return builder.objectRef<{ events: EventRecord[] }>(name).implement({
    description: 'A list of events.',
    fields: (t) => ({
      events: t.field({
        type: [Event],
        description: 'The events, newest first.',
        resolve: ({ events }) => events,
      }),
    }),
  });
}

/** Tracking requires a public key; here the secret key of the project may be used instead. */
const asPublicKey = (ctx: Context): Context =>
  ctx.actor.type === 'key' ? { ...ctx, actor: { ...ctx.actor, key: 'public' } } : ctx;

keyedMutationField('trackEvent', trackEvent, TrackedEvent, { as: asPublicKey });
keyedMutationField('recordEvent', recordEvent, Event, { takesKey: isTrackForm });
mutationField('deleteEvents', deleteEvents, DeletedEvents);

recordField('event', getEvent, Event);
queryField('events', listEvents, EventList);
queryField('contactEvents', listContactEvents, ContactEvents);
queryField('eventStats', getEventStats, [EventCount]);
queryField('eventNames', listEventNames, EventNames);
queryField('eventUsage', getEventUsage, EventUsage);
connectionField('eventSearch', searchEvents, Event, ({ createdAt }) => createdAt);
queryField('eventFigures', listEventFigures, [EventFigures]);
queryField('dailyEvents', getDailyEvents, [DailyEvents]);
