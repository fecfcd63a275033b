import { z } from 'zod';
import {
  addressSought,
  addressText,
  cursorListOf,
  cursorQuery,
  diagnosisClass,
  filterEnum,
  isoDate,
  notGiven,
  optionalText,
  recordId,
  typeNames,
} from '../../../base/kernel/schemas.ts';
import { suppressionReason } from '../contacts.schema.ts';

/** An address that receives no email of any type (behaviour B3.2). */
export const suppressionShape = z
  .object({
    email: addressText.describe('The address.'),
    reason: suppressionReason.describe('Why nothing is sent to it.'),
    emailId: recordId
      .nullable()
      .describe('The email that bounced or was complained about, where it is known.'),
    class: diagnosisClass
      .nullable()
      .describe('What the receiving side said about that email; null if nothing is known.'),
    text: z
      .string()
      .nullable()
      .meta({ description: 'Its words.', examples: ['550 5.1.1 User unknown'] }),
    expiresAt: isoDate.nullable().meta({
      description: 'When it ends by itself, after soft bounces; null when it does not.',
      examples: [null],
    }),
    createdAt: isoDate.describe('When it was added.'),
  })
  .register(typeNames, { name: 'Suppression' });

export const listSuppressionsInput = z.object({
  ...cursorQuery,
  search: optionalText(254).meta({
    description: 'Part of the address, in any case. At most 254 characters.',
    examples: ['@example.com'],
  }),
  reason: filterEnum('reason', suppressionReason).describe('Only addresses suppressed for this reason.'),
  class: filterEnum('class', diagnosisClass).describe(
    'Only addresses about which the receiving side said this.',
  ),
});

export const suppressionList = cursorListOf(suppressionShape);

const count = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });

export const addSuppressionsLimit = 1_000;

export const addSuppressionsInput = z.object({
  emails: z
    .array(z.string())
    .min(1)
    .max(addSuppressionsLimit)
    .meta({
      description: 'Addresses to suppress, 1 to 1000.',
      examples: [['customer@example.com']],
    }),
  reason: notGiven(suppressionReason).describe(
    'The reason to record, for example that of a list from another provider. Default `MANUAL`.',
  ),
});

export const addedSuppressions = z
  .object({
    added: count('Addresses added by this call.', 2),
    existing: count('Addresses that were on the list already. They keep their reason and date.', 1),
    invalid: z.array(z.string()).meta({
      description: 'Entries that are not an email address, spelled and ordered as in the request.',
      examples: [['customer@']],
    }),
  })
  .register(typeNames, { name: 'AddedSuppressions' });

export const removeSuppressionsInput = z.object({
  emails: z
    .array(z.string())
    .min(1)
    .max(addSuppressionsLimit)
    .meta({
      description: 'Addresses to remove from the list, 1 to 1000.',
      examples: [['customer@example.com']],
    }),
});

export const removedSuppressions = z
  .object({
    removed: count('Addresses that were removed.', 2),
    notFound: z.array(z.string()).meta({
      description:
        'Entries that are not on the list, also malformed ones, spelled and ordered as in the request.',
      examples: [['customer@']],
    }),
  })
  .register(typeNames, { name: 'RemovedSuppressions' });

export const deleteSuppressionInput = z.object({
  email: z
    .string()
    .transform(addressSought)
    .meta({ description: 'The address, URL-encoded.', format: 'email' }),
});
