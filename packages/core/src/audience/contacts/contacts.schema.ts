import { z } from 'zod';
import {
  accepting,
  addressText,
  clearable,
  cursorListOf,
  cursorQuery,
  directionQuery,
  emailAddress,
  filterEnum,
  isoDate,
  namedEnum,
  notGiven,
  optionalText,
  queryBoolean,
  recordId,
  sortEnum,
  sortText,
  typeNames,
} from '../../base/kernel/schemas.ts';
import {
  consentBasis,
  givenChoices,
  shownChoices,
  statedConsent,
  statusEnum,
} from '../consent/consent.schema.ts';
import {
  type DataMode,
  externalIdProblem,
  maxExternalId,
  type SplitData,
  splitContactData,
} from './contacts.rules.ts';
import { contactIdText, contactReference } from './reference.schema.ts';

/** For schemas of other areas, which may import only this from contacts. */
export type { SplitData } from './contacts.rules.ts';

/** A contact as callers see it (behaviour B2.1). */
export const contactShape = z
  .object({
    id: recordId.describe('Id of the contact.'),
    email: addressText.describe(
      'Address in its normal form: lower case, the domain in ASCII. Unique within the project.',
    ),
    externalId: z
      .string()
      .nullable()
      .meta({
        description: 'Id of the contact in your own system, unique within the project; null without one.',
        examples: ['customer-1001'],
      }),
    subscribed: z.boolean().describe('Whether the contact receives marketing email.'),
    status: statusEnum.meta({
      description:
        'Whether the contact receives marketing email, and why not: `subscribed`, `snoozed` until a time, `pending` while a subscription request waits for its confirmation, `never` subscribed, or `unsubscribed`.',
      examples: ['subscribed'],
    }),
    snoozedUntil: isoDate
      .nullable()
      .describe('When marketing email resumes; null unless the contact paused it.'),
    topics: shownChoices.describe(
      'Choices of the contact by the key of the topic. Topics without a choice have their default, unless `topicDefaults` is false.',
    ),
    topicDefaults: z
      .boolean()
      .describe('Whether topics without a choice have their defaults; if not, they are off.'),
    consentBasis: consentBasis.nullable().meta({
      description: 'What the subscription rests on; null while the contact is not subscribed.',
      examples: ['default'],
    }),
    consentedAt: isoDate
      .nullable()
      .describe('When it was last agreed to; null while the contact is not subscribed.'),
    data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).meta({
      description: 'Custom fields. `{}` when there are none.',
      examples: [{ plan: 'pro', seats: 4 }],
    }),
    projectId: recordId.describe('Id of the project.'),
    createdAt: isoDate.describe('When the contact was created.'),
    updatedAt: isoDate.describe('When the contact last changed.'),
  })
  .describe('A contact.')
  .register(typeNames, { name: 'Contact' });

/** Where a contact is within the limits of its project (behaviour B14.8). */
export const contactLimitState = z
  .object({
    granted: z
      .array(
        z
          .object({
            hours: z.int().meta({ description: 'The time of the cap, in hours.', examples: [24] }),
            count: z
              .int()
              .min(0)
              .meta({ description: 'How many emails took a slot within it.', examples: [1] }),
            max: z.int().meta({ description: 'How many there are.', examples: [3] }),
          })
          .register(typeNames, { name: 'GrantedEmails' }),
      )
      .describe('One for each cap of the project; empty without caps.'),
    quietUntil: isoDate.nullable().meta({
      description: 'When the quiet hours that hold for the contact now end; null outside of them.',
      examples: [null],
    }),
  })
  .describe('Where the contact is within the limits per contact of the project.')
  .register(typeNames, { name: 'ContactLimitState' });

export const limitedContact = contactShape
  .extend({
    limits: contactLimitState.describe('What counts for the caps of the project, and its quiet hours.'),
  })
  .register(typeNames, { name: 'ContactWithLimits' });

