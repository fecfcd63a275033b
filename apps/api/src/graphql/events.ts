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
import { builder } from './builder.ts';
import { mutationField } from './fields.ts';
import { argsFromZod } from './input-from-zod.ts';
import { objectFromZod } from './object-from-zod.ts';

const TrackedEvent = objectFromZod(trackEvent.output, 'TrackedEvent');
const Event = objectFromZod(recordEvent.output, 'Event');
const EventList = objectFromZod(listEvents.output, 'EventList');
const ContactEvents = objectFromZod(listContactEvents.output, 'ContactEvents');
const EventCount = objectFromZod(getEventStats.output.element, 'EventCount');
const EventNames = objectFromZod(listEventNames.output, 'EventNames');
const EventUsage = objectFromZod(getEventUsage.output, 'EventUsage');
const DeletedEvents = objectFromZod(deleteEvents.output, 'DeletedEvents');

/** Tracking belongs to public keys; whoever holds the secret key of the project may do it in its name here. */
const asPublicKey = (ctx: Context): Context =>
  ctx.actor.type === 'key' ? { ...ctx, actor: { ...ctx.actor, key: 'public' } } : ctx;

mutationField('trackEvent', trackEvent, TrackedEvent, { as: asPublicKey });
mutationField('recordEvent', recordEvent, Event);
mutationField('deleteEvents', deleteEvents, DeletedEvents);

builder.queryFields((t) => ({
  events: t.field({
    type: EventList,
    description: listEvents.summary,
    extensions: { operation: listEvents.name },
    args: argsFromZod(listEvents.input, 'Event', t.arg),
    resolve: (_root, args, { ctx }) => listEvents.run(ctx, args),
  }),
  contactEvents: t.field({
    type: ContactEvents,
    description: listContactEvents.summary,
    extensions: { operation: listContactEvents.name },
    args: argsFromZod(listContactEvents.input, 'Event', t.arg),
    resolve: (_root, args, { ctx }) => listContactEvents.run(ctx, args),
  }),
  eventStats: t.field({
    type: [EventCount],
    description: getEventStats.summary,
    extensions: { operation: getEventStats.name },
    args: argsFromZod(getEventStats.input, 'Event', t.arg),
    resolve: (_root, args, { ctx }) => getEventStats.run(ctx, args),
  }),
  eventNames: t.field({
    type: EventNames,
    description: listEventNames.summary,
    extensions: { operation: listEventNames.name },
    resolve: (_root, _args, { ctx }) => listEventNames.run(ctx, {}),
  }),
  eventUsage: t.field({
    type: EventUsage,
    description: getEventUsage.summary,
    extensions: { operation: getEventUsage.name },
    args: argsFromZod(getEventUsage.input, 'Event', t.arg),
    resolve: (_root, args, { ctx }) => getEventUsage.run(ctx, args),
  }),
}));
