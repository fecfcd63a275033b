import { z } from 'zod';
import {
  cursorListOf,
  cursorQuery,
  filterEnum,
  isoDate,
  normalizeAddress,
  optionalText,
} from '../../kernel/schemas.ts';

/** An address that gets no mail of any class (behaviour B3.2). */
export const suppressionShape = z.object({
  email: z.string(),
  reason: z.enum(['BOUNCE', 'COMPLAINT']),
  emailId: z.string().nullable().describe('The email that bounced or was complained about'),
  createdAt: isoDate,
});

export const listSuppressionsInput = z.object({
  ...cursorQuery,
  search: optionalText(254).describe('Case-insensitive, in the address'),
  reason: filterEnum('reason', ['BOUNCE', 'COMPLAINT']),
});

export const suppressionList = cursorListOf(suppressionShape);

export const deleteSuppressionInput = z.object({ email: z.string().transform(normalizeAddress) });
