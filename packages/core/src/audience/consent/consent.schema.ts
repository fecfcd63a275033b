import { z } from 'zod';
import {
  addressText,
  cursorListOf,
  cursorQuery,
  emailAddress,
  instant,
  isoDate,
  namedEnum,
  notGiven,
  periodBound,
  recordId,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';
import { MAIL_LANGUAGES } from '../../base/lib/mail-languages.ts';
import {
  consentActions,
  consentActors,
  consentBases,
  consentEffects,
  consentRefusals,
  consentSources,
  contactStatuses,
  longestSource,
  maxChoices,
  maxIp,
  maxPage,
  maxUserAgent,
  maxWording,
  statedBases,
} from './consent.rules.ts';

export const statusEnum = namedEnum('ContactStatus', contactStatuses);
export const consentBasis = namedEnum('ConsentBasis', consentBases);
const action = namedEnum('ConsentAction', consentActions);
const effect = namedEnum('ConsentEffect', consentEffects);
const source = namedEnum('ConsentSource', consentSources);

/** Choices of a contact as callers see them: by the keys of topics. */
export const shownChoices = z.record(z.string(), z.boolean()).meta({
  description: 'Choices of the contact by the key of the topic: true for yes, false for no.',
  examples: [{ product_news: true }],
});

const choices = z
  .record(z.string().max(50), z.boolean().nullable())
  .refine((given) => Object.keys(given).length <= maxChoices, {
    params: { code: 'too_big' },
    message: `At most ${maxChoices} topics`,
  });

/** Null counts as not given, since a choice changes and is never forgotten. */
function chosen(given: z.output<typeof choices> | undefined): Record<string, boolean> | undefined {
  const made = Object.entries(given ?? {}).flatMap(([key, choice]) =>
    choice === null ? [] : [[key, choice] as const],
  );
  return made.length === 0 ? undefined : Object.fromEntries(made);
}

/** Choices that a request may make. */
export const givenChoices = notGiven(choices)
  .transform(chosen)
  .meta({
    description:
      'Choices by the key of the topic, at most 50: true for yes, false for no. A true without `subscribed`, for a contact that is new or not subscribed, subscribes it to these topics only.',
    examples: [{ general: true }],
  });

/** Choices of a request that is about nothing else. */
export const requiredChoices = choices
  .refine((given) => chosen(given) !== undefined, {
    params: { code: 'required' },
    message: 'Choose at least one topic',
  })
  .transform((given) => chosen(given) ?? {})
  .meta({
    description:
      'Choices by the key of the topic, 1 to 50: true for yes, false for no. A true subscribes a contact that is not subscribed to these topics only.',
    examples: [{ product_news: true }],
  });

const shortText = (max: number) => notGiven(z.string().trim().max(max));

/** What a caller states of a consent that was given to it (behaviour B12.4). */
export const statedConsent = notGiven(
  z
    .object({
      basis: notGiven(namedEnum('StatedBasis', statedBases)).describe(
        'What the consent rests on: `given` by the person, `confirmed` by double opt-in, or an existing `customer` relation. Default `given`.',
      ),
      at: notGiven(instant).describe('When it was given. Default now; not in the future.'),
      ip: shortText(maxIp).meta({
        description: 'Address of the client that gave it.',
        examples: ['203.0.113.7'],
      }),
      userAgent: shortText(maxUserAgent).meta({
        description: 'What the client said of itself.',
        examples: ['Mozilla/5.0'],
      }),
      page: shortText(maxPage).meta({
        description: 'The page on which it was given.',
        examples: ['https://example.com/newsletter'],
      }),
      source: shortText(longestSource).meta({
        description: 'Where it comes from, in your words.',
        examples: ['Checkout'],
      }),
      wordingId: notGiven(uuid).describe('Id of the wording that was agreed to.'),
    })
    .register(typeNames, { name: 'StatedConsent' }),
).describe('What the consent rests on. Ignored with a public key.');
export type StatedConsent = NonNullable<z.output<typeof statedConsent>>;

const wordingRef = z
  .object({
    id: recordId.describe('Id of the wording.'),
    language: z.string().meta({ description: 'Its language.', examples: ['en'] }),
    text: z.string().meta({
      description: 'The exact words.',
      examples: ['Yes, send me news about the shop.'],
    }),
  })
  .register(typeNames, { name: 'ShownWording' });

const actor = z
  .object({
    type: namedEnum('ConsentActor', consentActors).describe('Who acted.'),
    id: recordId.nullable().describe('Id of the user or the named key; null for everybody else.'),
    label: z.string().meta({
      description: 'Address of the user, name of the key, or the kind of actor.',
      examples: ['jane@example.com'],
    }),
  })
  .register(typeNames, { name: 'ConsentActActor' });

const nullableId = (description: string) => recordId.nullable().describe(description);

/** A consent act as callers see it (behaviour B12.4). */
export const consentAct = z
  .object({
    id: recordId.describe('Id of the act. Ids are in the order of effect.'),
    contactId: nullableId('Id of the contact; null once it is deleted.'),
    at: isoDate.describe('When it happened.'),
    recordedAt: isoDate.describe('When it was stored.'),
    action: action.describe('What was stated.'),
    effect: effect.describe('Whether it changed the state of the contact.'),
    refusal: namedEnum('ConsentRefusal', consentRefusals)
      .nullable()
      .meta({ description: 'Why it, or a part of it, had no effect; otherwise null.', examples: [null] }),
    topics: shownChoices.describe('Choices that were stated, by the key of the topic. `{}` without any.'),
    topicDefaults: z
      .boolean()
      .nullable()
      .meta({
        description: '`topicDefaults` of the contact after it; null if it did not change.',
        examples: [null],
      }),
    until: isoDate.nullable().meta({ description: 'End of a snooze; otherwise null.', examples: [null] }),
    source: source.describe('Where it was stated.'),
    actor: actor.describe('Who stated it.'),
    basis: consentBasis
      .nullable()
      .describe('Of acts that subscribe: what the subscription rests on; otherwise null.'),
    liftsOptOut: z.boolean().meta({
      description: 'Whether it ended an opt-out by the recipient, a bounce or a complaint, or a snooze.',
      examples: [false],
    }),
    wording: wordingRef.nullable().describe('The words that were shown; null where none are known.'),
    form: z
      .object({
        id: recordId.describe('Id of the form.'),
        name: z.string().meta({ description: 'Its name.', examples: ['Footer'] }),
        version: z.int().meta({ description: 'Number of the version that was shown.', examples: [2] }),
      })
      .register(typeNames, { name: 'ShownForm' })
      .nullable()
      .meta({ description: 'The form that was shown; null without one.', examples: [null] }),
    emailId: nullableId('Id of the email whose link was followed, or that bounced; otherwise null.'),
    jobId: nullableId('Id of the import or bulk change; otherwise null.'),
    executionId: nullableId('Id of the execution of a workflow; otherwise null.'),
    requestId: nullableId('Id of the subscription request; otherwise null.'),
    page: z
      .string()
      .nullable()
      .meta({
        description: 'The page on which it was stated. Null without the right to see it.',
        examples: ['https://example.com/newsletter'],
      }),
    ip: z
      .string()
      .nullable()
      .meta({
        description: 'Address of the client. Null without the right to see it.',
        examples: ['203.0.113.7'],
      }),
    userAgent: z
      .string()
      .nullable()
      .meta({
        description: 'What the client said of itself. Null without the right to see it.',
        examples: ['Mozilla/5.0'],
      }),
    evidence: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description: 'What a caller stated of it. Null without the right to see it.',
        examples: [null],
      }),
  })
  .describe('One statement about what a contact receives.')
  .register(typeNames, { name: 'ConsentAct' });

