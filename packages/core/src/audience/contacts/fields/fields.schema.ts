import { z } from 'zod';
import {
  clampedInt,
  clearable,
  isoDate,
  namedEnum,
  references,
  referrer,
  typeNames,
} from '../../../base/kernel/schemas.ts';
import { definedTypes } from './definitions.rules.ts';
import { fieldTypes } from './fields.rules.ts';

/** A field in a path; blanks are part of its name. */
const fieldName = z
  .string()
  .min(1)
  .max(400)
  .meta({
    description: 'Name of the field: `data.<key>`, where the prefix may be left out, or a standard field.',
    examples: ['data.plan'],
  });

export const fieldInput = z.object({ field: fieldName });

export const fieldValuesInput = z.object({
  field: fieldName,
  limit: clampedInt(100, 1, 200).describe(
    'Number of values, 1 to 200. Default 100; values out of range are clamped.',
  ),
});

const fieldText = z.string().meta({ description: 'Name of the field.', examples: ['data.plan'] });

const value = z.union([z.string(), z.number(), z.boolean()]);

const fieldLabel = z
  .string()
  .nullable()
  .meta({ description: 'Its name for people; null without one.', examples: ['Plan'] });

const definedType = namedEnum('DefinedFieldType', definedTypes);

const converting = z.boolean().describe('Whether values that were stored before are still being converted.');
const unread = z
  .int()
  .min(0)
  .meta({ description: 'Values that could not be converted, and stay as they were.', examples: [0] });

export const defineFieldInput = z.object({
  field: fieldName,
  type: definedType
    .nullable()
    .describe('What is stored under it; null removes the definition, and its values stay.'),
  label: clearable(z.string().trim().max(100)).meta({
    description: 'Name for people, at most 100 characters. Absent keeps it.',
    examples: ['Plan'],
  }),
});

export const definedField = z
  .object({
    field: fieldText,
    label: fieldLabel,
    type: definedType.nullable().describe('What is stored under it; null without a definition.'),
    converting,
    unread,
    createdAt: isoDate.nullable().describe('When it was defined.'),
    updatedAt: isoDate.nullable().describe('When the definition last changed.'),
  })
  .register(typeNames, { name: 'DefinedContactField' });

export const fieldList = z
  .object({
    fields: z
      .array(
        z.object({
          field: fieldText,
          type: namedEnum('ContactFieldsFieldType', fieldTypes).describe('Type of most of its values.'),
          coverage: z
            .int()
            .min(0)
            .max(100)
            .meta({ description: 'Percent of contacts that have it.', examples: [87] }),
          label: fieldLabel,
          definition: z
            .object({ type: definedType.describe('What is stored under it.'), converting, unread })
            .register(typeNames, { name: 'ContactFieldDefinition' })
            .nullable()
            .describe('Its definition; null without one.'),
          similar: z.array(z.string()).meta({
            description:
              'Other fields whose names differ only in case, width, blanks, `_`, `-` and `.`: probably one is meant as the other.',
            examples: [['data.first_name']],
          }),
        }),
      )
      .describe('All fields, by name.'),
    count: z.int().min(0).describe('Number of fields.'),
  })
  .register(typeNames, { name: 'ContactFields' });

export const fieldValues = z
  .object({
    field: fieldText,
    values: z.array(value).meta({
      description: 'Distinct values: booleans, then numbers, then strings. `[]` for an unknown field.',
      examples: [['free', 'pro']],
    }),
    count: z
      .int()
      .min(0)
      .meta({ description: 'Number of values in this reply.', examples: [2] }),
    limit: z.int().meta({ description: 'Largest number of values that was asked for.', examples: [100] }),
  })
  .register(typeNames, { name: 'ContactFieldValues' });

export const fieldUsage = z
  .object({
    ...references,
    usedInTemplates: z.array(referrer).describe('Templates whose texts name it.'),
    contactCount: z
      .int()
      .min(0)
      .meta({ description: 'Number of contacts that have it.', examples: [87] }),
    canDelete: z.boolean().describe('Whether it is a custom field that nothing refers to.'),
  })
  .register(typeNames, { name: 'ContactFieldUsage' });

export const deletedField = z
  .object({
    deletedFrom: z
      .int()
      .min(0)
      .meta({ description: 'Number of contacts that had the field.', examples: [87] }),
  })
  .register(typeNames, { name: 'DeletedContactField' });
