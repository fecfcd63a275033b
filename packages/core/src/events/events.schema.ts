import { z } from 'zod';
import { dataLimitBytes, isTooLarge } from '../contacts/contacts.rules.ts';
import {
  clampedInt,
  cursorListOf,
  cursorQuery,
  emailAddress,
  instant,
  isoDate,
  notGiven,
  requiredText,
  typeNames,
  uuid,
} from '../kernel/schemas.ts';
import { eventDataOf, readTrackedData } from './events.rules.ts';

const reserved = /^(email\..*|contact\.(un)?subscribed|segment\..*\.(entry|exit))$/s;

/** Names of events that only Postrider emits (behaviour B6.1), case-sensitive. */
export const isReservedEvent = (name: string): boolean => reserved.test(name);

/** 1 to 255 characters, trimmed, no control characters (behaviour B2.9). */
export const eventName = requiredText(255).refine((name) => !/\p{Cc}/u.test(name), {
  params: { code: 'invalid_string' },
  message: 'Must not contain control characters',
});

/** A name to filter by; empty for all. */
export const eventFilter = notGiven(
  z
    .string()
    .max(255)
    .transform((name) => (name === '' ? undefined : name)),
);

export const trackInput = z.object({
  email: emailAddress,
  event: eventName,
  subscribed: notGiven(z.boolean()).describe(
    'Default true for a new contact; an existing one keeps its state',
  ),
  data: notGiven(z.record(z.string(), z.unknown()).transform(readTrackedData)),
});

export const trackOutput = z
  .object({ contact: z.string(), event: z.string(), timestamp: isoDate })
  .register(typeNames, { name: 'TrackedEvent' });

const eventFields = {
  id: z.string(),
  name: z.string(),
  data: z.record(z.string(), z.unknown()).nullable(),
  projectId: z.string(),
  contactId: z.string().nullable(),
  emailId: z.string().nullable(),
  createdAt: isoDate,
};

/** An event as callers see it (behaviour B2.9). */
export const eventShape = z.object(eventFields);

/**
 * Body of `POST /events/track`: the form of `/v1/track` when it has `email` or `event`, otherwise `{name,
 * contactId?, data?}`. The form determines the validation.
 */
export const recordEventInput = z.object({
  email: z.unknown().optional().meta({ type: 'string' }),
  event: z.unknown().optional().meta({ type: 'string' }),
  subscribed: z.unknown().optional().meta({ type: 'boolean' }),
  name: z.unknown().optional().meta({ type: 'string' }),
  contactId: z.unknown().optional().meta({ type: 'string' }),
  data: z.unknown().optional(),
});

export const namedEventInput = z.object({
  name: eventName,
  contactId: notGiven(uuid),
  data: notGiven(
    z
      .record(z.string(), z.unknown())
      .refine((data) => !isTooLarge(JSON.stringify(data)), {
        params: { code: 'too_big' },
        message: `At most ${dataLimitBytes / 1024} KiB of JSON`,
      })
      .transform(eventDataOf),
  ),
});

export const listEventsInput = z.object({
  eventName: eventFilter,
  limit: clampedInt(100, 1, 500),
});

const eventWithContact = z.object({
  ...eventFields,
  contact: z.object({ id: z.string(), email: z.string() }).nullable(),
});

export const eventList = z
  .object({ events: z.array(eventWithContact) })
  .register(typeNames, { name: 'EventList' });

export const searchEventsInput = z.object({
  ...cursorQuery,
  eventName: eventFilter,
  contact: notGiven(z.string().max(320)).describe('The exact email address of a contact'),
});

export const eventPage = cursorListOf(eventWithContact);

/** @see listEventFigures: `isOwn` marks an event that Postrider emits */
export const eventFigures = z.array(
  z.object({ name: z.string(), count: z.int(), lastSeenAt: isoDate, isOwn: z.boolean() }),
);

export const dailyEventsInput = z.object({ eventName: eventFilter });

/** `day` is a day of UTC, as 2026-03-01. */
export const dailyEvents = z.array(z.object({ day: z.string(), count: z.int() }));

export const eventStatsInput = z
  .object({ startDate: notGiven(instant), endDate: notGiven(instant) })
  .refine(({ startDate, endDate }) => !startDate || !endDate || startDate <= endDate, {
    path: ['endDate'],
    params: { code: 'invalid_range' },
    message: 'Must not be before startDate',
  });

export const eventStats = z.array(
  z.object({ name: z.string(), count: z.int() }).register(typeNames, { name: 'EventCount' }),
);

export const contactEventsInput = z.object({ contactId: uuid, limit: clampedInt(50, 1, 500) });

export const contactEventList = z
  .object({ events: z.array(eventShape) })
  .register(typeNames, { name: 'ContactEvents' });

export const eventNames = z
  .object({ eventNames: z.array(z.string()) })
  .register(typeNames, { name: 'EventNames' });

export const eventNameInput = z.object({ eventName: z.string().max(255) });

const referrers = z.array(z.object({ id: z.string(), name: z.string() }));

export const eventUsage = z
  .object({
    usedInSegments: referrers,
    usedInCampaigns: referrers,
    usedInWorkflows: referrers,
    totalCount: z.int(),
    uniqueContacts: z.int(),
    canDelete: z.boolean(),
  })
  .register(typeNames, { name: 'EventUsage' });

export const deletedEvents = z
  .object({ deletedCount: z.int() })
  .register(typeNames, { name: 'DeletedEvents' });
