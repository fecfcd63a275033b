import { z } from 'zod';
import { contactStatus, suppressionReason } from '../../audience/contacts/contacts.schema.ts';
import { filterTree } from '../../audience/segments/filters.schema.ts';
import { recipientType } from '../../automation/campaigns/campaigns.schema.ts';
import {
  campaignStatus,
  emailSource,
  jobOf,
  namedEnum,
  notGiven,
  optionalText,
  periodBound,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';
import { templateReference } from '../../content/templates/template-reference.schema.ts';
import { tagFilter } from '../../mail/sending/labels.schema.ts';
import { emailStatus } from '../../mail/sending/sending.schema.ts';

const exportType = namedEnum('ExportType', [
  'contacts',
  'emails',
  'events',
  'suppressions',
  'recipients',
  'audit',
  'consent',
  'topics',
  'campaigns',
  'links',
  'providers',
  'variants',
  'conversions',
]);
export type ExportType = z.output<typeof exportType>;

/** The types that a field restricts; the others refuse it instead of ignoring it. */
const usedBy = {
  filter: ['contacts'],
  segmentId: ['contacts'],
  campaignId: ['emails', 'recipients', 'links', 'providers', 'variants'],
  templateId: ['emails'],
  tag: ['emails'],
  search: ['contacts', 'emails', 'suppressions'],
  text: ['contacts'],
  status: ['contacts', 'emails', 'recipients', 'campaigns'],
  sourceType: ['emails'],
  reason: ['suppressions'],
  eventName: ['events'],
  contact: ['events', 'consent'],
  goalId: ['conversions'],
} as const satisfies Record<string, readonly ExportType[]>;

const names = Object.keys(usedBy) as (keyof typeof usedBy)[];

/** What `status` may be, by type: as in the filters of their lists. */
const statusesOf: Partial<Record<ExportType, readonly string[]>> = {
  contacts: contactStatus.options,
  emails: emailStatus.options,
  recipients: recipientType.options,
  campaigns: campaignStatus.options,
};

/** The fields without which a type is refused. */
const neededBy: Partial<Record<ExportType, 'campaignId' | 'goalId'>> = {
  recipients: 'campaignId',
  links: 'campaignId',
  providers: 'campaignId',
  variants: 'campaignId',
  conversions: 'goalId',
};

export const startExportInput = z
  .object({
    type: exportType.meta({ description: 'Which records.', examples: ['contacts'] }),
    filter: notGiven(filterTree).describe('Only contacts that match this filter tree. For `contacts`.'),
    segmentId: notGiven(uuid).describe('Only members of this segment. For `contacts`.'),
    campaignId: notGiven(uuid).describe(
      'Only emails of this campaign. For `emails`; required by `recipients`, `links`, `providers` and `variants`.',
    ),
    goalId: notGiven(uuid).describe('The conversions of this goal. Required by `conversions`.'),
    templateId: notGiven(templateReference).describe(
      'Only emails made from this template, given by its id or alias. For `emails`.',
    ),
    tag: tagFilter.meta({ description: 'Only emails with this tag. For `emails`.', examples: ['receipt'] }),
    search: optionalText(255).meta({
      description:
        'Part of the address, in any case; for `emails` of the address or the subject. For `contacts`, `emails` and `suppressions`.',
      examples: ['@example.com'],
    }),
    text: optionalText(255).meta({
      description: 'Part of the address or of the name, as in the list of contacts. For `contacts`.',
      examples: ['novak'],
    }),
    status: notGiven(z.string()).meta({
      description:
        'Only records in this state, as in the filter of their list. For `contacts` (`subscribed`), `emails` (`SENT`), `recipients` (`opened`) and `campaigns` (`SENT`).',
      examples: ['subscribed'],
    }),
    sourceType: notGiven(emailSource).describe('Only emails of this origin. For `emails`.'),
    reason: notGiven(suppressionReason).describe(
      'Only addresses suppressed for this reason. For `suppressions`.',
    ),
    eventName: notGiven(z.string().max(255)).meta({
      description: 'Only events of this name. For `events`.',
      examples: ['order.placed'],
    }),
    contact: notGiven(z.string().max(320)).meta({
      description:
        'Only events of the contact with this address, or consent acts about it. For `events` and `consent`.',
      examples: ['customer@example.com'],
    }),
    from: notGiven(periodBound).describe(
      'Only records created at or after this time, or from this day on; for `recipients`, those whose state changed then.',
    ),
    to: notGiven(periodBound).describe(
      'Only records created before this time, or until the end of this day; for `recipients`, those whose state changed then.',
    ),
  })
  .superRefine((input, ctx) => {
    const { type } = input;
    const complain = (field: string, code: string, message: string): void =>
      ctx.addIssue({ code: 'custom', params: { code }, path: [field], message });
    const needed = neededBy[type];
    if (needed && input[needed] === undefined) complain(needed, 'required', 'Required');
    for (const name of names) {
      const types: readonly ExportType[] = usedBy[name];
      if (input[name] !== undefined && !types.includes(type))
        complain(name, 'unsupported_field', `Only for exports of ${types.join(' and ')}`);
    }
    const statuses = statusesOf[type];
    if (input.status !== undefined && statuses && !statuses.includes(input.status))
      complain('status', 'invalid_enum_value', `Must be one of ${statuses.join(', ')}`);
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
