import { z } from 'zod';
import { contactShape } from '../contacts/contacts.schema.ts';
import {
  clearable,
  isoDate,
  namedEnum,
  notGiven,
  pageListOf,
  pageQuery,
  requiredText,
  typeNames,
  uuid,
} from '../kernel/schemas.ts';
import { type FilterTree, filterTree, readFilterTree } from './filters.schema.ts';

export const segmentType = namedEnum('SegmentType', ['DYNAMIC', 'STATIC']);

/** A segment as callers see it (behaviour B2.4). */
export const segmentRecord = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    type: segmentType,
    condition: z.unknown().describe('Filter tree; null for STATIC'),
    trackMembership: z.boolean(),
    memberCount: z.int().describe('Cached; recounted every 5 minutes'),
    failedReason: z
      .string()
      .nullable()
      .describe(
        '`computation_failed`: the segment cannot be computed, and its members are those of the last computation that succeeded. It is computed again every 5 minutes and when it changes',
      ),
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .register(typeNames, { name: 'Segment' });

const description = clearable(z.string().trim().max(500));

const condition = z
  .unknown()
  .optional()
  .describe(
    'Filter tree: {logic, groups: [{filters: [{field, operator, value, unit}], conditions}]}; ignored for STATIC',
  );

export const createSegmentInput = z
  .object({
    name: requiredText(100),
    description,
    type: notGiven(segmentType),
    condition,
    trackMembership: notGiven(z.boolean()).describe('Entries and exits emit events; default false'),
  })
  .transform(({ type = 'DYNAMIC', condition: given, ...input }, ctx) => {
    if (type === 'STATIC') return { ...input, type, condition: null };
    const { tree, issues } = readFilterTree(given);
    for (const { path, code, message, input: received } of issues) {
      const at = ['condition', ...path];
      ctx.issues.push({ code: 'custom', params: { code }, path: at, message, input: received });
    }
    return { ...input, type, condition: tree as FilterTree | null };
  });

/** `condition` stays raw here: whether it counts depends on the segment's type. */
export const updateSegmentInput = z.object({
  id: uuid,
  name: notGiven(requiredText(100)),
  description,
  condition,
  trackMembership: notGiven(z.boolean()),
});

export const segmentIdInput = z.object({ id: uuid });
export const listSegmentContactsInput = z.object({ id: uuid, ...pageQuery });
export const contactPage = pageListOf(contactShape);

const emails = z.array(z.string()).min(1).max(500).describe('What is no address is answered in `notFound`');

export const addMembersInput = z.object({
  id: uuid,
  emails,
  createMissing: notGiven(z.boolean()).describe('Creates contacts for unknown addresses; default false'),
  subscribed: notGiven(z.boolean()).describe('Of created contacts; default true'),
});

export const addedMembers = z
  .object({
    added: z.int().describe('Matched or created contacts, existing members included'),
    created: z.int(),
    notFound: z.array(z.string()).describe('In the spelling of the request'),
  })
  .register(typeNames, { name: 'AddedMembers' });

export const removeMembersInput = z.object({ id: uuid, emails });
export const removedMembers = z.object({ removed: z.int() }).register(typeNames, { name: 'RemovedMembers' });
export const computedSegment = z
  .object({ added: z.int(), removed: z.int(), total: z.int() })
  .register(typeNames, { name: 'ComputedSegment' });
export const refreshedSegment = z
  .object({ memberCount: z.int() })
  .register(typeNames, { name: 'RefreshedSegment' });

export const countFilterInput = z.object({ condition: filterTree });
export const filterCount = z.object({ count: z.int() });
