import { z } from 'zod';
import {
  cursorListOf,
  cursorQuery,
  filterEnum,
  isoDate,
  namedEnum,
  normalizeAddress,
  optionalText,
  typeNames,
} from '../../kernel/schemas.ts';

const suppressionReason = namedEnum('SuppressionReason', ['BOUNCE', 'COMPLAINT']);

/** An address that receives no email of any type (behaviour B3.2). */
export const suppressionShape = z
  .object({
    email: z.string(),
    reason: suppressionReason,
    emailId: z.string().nullable().describe('The email that bounced or was complained about'),
    createdAt: isoDate,
  })
  .register(typeNames, { name: 'Suppression' });

export const listSuppressionsInput = z.object({
  ...cursorQuery,
  search: optionalText(254).describe('Case-insensitive, in the address'),
  reason: filterEnum('reason', suppressionReason),
});

export const suppressionList = cursorListOf(suppressionShape);

export const deleteSuppressionInput = z.object({ email: z.string().transform(normalizeAddress) });