/** Values of a request that were used and not stored. */
export const dataWarnings = z
  .array(
    z
      .object({
        field: z.string().meta({ description: 'The field, `data.<key>`.', examples: ['data.plan'] }),
        code: z
          .enum(['invalid_type'])
          .describe('It cannot be converted to the type that the field is defined to have.'),
      })
      .register(typeNames, { name: 'FieldWarning' }),
  )
  .optional()
  .describe('Values that were used for this request and not stored on the contact. Absent without any.');

const noData: SplitData = { set: {}, unset: [], transient: {} };

/** Splits a caller's `data`; each problem becomes an issue at `data.<key>`, or at `data` when it is too large. */
export function readContactData(
  data: Record<string, unknown>,
  mode: DataMode,
  ctx: z.core.$RefinementCtx<Record<string, unknown>>,
): SplitData {
  const { issues, ...parts } = splitContactData(data, mode);
  for (const { path, code, message, input } of issues) {
    ctx.issues.push({ code: 'custom', params: { code }, path, message, input });
  }
  return parts;
}

const dataValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** `data` as the API reference shows it; what may be used once only is any JSON. */
const acceptedData = (mode: DataMode) =>
  z
    .object({
      locale: acceptedValue(mode)
        .optional()
        .meta({
          description:
            'Language of the contact, such as `en`, `en-GB` or `en_US.UTF-8`; stored as a language tag. Any other value is stored as given and counts as no language.',
          examples: ['en-GB'],
        }),
    })
    .catchall(acceptedValue(mode))
    .meta({
      propertyNames: { minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
    });

const listValue = z.union([
  z.array(z.string()),
  z.object({
    add: z.array(z.string()).optional().describe('Items to add to the stored list.'),
    remove: z.array(z.string()).optional().describe('Items to take out of the stored list.'),
  }),
]);

const storedValue = z.union([
  dataValue,
  listValue,
  z.object({
    value: z.union([dataValue, listValue]).describe('The value.'),
    persistent: z.literal(true).describe('Stores the value.'),
  }),
  z.object({
    value: z.unknown().meta({ description: 'The value, any JSON.', examples: ['once'] }),
    persistent: z.literal(false).describe('Does not store the value.'),
  }),
]);

const acceptedValue = (mode: DataMode) => (mode === 'transient-allowed' ? z.unknown() : storedValue);

const givenData = (mode: DataMode) =>
  accepting(z.record(z.string(), z.unknown()), acceptedData(mode)).transform((data, ctx) =>
    readContactData(data, mode, ctx),
  );

/** `data` of a request, validated and split into values to store, to remove and to use once; absent and null give empty parts. */
export const contactData = (mode: DataMode) =>
  notGiven(givenData(mode))
    .transform((parts) => parts ?? noData)
    .meta({
      description:
        mode === 'stored-only'
          ? 'Custom fields: strings, numbers and booleans, at most 64 KiB of JSON. Merged key by key; null removes a key. A field that is defined as a list takes an array, which replaces it, or `{add, remove}`.'
          : 'Custom fields of the contact and values for this request. `{value, persistent: false}`, arrays and other objects are not stored.',
      examples: [{ plan: 'pro', seats: 4 }],
    });

/** An external id as given: kept as it is but for blanks around it. */
export const externalIdText = z
  .string()
  .trim()
  .superRefine((text, ctx) => {
    const problem = externalIdProblem(text);
    if (problem)
      ctx.addIssue({ code: 'custom', params: { code: problem.code }, message: problem.message, input: text });
  })
  .meta({ minLength: 1, maxLength: maxExternalId, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' });

const givenExternalId = clearable(externalIdText).meta({
  description:
    'Id of the contact in your own system: 1 to 255 characters, case-sensitive, unique within the project. null clears it.',
  examples: ['customer-1001'],
});

export const upsertContactInput = z.object({
  email: emailAddress.describe('Address of the contact, in any spelling; it is stored in its normal form.'),
  subscribed: notGiven(z.boolean()).describe(
    'Whether the contact receives marketing email. Default true for a new contact; an existing one keeps its state.',
  ),
  externalId: givenExternalId,
  data: contactData('stored-only'),
  topics: givenChoices,
  consent: statedConsent,
});

export const upsertedContact = contactShape.extend({
  _meta: z
    .object({
      isNew: z.boolean().describe('Whether the contact was created.'),
      isUpdate: z.boolean().meta({ description: 'Whether the contact existed before.', examples: [false] }),
    })
    .describe('What the request did.'),
});

const contactId = contactReference.meta(contactIdText('The contact'));

export const getContactInput = z.object({ id: contactId });

export const updateContactInput = z.object({
  id: contactId,
  email: notGiven(emailAddress).describe('New address. Must not belong to another contact of the project.'),
  externalId: givenExternalId,
  subscribed: notGiven(z.boolean()).describe('Whether the contact receives marketing email.'),
  topics: givenChoices,
  consent: statedConsent,
  data: clearable(givenData('stored-only')).meta({
    description:
      'Custom fields, merged key by key. A key that is null is removed; null instead of the object removes all.',
    examples: [{ plan: 'team', trialEnds: null }],
  }),
});

export const lookupLimit = 500;

export const lookupInput = z.object({
  emails: notGiven(z.array(z.string()).max(lookupLimit)).meta({
    description: 'Addresses to look for. Together with `externalIds` 1 to 500.',
    examples: [['customer@example.com', 'unknown@example.com']],
  }),
  externalIds: notGiven(z.array(z.string()).max(lookupLimit)).meta({
    description: 'External ids to look for.',
    examples: [['customer-1001']],
  }),
});

export const lookupResult = z
  .object({
    found: z.array(z.string()).meta({
      description: 'Addresses of contacts, spelled and ordered as in the request.',
      examples: [['customer@example.com']],
    }),
    notFound: z.array(z.string()).meta({
      description: 'The other addresses, spelled and ordered as in the request.',
      examples: [['unknown@example.com']],
    }),
    contacts: z
      .array(
        z
          .object({
            given: z.string().meta({
              description: 'The address or external id, as in the request.',
              examples: ['customer@example.com'],
            }),
            id: recordId.describe('Id of the contact.'),
            email: addressText.describe('Its address.'),
            externalId: z
              .string()
              .nullable()
              .meta({ description: 'Its external id; null without one.', examples: ['customer-1001'] }),
            subscribed: z.boolean().describe('Whether it receives marketing email.'),
          })
          .register(typeNames, { name: 'FoundContact' }),
      )
      .describe('The contacts that were found, in the order of the request: addresses, then external ids.'),
  })
  .register(typeNames, { name: 'ContactLookup' });

/** Why an address receives no email of any type. */
export const suppressionReason = namedEnum('SuppressionReason', ['BOUNCE', 'COMPLAINT', 'MANUAL']);

/** @see statusEnum */
export const contactStatus = statusEnum;

export const listContactsInput = z.object({
  ...cursorQuery,
  search: optionalText(255).meta({
    description: 'Part of the address, in any case. At most 255 characters. `email` finds a whole one.',
    examples: ['@example.com'],
  }),
  email: notGiven(emailAddress).meta({
    description: 'Only the contact with exactly this address, in any spelling.',
    examples: ['customer@example.com'],
  }),
  externalId: notGiven(externalIdText).meta({
    description: 'Only the contact with exactly this external id.',
    examples: ['customer-1001'],
  }),
  subscribed: queryBoolean('subscribed').describe(
    'Only contacts that are subscribed, or only those that are not: those in the other four states.',
  ),
  status: filterEnum('status', contactStatus).describe(
    'Only contacts in this state; the five add up to all contacts. Takes precedence over `subscribed`.',
  ),
  sort: sortEnum(namedEnum('ContactSort', ['createdAt', 'email']), 'createdAt').describe(sortText),
  dir: directionQuery,
});

export const contactList = cursorListOf(contactShape);
