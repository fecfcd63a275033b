import { z } from 'zod';
import { clampedInt, notGiven, readJsonText, uuid } from '../../base/kernel/schemas.ts';
import { listContactsInput } from '../contacts/contacts.schema.ts';
import { type FilterTree, readFilterTree } from './filters.schema.ts';

/** A filter tree as JSON, because a query string holds only text. */
const filterText = z
  .string()
  .transform((text, ctx): FilterTree => {
    const value = readJsonText(text, ctx);
    if (ctx.issues.length > 0) return z.NEVER;
    const { tree, issues } = readFilterTree(value, { namesUnknown: true });
    if (tree) return tree;
    for (const { path, code, message, input } of issues)
      ctx.issues.push({ code: 'custom', params: { code }, path, message, input });
    return z.NEVER;
  })
  .meta({
    description: 'Only contacts that match this filter tree, given as JSON.',
    examples: [
      '{"logic":"AND","groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}',
    ],
  });

/** The query of the list of contacts (behaviour B4.4 and B11.5). */
export const findContactsInput = listContactsInput.extend({
  filter: notGiven(filterText),
  segmentId: notGiven(uuid).describe('Only members of this segment.'),
  countTo: notGiven(clampedInt(10_000, 1, 1_000_000)).meta({
    description:
      'Counts the matches of a search, filter or segment only up to this number: a `total` that is one greater means that there are more. All are counted by default.',
    examples: [10_000],
  }),
});
