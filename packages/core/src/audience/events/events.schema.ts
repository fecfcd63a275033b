import { z } from 'zod';
import {
  accepting,
  addressText,
  clampedInt,
  cursorListOf,
  cursorQuery,
  emailAddress,
  isoDate,
  logged,
  notGiven,
  periodBound,
  recordId,
  references,
  referrer,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';
import { hasControlCharacter, nameText } from '../../base/lib/names.rules.ts';
import { givenChoices } from '../consent/consent.schema.ts';
import { dataLimitBytes, isTooLarge } from '../contacts/contacts.rules.ts';
import { dataWarnings } from '../contacts/contacts.schema.ts';
import { contactIdText, contactReference } from '../contacts/reference.schema.ts';
import { eventDataOf, readTrackedData } from './events.rules.ts';

/** 1 to 255 characters, no control characters, otherwise as any name (behaviour B2.9). */
export const eventName = z
  .string()
  .overwrite(nameText)
  .refine((name) => name !== '', { params: { code: 'required' }, message: 'Required', abort: true })
  .refine((name) => name.length <= 255, { params: { code: 'too_big' }, message: 'At most 255 characters' })
  .refine((name) => !hasControlCharacter(name), {
    params: { code: 'invalid_string' },
    message: 'Must not contain control characters',
  })
  .meta({
    minLength: 1,
    maxLength: 255,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*\\S[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  })
  .register(logged, { as: 'text' });

/** A name to filter by; empty for all. */
export const eventFilter = notGiven(
  z
    .string()
    .max(255)
    .transform((name) => nameText(name) || undefined),
).meta({ description: 'Only events with this name. Empty means all.', examples: ['signed_up'] });

export const trackInput = z.object({
  email: emailAddress.describe('Address of the contact. A contact that does not exist is created.'),
  event: eventName.meta({
    description: 'Name of the event, 1 to 255 characters. Names that Postrider emits itself are refused.',
    examples: ['signed_up'],
  }),
  subscribed: notGiven(z.boolean()).describe(
    'Whether the contact receives marketing email. Default true for a new contact; an existing one keeps its state.',
  ),
  topics: givenChoices,
  data: notGiven(z.record(z.string(), z.unknown()).transform(readTrackedData)).meta({
    description:
      'Data of the event, at most 64 KiB of JSON. Strings, numbers and booleans are stored on the contact too; `{value, persistent: false}` stays with the event.',
    examples: [{ plan: 'pro', source: { value: 'landing page', persistent: false } }],
  }),
});

export const trackOutput = z
  .object({
    contact: recordId.describe('Id of the contact.'),
    event: recordId.describe('Id of the event.'),
    timestamp: isoDate.describe('When the event was stored.'),
    warnings: dataWarnings,
  })
  .register(typeNames, { name: 'TrackedEvent' });

const eventText = z.string().meta({ description: 'Name of the event.', examples: ['signed_up'] });

const eventFields = {
  id: recordId.describe('Id of the event.'),
  name: z.string().meta({ description: 'Name of the event.', examples: ['signed_up'] }),
  data: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'Data of the event; null when it has none.', examples: [{ plan: 'pro' }] }),
  projectId: recordId.describe('Id of the project.'),
  contactId: recordId.nullable().describe('Id of the contact; null for an event without one.'),
  emailId: recordId.nullable().describe('Id of the email, for events of emails.'),
  createdAt: isoDate.describe('When the event happened.'),
};

/** An event as callers see it (behaviour B2.9). */
export const eventShape = z.object(eventFields).meta({ 'x-name': 'RecordedEvent', description: 'An event.' });

/**
 * Body of `POST /events/track`: the form of `/v1/track` when it has `email` or `event`, otherwise `{name,
 * contactId?, data?}`. The form determines the validation.
 */
const eitherForm = z.object({
  email: z.unknown().optional().meta({ type: 'string', description: 'Address of the contact.' }),
  event: z.unknown().optional().meta({ type: 'string', description: 'Name of the event.' }),
  subscribed: z
    .unknown()
    .optional()
    .meta({ type: 'boolean', description: 'Whether the contact receives marketing email.' }),
  topics: z
    .unknown()
    .optional()
    .meta({ type: 'object', description: 'Choices by the key of the topic: true for yes, false for no.' }),
  name: z
    .unknown()
    .optional()
    .meta({ type: 'string', description: 'Name of the event, where no address is given.' }),
  contactId: z
    .unknown()
    .optional()
    .meta({ type: 'string', description: 'Id of the contact, where no address is given.' }),
  data: z.unknown().optional().describe('Data of the event, at most 64 KiB of JSON.'),
});