const filters = {
  action: notGiven(action).describe('Only acts of this kind.'),
  source: notGiven(source).describe('Only acts that were stated there.'),
  effect: notGiven(effect).describe('Only acts with this effect.'),
  from: notGiven(periodBound).describe(
    'Only acts that were stored at or after this time, or from this day on.',
  ),
  to: notGiven(periodBound).describe(
    'Only acts that were stored before this time, or until the end of this day.',
  ),
};

export const listActsFilter = z.object({
  ...cursorQuery,
  email: notGiven(emailAddress).describe('Only acts about this address, those of deleted contacts included.'),
  ...filters,
});

export const actList = cursorListOf(consentAct);

export const consentState = z
  .object({
    contactId: recordId.describe('Id of the contact.'),
    email: addressText.describe('Address of the contact.'),
    status: statusEnum.describe('Whether it receives marketing email, and why not.'),
    suppressed: z
      .object({
        reason: namedEnum('SuppressedReason', ['BOUNCE', 'COMPLAINT', 'MANUAL']).describe('Why.'),
        since: isoDate.describe('Since when.'),
      })
      .register(typeNames, { name: 'SuppressedSince' })
      .nullable()
      .meta({ description: 'Its entry on the suppression list; null without one.', examples: [null] }),
    snoozedUntil: isoDate
      .nullable()
      .meta({ description: 'When a pause ends; null without one.', examples: [null] }),
    pendingUntil: isoDate.nullable().meta({
      description: 'Until when a subscription request can be confirmed; null without an open one.',
      examples: [null],
    }),
    unsubscribedBy: namedEnum('UnsubscribedBy', ['request', 'recipient'])
      .nullable()
      .meta({
        description: 'Whose an opt-out is; null unless the status is `unsubscribed`.',
        examples: [null],
      }),
    consentBasis: consentBasis
      .nullable()
      .describe('What the subscription rests on; null while it is not subscribed.'),
    consentedAt: isoDate.nullable().describe('When it was last agreed to; null while it is not subscribed.'),
    wording: wordingRef.nullable().meta({
      description: 'The words that were agreed to last; null where none are known.',
    }),
    topics: z
      .array(
        z
          .object({
            key: z.string().meta({ description: 'Key of the topic.', examples: ['product_news'] }),
            name: z.string().meta({
              description: 'Its name, in the language of the project, else the first.',
              examples: ['Product news'],
            }),
            default: namedEnum('ConsentTopicDefault', ['IN', 'OUT']).describe('What holds without a choice.'),
            choice: z.boolean().nullable().describe('The choice of the contact; null without one.'),
            receives: z.boolean().describe('Whether the contact receives it.'),
            since: isoDate.nullable().describe('When the choice was made; null without one.'),
          })
          .register(typeNames, { name: 'ConsentTopic' }),
      )
      .describe('The topics of the project that are not archived, by position.'),
  })
  .describe('What a contact receives, and why.')
  .register(typeNames, { name: 'ConsentState' });

