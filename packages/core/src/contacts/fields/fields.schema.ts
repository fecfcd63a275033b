import { z } from 'zod';
import { clampedInt, namedEnum, typeNames } from '../../kernel/schemas.ts';

/** A field in a path; blanks are part of its name. */
const fieldName = z
  .string()
  .min(1)
  .max(400)
  .describe('`data.<key>` or a standard field; the prefix may be left out');

export const fieldInput = z.object({ field: fieldName });

export const fieldValuesInput = z.object({ field: fieldName, limit: clampedInt(100, 1, 200) });

const value = z.union([z.string(), z.number(), z.boolean()]);

export const fieldList = z
  .object({
    fields: z.array(
      z.object({
        field: z.string(),
        type: namedEnum('ContactFieldsFieldType', ['string', 'number', 'boolean', 'date']),
        coverage: z.int().min(0).max(100).describe('Percent of contacts that have it'),
      }),
    ),
    count: z.int(),
  })
  .register(typeNames, { name: 'ContactFields' });

export const fieldValues = z
  .object({
    field: z.string(),
    values: z.array(value),
    count: z.int(),
    limit: z.int(),
  })
  .register(typeNames, { name: 'ContactFieldValues' });

const referrer = z.object({ id: z.string(), name: z.string() });

export const fieldUsage = z
  .object({
    usedInSegments: z.array(referrer),
    usedInCampaigns: z.array(referrer),
    usedInWorkflows: z.array(referrer),
    contactCount: z.int(),
    canDelete: z.boolean(),
  })
  .register(typeNames, { name: 'ContactFieldUsage' });

export const deletedField = z
  .object({ deletedFrom: z.int() })
  .register(typeNames, { name: 'DeletedContactField' });
