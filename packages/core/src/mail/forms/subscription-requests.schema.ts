import { z } from 'zod';
import { contactData } from '../../audience/contacts/contacts.schema.ts';
import { topicKey } from '../../audience/topics/topics.schema.ts';
import {
  addressText,
  cursorListOf,
  cursorQuery,
  emailAddress,
  filterEnum,
  isoDate,
  mailLanguage,
  namedEnum,
  notGiven,
  recordId,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';

export const requestStatus = namedEnum('SubscriptionRequestStatus', [
  'PENDING',
  'CONFIRMED',
  'DECLINED',
  'EXPIRED',
]);

const statusText =
  '`PENDING` until the owner of the address answers, then `CONFIRMED` or `DECLINED`; `EXPIRED` after 7 days.';

/** A subscription that waits, or waited, for its confirmation (behaviour B12.5). */
export const requestRecord = z
  .object({
    id: recordId.describe('Id of the request.'),
    projectId: recordId.describe('Id of the project.'),
    contactId: recordId.describe('Id of the contact.'),
    email: addressText.describe('Address of the contact.'),
    status: requestStatus.describe(statusText),
    topics: z.array(z.string()).meta({
      description: 'Keys of the topics that were asked for; empty for the subscription overall.',
      examples: [['general']],
    }),
    form: z
      .object({
        id: recordId.describe('Id of the form.'),
        name: z.string().meta({ description: 'Its name.', examples: ['Footer'] }),
        version: z.int().describe('The version that was shown.'),
      })
      .register(typeNames, { name: 'FormOfRequest' })
      .nullable()
      .describe('The form that it came from; null for a request of a program.'),
    wording: z
      .object({
        id: recordId.describe('Id of the wording.'),
        language: z.string().meta({ description: 'Its language.', examples: ['en'] }),
        text: z.string().meta({ description: 'The words.', examples: ['Send me the newsletter.'] }),
      })
      .register(typeNames, { name: 'WordingOfRequest' })
      .nullable()
      .describe('The exact words that were shown; null if none were given.'),
    language: mailLanguage.describe('Language of the email and the page.'),
    requestedAt: isoDate.describe('When it was made.'),
    expiresAt: isoDate.describe('Until when it can be confirmed.'),
    confirmedAt: isoDate.nullable().describe('When it was confirmed; else null.'),
    emailId: recordId.nullable().describe('Id of the email that asks for the confirmation.'),
  })
  .describe('A subscription that waits for its confirmation.')
  .register(typeNames, { name: 'SubscriptionRequest' });

export const requestList = cursorListOf(requestRecord);

export const listRequestsInput = z.object({
  ...cursorQuery,
  status: filterEnum('status', requestStatus).describe('Only requests in this state.'),
});

export const requestOutcome = namedEnum('SubscriptionRequestOutcome', [
  'sent',
  'already_subscribed',
  'limited',
  'declined',
  'suppressed',
]);

const ofVisitor = (most: number, description: string, example: string) =>
  notGiven(z.string().max(most)).meta({ description, examples: [example] });

export const createRequestInput = z.object({
  email: emailAddress.describe('The address that is to be subscribed. Its owner is asked.'),
  topics: notGiven(
    z
      .array(topicKey)
      .max(50)
      .transform((keys) => [...new Set(keys)]),
  )
    .transform((keys) => keys ?? [])
    .meta({
      description: 'Keys of the topics to subscribe to. Default: the subscription overall.',
      examples: [['general']],
    }),
  data: contactData('stored-only').describe(
    'Data that is written to the contact once it is confirmed; of a contact that existed before, only what it does not have.',
  ),
  language: notGiven(mailLanguage).describe(
    'Language of the email and of the page. Default that of the contact, else of the project.',
  ),
  wordingId: notGiven(uuid).describe('Id of the wording that was shown.'),
  ip: ofVisitor(45, 'Address of the client that asked.', '198.51.100.7'),
  userAgent: ofVisitor(500, 'User-Agent of the client that asked.', 'Mozilla/5.0'),
  page: ofVisitor(2_000, 'Page on which it was asked.', 'https://example.com/newsletter'),
});

export const createdRequest = z
  .object({
    request: requestRecord
      .nullable()
      .describe('The request; null unless an email asks for its confirmation.'),
    outcome: requestOutcome.describe(
      '`sent`: the owner of the address is asked. `already_subscribed`: nothing is to be confirmed. `limited`: too many emails to this address. `declined`: its owner has said within 90 days that a request was not theirs. `suppressed`: nothing is sent to it.',
    ),
  })
  .register(typeNames, { name: 'CreatedSubscriptionRequest' });

export type RequestOutcome = z.output<typeof requestOutcome>;