/** Everything that proves what a contact agreed to. */
export const consentEvidence = z
  .object({
    contactId: recordId.describe('Id of the contact.'),
    email: addressText.describe('Address of the contact.'),
    status: statusEnum.describe('Whether it receives marketing email, and why not.'),
    createdAt: isoDate.describe('When this was put together.'),
    acts: z.array(consentAct).describe('All acts, oldest first.'),
    emails: z
      .array(
        z
          .object({
            id: recordId.describe('Id of the email.'),
            messageId: z.string().meta({
              description: 'The field `Message-ID`.',
              examples: ['<0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90@example.com>'],
            }),
            to: z.string().meta({ description: 'Its recipient.', examples: ['customer@example.com'] }),
            subject: z.string().meta({ description: 'Its subject.', examples: ['Please confirm'] }),
            requestId: recordId.describe('Id of the subscription request.'),
            createdAt: isoDate.describe('When it was stored.'),
            sentAt: isoDate.nullable().describe('When the mail server took it; null if it did not.'),
            deliveredAt: isoDate
              .nullable()
              .describe('When it reached the mailbox; null if that is not known.'),
            answer: z
              .string()
              .nullable()
              .meta({ description: 'What the mail server answered last, if it was kept.', examples: [null] }),
          })
          .register(typeNames, { name: 'ConfirmationEmail' }),
      )
      .describe('The confirmation emails, oldest first.'),
    html: z
      .string()
      .nullable()
      .meta({
        description: 'The same for printing, with `format=html`; otherwise null.',
        examples: [null],
      }),
  })
  .register(typeNames, { name: 'ConsentEvidence' });

export const wordingLanguage = namedEnum('WordingLanguage', MAIL_LANGUAGES);

export const wordingShape = z
  .object({
    id: recordId.describe('Id of the wording.'),
    language: wordingLanguage.describe('Language of the text.'),
    text: z.string().meta({
      description: 'The exact words.',
      examples: ['Yes, send me news about the shop.'],
    }),
    createdAt: isoDate.describe('When it was stored.'),
  })
  .describe('The exact words that people agree to. Never changed.')
  .register(typeNames, { name: 'Wording' });

export const createWordingInput = z.object({
  language: wordingLanguage.describe('Language of the text.'),
  text: z
    .string()
    .refine((text) => text.trim() !== '', { params: { code: 'required' }, message: 'Required', abort: true })
    .refine((text) => text.length <= maxWording, {
      params: { code: 'too_big' },
      message: `At most ${maxWording} characters`,
    })
    .meta({
      minLength: 1,
      maxLength: maxWording,
      pattern: '\\S',
      description: 'The exact words, 1 to 2,000 characters.',
      examples: ['Yes, send me news about the shop.'],
    }),
});

export const createdWording = wordingShape
  .extend({
    isNew: z.boolean().describe('Whether it was stored by this call; false if the same text existed.'),
  })
  .register(typeNames, { name: 'CreatedWording' });

export const wordingIdInput = z.object({ id: uuid.describe('Id of the wording.') });
export const listWordingsInput = z.object(cursorQuery);
export const wordingList = cursorListOf(wordingShape);
