import { z } from 'zod';
import {
  clearable,
  directionQuery,
  emailAddress,
  filterEnum,
  isoDate,
  notGiven,
  pageListOf,
  pageQuery,
  requiredText,
  sortEnum,
  uuid,
} from '../kernel/schemas.ts';

export const campaignStatuses = ['DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED'] as const;
export const emailClasses = ['TRANSACTIONAL', 'MARKETING', 'HEADLESS'] as const;

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

export const campaignRecord = z.object({
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  subject: z.string(),
  body: z.string(),
  from: z.string(),
  fromName: z.string().nullable(),
  replyTo: z.string().nullable(),
  type: z.enum(emailClasses),
  status: z.enum(campaignStatuses),
  statusReason: z.string().nullable(),
  audienceType: z.enum(['ALL', 'SEGMENT', 'FILTERED']),
  audienceCondition: z.unknown().describe('Filter tree, or null'),
  segmentId: z.string().nullable(),
  templateId: z.string().nullable(),
  scheduledFor: nullableDate,
  totalRecipients: z.int(),
  ...campaignCounters,
  sentAt: nullableDate,
  createdAt: isoDate,
  updatedAt: isoDate,
});

export type CampaignRecord = z.output<typeof campaignRecord>;

const singleLine = (text: string): boolean => !/[\r\n]/.test(text);

export const createCampaignInput = z.object({
  name: requiredText(200),
  description: clearable(z.string().trim().max(500)),
  subject: requiredText(998).refine(singleLine, {
    params: { code: 'invalid_string' },
    message: 'Must not contain a newline',
  }),
  body: requiredText(2_000_000).describe('HTML; `{{variable}}` placeholders are filled in per recipient'),
  from: emailAddress,
  fromName: clearable(z.string().trim().max(100)),
  replyTo: clearable(emailAddress),
  type: notGiven(z.enum(emailClasses)).transform((value) => value ?? 'MARKETING'),
  audienceType: z.enum(['ALL']),
  templateId: clearable(uuid),
});

export const campaignIdInput = z.object({ id: uuid });

export const listCampaignsInput = z.object({
  ...pageQuery,
  status: filterEnum('status', campaignStatuses),
  search: notGiven(z.string().max(500)),
  sort: sortEnum(['name', 'createdAt', 'updatedAt'], 'createdAt'),
  dir: directionQuery,
});

export const campaignPage = pageListOf(campaignRecord);

/** `scheduledFor` stays raw here: what does not parse is 400 and not 422 (api.md). */
export const sendCampaignInput = z.object({
  id: uuid,
  scheduledFor: z.union([z.string(), z.number()]).nullish().or(z.unknown()),
});

export const sendCampaignOutput = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(campaignStatuses),
  scheduledFor: nullableDate,
});

const rate = z.number().describe('Percent, at most two decimals');

export const campaignStats = z.object({
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
});
