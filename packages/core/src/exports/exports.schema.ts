import { z } from 'zod';
import { instant, jobOf, namedEnum, notGiven, typeNames, uuid } from '../kernel/schemas.ts';
import { filterTree } from '../segments/filters.schema.ts';

const exportType = namedEnum('ExportType', [
  'contacts',
  'emails',
  'events',
  'suppressions',
  'recipients',
  'audit',
]);
export type ExportType = z.output<typeof exportType>;

/** The types that a field restricts; the others refuse it instead of ignoring it. */
const usedBy = {
  filter: ['contacts'],
  segmentId: ['contacts'],
  campaignId: ['emails', 'recipients'],
} as const satisfies Record<string, readonly ExportType[]>;

const names = ['filter', 'segmentId', 'campaignId'] as const;

export const startExportInput = z
  .object({
    type: exportType.meta({ description: 'Which records.', examples: ['contacts'] }),
    filter: notGiven(filterTree).describe('Only contacts that match this filter tree. For `contacts`.'),
    segmentId: notGiven(uuid).describe('Only members of this segment. For `contacts`.'),
    campaignId: notGiven(uuid).describe(
      'Only emails of this campaign. For `emails`; required by `recipients`.',
    ),
    from: notGiven(instant).describe(
      'Only records created at or after this time; for `recipients`, those whose state changed then.',
    ),
    to: notGiven(instant).describe(
      'Only records created before this time; for `recipients`, those whose state changed before it.',
    ),
  })
  .superRefine((input, ctx) => {
    const { type, from, to } = input;
    const complain = (field: string, code: string, message: string): void =>
      ctx.addIssue({ code: 'custom', params: { code }, path: [field], message });
    if (type === 'recipients' && input.campaignId === undefined)
      complain('campaignId', 'required', 'Required');
    for (const name of names) {
      const types: readonly ExportType[] = usedBy[name];
      if (input[name] !== undefined && !types.includes(type))
        complain(name, 'unsupported_field', `Only for exports of ${types.join(' and ')}`);
    }
    if (from && to && from > to) complain('to', 'invalid_range', 'Must not be before from');
  });

export const exportJobInput = z.object({
  jobId: z.string().meta({
    description: 'Id of the export, from the reply that started it.',
    format: 'uuid',
  }),
});

export const exportJob = jobOf(
  z.object({
    rows: z
      .int()
      .min(0)
      .meta({ description: 'Rows of the file, without the header.', examples: [120] }),
  }),
).register(typeNames, { name: 'ExportJob' });
