import { z } from 'zod';
import {
  accepting,
  clearable,
  isoDate,
  namedEnum,
  notGiven,
  pageListOf,
  pageQuery,
  recordId,
  references,
  referrer,
  requiredName,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';
import { contactShape } from '../contacts/contacts.schema.ts';
import { filterTreeForm } from './filter-forms.schema.ts';
import { type FilterTree, filterTree, readFilterTree, storedFilterTree } from './filters.schema.ts';
import { isSlug } from './segments.rules.ts';

export const segmentType = namedEnum('SegmentType', ['DYNAMIC', 'STATIC']);

const count = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });

const segmentId = uuid.describe('Id of the segment.');

/** A segment as callers see it (behaviour B2.4). */
export const segmentRecord = z
  .object({
    id: recordId.describe('Id of the segment.'),
    projectId: recordId.describe('Id of the project.'),
    name: z.string().meta({ description: 'Name of the segment.', examples: ['Trial users'] }),
    slug: z.string().meta({
      description:
        'Its name in those of its events, `segment.<slug>.entry` and `segment.<slug>.exit`. Made from the first name, unique in the project.',
      examples: ['trial-users'],
    }),
    description: z
      .string()
      .nullable()
      .meta({ description: 'Description for the team.', examples: ['Everyone in the 14 days of trial'] }),
    type: segmentType.describe(
      '`DYNAMIC`: contacts that match the condition. `STATIC`: contacts added by hand.',
    ),
    condition: storedFilterTree.describe('Filter tree of a DYNAMIC segment; null for STATIC.'),
    trackMembership: z.boolean().describe('Whether entries and exits emit events.'),
    memberCount: count(
      'Number of members. A dynamic segment that is not tracked is recounted every 5 minutes, or less often while counting takes long.',
      87,
    ),
    failedReason: z
      .string()
      .nullable()
      .meta({
        description:
          '`computation_failed`: the segment cannot be computed, and its members are those of the last computation that succeeded. It is computed again every 5 minutes and when it changes. Otherwise null.',
        examples: [null],
      }),
    createdAt: isoDate.describe('When the segment was created.'),
    updatedAt: isoDate.describe('When the segment last changed.'),
  })
  .describe('A segment.')
  .register(typeNames, { name: 'Segment' });

const name = requiredName(100).meta({
  description:
    'Name of the segment, 1 to 100 characters. Its slug, which is part of the names of its events, is made from it.',
  examples: ['Trial users'],
});

const description = clearable(z.string().trim().max(500)).meta({
  description: 'Description for the team, at most 500 characters.',
  examples: ['Everyone in the 14 days of trial'],
});

const trackMembership = notGiven(z.boolean()).describe(
  'Whether entries and exits emit events. Default false.',
);

const conditionText = 'Filter tree: which contacts belong to a DYNAMIC segment.';

const condition = accepting(z.unknown(), filterTreeForm.nullable())
  .optional()
  .describe(`${conditionText} Ignored for STATIC.`);

const common = { name, description, trackMembership };

const createForms = z.xor([
  z
    .object({
      ...common,
      type: z.literal('DYNAMIC').nullish().describe('`DYNAMIC`, which is the default.'),
      condition: filterTree.describe(conditionText),
    })
    .meta({ title: 'Dynamic segment' }),
  z
    .object({
      ...common,
      type: z.literal('STATIC').describe('`STATIC`: contacts are added by hand.'),
    })
    .meta({ title: 'Static segment' }),
]);

const createSegment = z
  .object({
    ...common,
    type: notGiven(segmentType).describe(
      '`DYNAMIC` for contacts that match the condition, `STATIC` for contacts added by hand. Default `DYNAMIC`.',
    ),
    condition,
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

export const createSegmentInput = accepting(createSegment, createForms);

export type SegmentInput = z.output<typeof createSegmentInput>;

const slug = notGiven(
  z
    .string()
    .max(100)
    .refine(isSlug, {
      params: { code: 'invalid_format' },
      error: 'Letters, digits, `_` and single hyphens, without capitals, blanks and hyphens at its ends',
    }),
).meta({
  description:
    'New slug, in the form of one: letters and digits of any script, `_` and single hyphens, no capitals. Refused while something refers to an event of the segment.',
  examples: ['trial-users'],
});

/** `condition` stays raw here: whether it counts depends on the segment's type. */
export const updateSegmentInput = z.object({
  id: segmentId,
  name: notGiven(name).meta({
    description: 'New name, 1 to 100 characters. It does not change the slug.',
    examples: ['Trial users'],
  }),
  slug,
  description,
  condition,
  trackMembership: notGiven(z.boolean()).describe('Whether entries and exits emit events.'),
});

export const segmentIdInput = z.object({ id: segmentId });
export const listSegmentContactsInput = z.object({ id: segmentId, ...pageQuery });
export const contactPage = pageListOf(contactShape);

const emails = z
  .array(z.string())
  .min(1)
  .max(500)
  .meta({ description: 'Addresses of contacts, 1 to 500.', examples: [['customer@example.com']] });

export const addMembersInput = z.object({
  id: segmentId,
  emails,
  createMissing: notGiven(z.boolean()).describe(
    'Whether to create contacts for unknown addresses. Default false.',
  ),
  subscribed: notGiven(z.boolean()).describe('Whether created contacts are subscribed. Default true.'),
});

export const addMatchingInput = z.object({
  id: segmentId,
  condition: filterTree.describe('Filter tree: the contacts that match while the job runs are added.'),
});

export const addedMembers = z
  .object({
    added: count('Contacts found or created, existing members included.', 2),
    created: count('Contacts created.', 1),
    notFound: z.array(z.string()).meta({
      description: 'Addresses without a contact and malformed ones, spelled as in the request.',
      examples: [['unknown@example.com']],
    }),
  })
  .register(typeNames, { name: 'AddedMembers' });

export const removeMembersInput = z.object({ id: segmentId, emails });
export const removedMembers = z
  .object({ removed: count('Members removed.', 1) })
  .register(typeNames, { name: 'RemovedMembers' });
export const computedSegment = z
  .object({
    added: count('Contacts that entered by this call.', 3),
    removed: count('Contacts that left by this call.', 1),
    total: count('Members afterwards.', 87),
  })
  .register(typeNames, { name: 'ComputedSegment' });
export const refreshedSegment = z
  .object({ memberCount: count('Number of members now.', 87) })
  .register(typeNames, { name: 'RefreshedSegment' });

export const segmentUsage = z
  .object({
    ...references,
    usedInGoals: z.array(referrer).describe('Goals that count one of its events.'),
    usedInWebhookEndpoints: z.array(referrer).describe('Webhook endpoints that receive one of its events.'),
    canDelete: z.boolean().describe('Whether nothing refers to the segment or its events.'),
  })
  .register(typeNames, { name: 'SegmentUsage' });

export const countFilterInput = z.object({ condition: filterTree.describe('Filter tree to count.') });
export const filterCount = z.object({ count: count('Number of contacts that match.', 87) });
