import { z } from 'zod';
import {
  addressText,
  cursorListOf,
  cursorQuery,
  filterEnum,
  isoDate,
  namedEnum,
  normalizeAddress,
  optionalText,
  recordId,
  typeNames,
} from '../../kernel/schemas.ts';

const suppressionReason = namedEnum('SuppressionReason', ['BOUNCE', 'COMPLAINT']);

/** An address that receives no email of any type (behaviour B3.2). */
export const suppressionShape = z
  .object({
    email: addressText.describe('The address.'),
    reason: suppressionReason.describe('Why nothing is sent to it.'),
    emailId: recordId
      .nullable()
      .describe('The email that bounced or was complained about, where it is known.'),
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
});

export const suppressionList = cursorListOf(suppressionShape);

export const deleteSuppressionInput = z.object({
  email: z
    .string()
    .transform(normalizeAddress)
    .meta({ description: 'The address, URL-encoded.', format: 'email' }),
});