export const namedEventInput = z.object({
  name: eventName.meta({ description: 'Name of the event, 1 to 255 characters.', examples: ['signed_up'] }),
  contactId: notGiven(uuid).describe('Id of the contact. An event without a contact starts nothing.'),
  data: notGiven(
    z
      .record(z.string(), z.unknown())
      .refine((data) => !isTooLarge(JSON.stringify(data)), {
        params: { code: 'too_big' },
        message: `At most ${dataLimitBytes / 1024} KiB of JSON`,
      })
      .transform(eventDataOf),
  ).meta({ description: 'Data of the event, at most 64 KiB of JSON.', examples: [{ plan: 'pro' }] }),
});

export const recordEventInput = accepting(
  eitherForm,
  z.xor([
    trackInput.meta({ title: 'By address' }),
    namedEventInput
      .extend({
        email: z
          .null()
          .optional()
          .meta({ description: 'Not used in this form.', examples: [null] }),
        event: z
          .null()
          .optional()
          .meta({ description: 'Not used in this form.', examples: [null] }),
      })
      .meta({ title: 'By contact id' }),
  ]),
);

export const listEventsInput = z.object({
  eventName: eventFilter,
  limit: clampedInt(100, 1, 500).describe(
    'Number of events, 1 to 500. Default 100; values out of range are clamped.',
  ),
});

const eventWithContact = z.object({
  ...eventFields,
  contact: z
    .object({
      id: recordId.describe('Id of the contact.'),
      email: addressText.describe('Address of the contact.'),
    })
    .nullable()
    .describe('The contact; null for an event without one.'),
});

export const eventList = z
  .object({ events: z.array(eventWithContact).describe('The events, newest first.') })
  .register(typeNames, { name: 'EventList' });

export const searchEventsInput = z.object({
  ...cursorQuery,
  eventName: eventFilter,
  contact: notGiven(z.string().max(320)).describe('The whole address of a contact.'),
});

export const eventPage = cursorListOf(eventWithContact);

/** @see listEventFigures: `isOwn` marks an event that Postrider emits */
export const eventFigures = z.array(
  z.object({
    name: eventText,
    count: z.int().describe('Number of events.'),
    lastSeenAt: isoDate.describe('When the last one happened.'),
    isOwn: z.boolean().describe('Whether Postrider emits it itself.'),
  }),
);

export const dailyEventsInput = z.object({ eventName: eventFilter });

export const dailyEvents = z.array(
  z.object({
    day: z.string().describe('A day of UTC, as 2026-03-01.'),
    count: z.int().describe('Number of events.'),
  }),
);

export const eventStatsInput = z.object({
  startDate: notGiven(periodBound).describe(
    'Start of the period, a time or a day. Default 30 days before its end.',
  ),
  endDate: notGiven(periodBound).describe('End of the period; a day is included. Default now.'),
});

export const eventStats = z.array(
  z
    .object({
      name: eventText,
      count: z
        .int()
        .min(0)
        .meta({ description: 'Number of events in the period.', examples: [42] }),
    })
    .register(typeNames, { name: 'EventCount' }),
);

export const contactEventsInput = z.object({
  contactId: contactReference.meta(contactIdText('The contact')),
  limit: clampedInt(50, 1, 500).describe(
    'Number of events, 1 to 500. Default 50; values out of range are clamped.',
  ),
});

export const contactEventList = z
  .object({ events: z.array(eventShape).describe('The events, newest first.') })
  .register(typeNames, { name: 'ContactEvents' });

export const eventNames = z
  .object({
    eventNames: z.array(z.string()).meta({
      description: 'Distinct names, most frequent first.',
      examples: [['signed_up', 'email.open']],
    }),
  })
  .register(typeNames, { name: 'EventNames' });

export const eventIdInput = z.object({ id: uuid.describe('Id of the event.') });

export const eventNameInput = z.object({
  eventName: z
    .string()
    .max(255)
    .meta({ description: 'Name of the event.', examples: ['signed_up'] }),
});

export const eventUsage = z
  .object({
    ...references,
    usedInGoals: z.array(referrer).describe('Goals that count it.'),
    totalCount: z
      .int()
      .min(0)
      .meta({ description: 'Number of events with this name.', examples: [42] }),
    uniqueContacts: z
      .int()
      .min(0)
      .meta({ description: 'Number of contacts that have it.', examples: [40] }),
    canDelete: z.boolean().describe('Whether it is no event of Postrider itself and nothing refers to it.'),
  })
  .register(typeNames, { name: 'EventUsage' });

export const deletedEvents = z
  .object({
    deletedCount: z
      .int()
      .min(0)
      .meta({ description: 'Number of events deleted.', examples: [42] }),
  })
  .register(typeNames, { name: 'DeletedEvents' });
