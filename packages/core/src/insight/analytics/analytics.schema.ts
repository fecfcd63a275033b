import { z } from 'zod';
import { deliveryReported, figureCount, figureRate } from '../../base/figures/email-figures.schema.ts';
import {
  campaignStatus,
  clampedInt,
  instant,
  isoDate,
  namedEnum,
  notGiven,
  queryBoolean,
  recordId,
  timeZone,
  typeNames,
} from '../../base/kernel/schemas.ts';

export const granularity = namedEnum('AnalyticsGranularity', ['hour', 'day']);
export type Granularity = z.infer<typeof granularity>;

const campaignMetric = namedEnum('CampaignMetric', ['opens', 'clicks', 'sent']);
export type CampaignMetric = z.infer<typeof campaignMetric>;

/** Query of every analytics endpoint (behaviour B4.13). */
export const period = {
  from: notGiven(instant).describe(
    'Start of the period, at most 90 days before its end. Default 30 days before it.',
  ),
  to: notGiven(instant).describe('End of the period, itself not included. Default now.'),
  tz: notGiven(timeZone).describe('Time zone of the reader, by its IANA name. Default `UTC`.'),
};

export const compare = queryBoolean('compare').describe(
  'Whether to give the figures of the period of equal length before it as well. Default false.',
);

const most = (what: string) =>
  clampedInt(10, 1, 50).describe(`Number of ${what}, 1 to 50. Default 10; values out of range are clamped.`);

export const timeseriesInput = z.object({
  ...period,
  granularity: notGiven(granularity).describe(
    'Length of a bucket. Default `hour` for up to two days, else `day`.',
  ),
  compare,
});

export const topCampaignsInput = z.object({
  ...period,
  metric: notGiven(campaignMetric).describe('What to order by, most first. Default `opens`.'),
  limit: most('campaigns'),
});

export const campaignAnalyticsInput = z.object({ ...period, compare });

export const topEventsInput = z.object({ ...period, limit: most('names') });

export const count = (description: string, example = 42) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });

export const timeseriesBucket = z
  .object({
    bucket: z.string().meta({
      description: 'The hour or day in the time zone of the request: `2026-03-01T09:00`, `2026-03-01`.',
      examples: ['2026-03-01'],
    }),
    sent: count('Emails sent in it.', 103),
    delivered: count('Emails delivered in it.', 102),
    opened: count('Emails opened for the first time in it.', 60),
    clicked: count('Emails clicked for the first time in it.', 20),
    bounced: count('Emails that bounced in it.', 1),
    refused: count('Of these, those that were never sent, because the server refused them.', 0),
    complained: count('Emails reported as spam in it.', 0),
  })
  .register(typeNames, { name: 'TimeseriesBucket' });

const timeseriesTotals = z
  .object({
    sent: count('Emails sent.', 103),
    delivered: count('Emails delivered.', 102),
    opened: count('Emails opened for the first time.', 60),
    clicked: count('Emails clicked for the first time.', 20),
    bounced: count('Emails that bounced.', 1),
    refused: count('Of these, those that were never sent, because the server refused them.', 0),
    complained: count('Emails reported as spam.', 0),
  })
  .register(typeNames, { name: 'TimeseriesTotals' });

export const timeseries = z
  .object({
    granularity: granularity.describe('Length of a bucket.'),
    data: z.array(timeseriesBucket).describe('The buckets of the period, oldest first.'),
    totals: timeseriesTotals.optional().describe('The whole period; only with `compare`.'),
    previous: timeseriesTotals
      .optional()
      .describe('The period of equal length before it; only with `compare`.'),
  })
  .register(typeNames, { name: 'Timeseries' });

export const campaignName = z
  .string()
  .meta({ description: 'Name of the campaign.', examples: ['Spring offer'] });

const topCampaign = z
  .object({
    id: recordId.describe('Id of the campaign.'),
    name: campaignName,
    subject: z.string().meta({ description: 'Subject of the campaign.', examples: ['Spring is here'] }),
    sentCount: count('Emails sent.', 103),
    openedCount: count('Emails opened.', 60),
    clickedCount: count('Emails clicked.', 20),
    bouncedCount: count('Emails that bounced.', 1),
    openRate: figureRate('openRate', 58.25),
    clickRate: figureRate('clickRate', 19.42),
    sentAt: isoDate.describe('When sending started.'),
  })
  .register(typeNames, { name: 'TopCampaign' });

export const topCampaigns = z
  .object({ data: z.array(topCampaign).describe('The campaigns, highest figure first.') })
  .register(typeNames, { name: 'TopCampaigns' });

const campaignFigures = {
  sentCount: figureCount('sent', 103),
  acceptedCount: figureCount('accepted', 102),
  refusedCount: figureCount('refused', 0),
  deliveredCount: figureCount('delivered', 102),
  openedCount: figureCount('opened', 60),
  clickedCount: figureCount('clicked', 20),
  bouncedCount: figureCount('bounced', 1),
  complainedCount: figureCount('complained', 0),
  unsubscribedCount: figureCount('unsubscribed', 2),
  deliveryReported,
  openRate: figureRate('openRate', 58.25),
  clickRate: figureRate('clickRate', 19.42),
  clickToOpenRate: figureRate('clickToOpenRate', 33.33),
  bounceRate: figureRate('bounceRate', 0.97),
  acceptRate: figureRate('acceptRate', 99.03),
  deliveryRate: figureRate('deliveryRate', 99.03),
  complaintRate: figureRate('complaintRate', 0),
  unsubscribeRate: figureRate('unsubscribeRate', 1.94),
};

const analyzedCampaign = z
  .object({
    id: recordId.describe('Id of the campaign.'),
    name: campaignName,
    status: campaignStatus.describe('State of the campaign.'),
    sentAt: isoDate.describe('When sending started.'),
    totalRecipients: count('Number of recipients.', 103),
    ...campaignFigures,
  })
  .register(typeNames, { name: 'AnalyzedCampaign' });

const campaignTotals = { campaigns: count('Number of campaigns.', 3), ...campaignFigures };

export const campaignAnalytics = z
  .object({
    totals: z
      .object(campaignTotals)
      .register(typeNames, { name: 'CampaignTotals' })
      .describe('The figures of all campaigns of the period.'),
    previous: z
      .object(campaignTotals)
      .register(typeNames, { name: 'PreviousCampaignTotals' })
      .optional()
      .describe('The same of the period of equal length before it; only with `compare`.'),
    campaigns: z.array(analyzedCampaign).describe('The newest campaigns of the period, at most 100.'),
  })
  .register(typeNames, { name: 'CampaignAnalytics' });

export const topEvents = z
  .object({
    data: z
      .array(
        z
          .object({
            name: z.string().meta({ description: 'Name of the event.', examples: ['signed_up'] }),
            count: count('Number of events in the period.'),
          })
          .register(typeNames, { name: 'TopEvent' }),
      )
      .describe('The names, most frequent first.'),
  })
  .register(typeNames, { name: 'TopEvents' });
