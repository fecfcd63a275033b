import { z } from 'zod';
import {
  campaignStatus,
  clearable,
  cursorListOf,
  cursorQuery,
  directionQuery,
  emailAddress,
  filterEnum,
  isoDate,
  namedEnum,
  notGiven,
  pageListOf,
  pageQuery,
  requiredEnum,
  requiredText,
  sortColumn,
  sortEnum,
  typeNames,
  uuid,
} from '../kernel/schemas.ts';
import { filterTree } from '../segments/filters.schema.ts';
import { emailContent, newContent } from '../templates/email-content.schema.ts';

export const audienceType = namedEnum('AudienceType', ['ALL', 'SEGMENT', 'FILTERED']);

const nullableDate = isoDate.nullable();

/** Counters of a campaign (B2.3): one email counts at most once in each. */
export const campaignCounters = {
  sentCount: z.int(),
  deliveredCount: z.int(),
  openedCount: z.int(),
  clickedCount: z.int(),
  bouncedCount: z.int(),
  complainedCount: z.int(),
  unsubscribedCount: z.int(),
  failedCount: z.int(),
  skippedCount: z.int(),
  uncertainCount: z.int(),
};

export const campaignRecord = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    ...emailContent.shape,
    status: campaignStatus,
    statusReason: z
      .string()
      .nullable()
      .describe(
        'Why the service cancelled it: `domain_unverified`, `project_disabled`, `start_failed` or `audience_failed`. While SENDING: `completion_failed` when it cannot be completed; that is tried again every minute',
      ),
    audienceType,
    audienceCondition: z.unknown().describe('Filter tree, or null'),
    segmentId: z.string().nullable(),
    templateId: z.string().nullable(),
    scheduledFor: nullableDate,
    totalRecipients: z.int(),
    ...campaignCounters,
    sentAt: nullableDate,
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .register(typeNames, { name: 'Campaign' });

export type CampaignRecord = z.output<typeof campaignRecord>;

export const campaignNameLimit = 200;

const campaignFields = {
  name: requiredText(campaignNameLimit),
  description: clearable(z.string().trim().max(500)),
  ...newContent,
  audienceType: requiredEnum(audienceType),
  segmentId: notGiven(uuid).describe('Required for SEGMENT'),
  audienceCondition: notGiven(filterTree).describe('Filter tree; required for FILTERED'),
  templateId: clearable(uuid),
};

/** An audience names what it is made of; said together with whatever else is wrong with a request. */
const requireAudience = [
  { audienceType: 'SEGMENT', field: 'segmentId' },
  { audienceType: 'FILTERED', field: 'audienceCondition' },
].map(({ audienceType, field }) =>
  z.refine<Record<string, unknown>>(
    (input) => input['audienceType'] !== audienceType || (input[field] ?? null) !== null,
    {
      params: { code: 'required' },
      message: 'Required',
      path: [field],
      when: ({ value }) => isRecord(value),
    },
  ),
);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** What a type of audience does not need is stored as null whatever it holds (behaviour B4.7), so it is not checked either. */
const unneeded: Record<string, readonly string[]> = {
  ALL: ['segmentId', 'audienceCondition'],
  SEGMENT: ['audienceCondition'],
  FILTERED: ['segmentId'],
};

const ignoringUnneeded = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((input: z.input<Schema>) => {
    if (!isRecord(input)) return input;
    const ignored = unneeded[String(input['audienceType'])] ?? [];
    return Object.fromEntries(Object.entries(input).filter(([field]) => !ignored.includes(field)));
  }, schema);

export const createCampaignInput = ignoringUnneeded(z.object(campaignFields).check(...requireAudience));

/** A full replacement: what is not given is cleared or takes its default. */
export const updateCampaignInput = ignoringUnneeded(
  z.object({ id: uuid, ...campaignFields }).check(...requireAudience),
);

export type CampaignInput = z.output<typeof createCampaignInput>;

export const campaignIdInput = z.object({ id: uuid });

export const listCampaignsInput = z.object({
  ...pageQuery,
  status: filterEnum('status', campaignStatus),
  search: notGiven(z.string().max(500)),
  sort: sortEnum(sortColumn, 'createdAt'),
  dir: directionQuery,
});

export const campaignPage = pageListOf(campaignRecord);

/** `scheduledFor` stays raw here: what does not parse is 400 and not 422 (behaviour B4.7). */
export const sendCampaignInput = z.object({
  id: uuid,
  scheduledFor: z.union([z.string(), z.number()]).nullish().or(z.unknown()),
});

export const sendCampaignOutput = z
  .object({
    id: z.string(),
    name: z.string(),
    status: campaignStatus,
    scheduledFor: nullableDate,
  })
  .register(typeNames, { name: 'SentCampaign' });

const rate = z.number().describe('Percent, at most two decimals');

export const campaignStats = z
  .object({
    totalRecipients: z.int(),
    ...campaignCounters,
    pendingCount: z.int(),
    skippedReasons: z.record(z.string(), z.int()),
    openRate: rate,
    clickRate: rate,
    bounceRate: rate,
    deliveryRate: rate,
    complaintRate: rate,
    unsubscribeRate: rate,
  })
  .register(typeNames, { name: 'CampaignStats' });

export const testCampaignInput = z.object({ id: uuid, email: emailAddress });

export const testCampaignOutput = z
  .object({ emailId: z.string(), to: z.string() })
  .register(typeNames, { name: 'TestEmail' });

export const campaignAudience = z
  .object({
    matched: z.int().describe('Whatever their subscription'),
    willSend: z.int(),
    skipped: z.object({ unsubscribed: z.int(), suppressed: z.int(), invalid: z.int() }),
  })
  .register(typeNames, { name: 'CampaignAudience' });

export const recipientType = namedEnum('CampaignRecipientType', [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'failed',
  'skipped',
  'uncertain',
]);

export const listRecipientsInput = z.object({
  id: uuid,
  ...cursorQuery,
  type: filterEnum('type', recipientType).describe(
    'Up to `complained` whoever got that far, then those with this status',
  ),
});

export const recipientList = cursorListOf(
  z
    .object({
      emailId: z.string(),
      contactId: z.string().nullable(),
      email: z.string(),
      status: z.string(),
      reason: z.string().nullable(),
      error: z.string().nullable(),
      occurredAt: isoDate,
    })
    .register(typeNames, { name: 'CampaignRecipient' }),
);

export const retryCampaignInput = z.object({
  id: uuid,
  statuses: z.array(namedEnum('RetryCampaignStatus', ['FAILED', 'UNCERTAIN'])).min(1),
});

export const retryCampaignOutput = z
  .object({ requeued: z.int() })
  .register(typeNames, { name: 'RetriedCampaign' });
