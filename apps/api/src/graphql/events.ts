import {
  deleteEvents,
  getEventStats,
  getEventUsage,
  listContactEvents,
  listEventNames,
  listEvents,
  recordEvent,
  trackEvent,
} from '@postrider/core/events';
import type { Context } from '@postrider/core/kernel';
import { mutationField, queryField } from './fields.ts';
import { objectFromZod } from './object-from-zod.ts';

const TrackedEvent = objectFromZod(trackEvent.output);
const Event = objectFromZod(recordEvent.output, 'Event');
const EventList = objectFromZod(listEvents.output);
const ContactEvents = objectFromZod(listContactEvents.output);
const EventCount = objectFromZod(getEventStats.output.element);
const EventNames = objectFromZod(listEventNames.output);
const EventUsage = objectFromZod(getEventUsage.output);
const DeletedEvents = objectFromZod(deleteEvents.output);

/** Tracking requires a public key; here the secret key of the project may be used instead. */
const asPublicKey = (ctx: Context): Context =>
  ctx.actor.type === 'key' ? { ...ctx, actor: { ...ctx.actor, key: 'public' } } : ctx;

mutationField('trackEvent', trackEvent, TrackedEvent, { as: asPublicKey });
mutationField('recordEvent', recordEvent, Event);
mutationField('deleteEvents', deleteEvents, DeletedEvents);

queryField('events', listEvents, EventList);
queryField('contactEvents', listContactEvents, ContactEvents);
queryField('eventStats', getEventStats, [EventCount]);
queryField('eventNames', listEventNames, EventNames);
queryField('eventUsage', getEventUsage, EventUsage);
