import { z } from 'zod';
import { filterTree, storedFilterTree } from '../../../audience/segments/filters.schema.ts';
import { namedEnum, notGiven, typeNames } from '../../../base/kernel/schemas.ts';
import { type EntryRules, entryUnits } from './entry.rules.ts';

const most = { entries: 1_000, amount: 8_760 };

const entryUnit = namedEnum('WorkflowEntryUnit', entryUnits);

const intervalFields = {
  amount: z
    .int()
    .min(1)
    .max(most.amount)
    .meta({ description: 'Number of units, 1 to 8,760.', examples: [30] }),
  unit: entryUnit.describe('Hours, or days of 24 hours.'),
};

/** In requests. */
export const entryInterval = z.object(intervalFields);

export const entryLimit = z
  .int()
  .min(1)
  .max(most.entries)
  .meta({ description: 'The most entries of a contact, 1 to 1,000.', examples: [3] });

const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  notGiven(schema.nullable()).transform((value) => value ?? null);

/** It is replaced whole: what is absent is null. */
export const entryInput = z
  .object({
    filter: orNull(filterTree).describe(
      'Only contacts that match this filter at the moment of their entry. Default anybody.',
    ),
    limit: orNull(entryLimit).describe(
      'The most entries of a contact, 1 to 1,000; needs `allowReentry`. Default any number.',
    ),
    every: orNull(entryInterval).describe(
      'How long ago the last entry of the contact must be; needs `allowReentry`. Default any time.',
    ),
  })
  .transform((given): EntryRules => given);

export const entryShape = z
  .object({
    filter: storedFilterTree.describe('Whom it must match at the moment of the entry; null for anybody.'),
    limit: entryLimit.nullable().describe('The most entries of a contact; null for any number.'),
    every: z
      .object(intervalFields)
      .register(typeNames, { name: 'WorkflowEntryInterval' })
      .nullable()
      .describe('How long ago its last entry must be; null for any time.'),
  })
  .register(typeNames, { name: 'WorkflowEntry' });
