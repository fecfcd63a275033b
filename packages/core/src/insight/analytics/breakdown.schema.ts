import { z } from 'zod';
import { variantFigures } from '../../automation/campaigns/campaigns.schema.ts';
import { deliveryReported, figureCount, figureRate } from '../../base/figures/email-figures.schema.ts';
import {
  campaignStatus,
  clampedInt,
  isoDate,
  namedEnum,
  notGiven,
  recordId,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';
import { templateReference } from '../../content/templates/template-reference.schema.ts';
import { personalDevices } from '../../mail/tracking/client-names.rules.ts';
import { compare, count, period, timeseriesBucket } from './analytics.schema.ts';
import { liftBetween } from './goals/lift.schema.ts';

/** What emails can be broken down by. */
export const breakdownBy = namedEnum('BreakdownBy', [
  'template',
  'step',
  'domain',
  'provider',
  'tag',
  'diagnosis',
  'campaign',
  'variant',
]);
export type BreakdownBy = z.infer<typeof breakdownBy>;

export const breakdownInput = z
  .object({
    by: breakdownBy.describe('What to break the emails down by.'),
    ...period,
    compare,
    workflowId: notGiven(uuid).describe('Only steps of this workflow; with `by=step`.'),
    campaignId: notGiven(uuid).describe(
      'The campaign whose variants are compared; required by `by=variant`, which counts all that its emails did, whenever.',
    ),
    limit: clampedInt(20, 1, 100).describe(
      'Number of rows, 1 to 100. Default 20; values out of range are clamped.',
    ),
  })
  .superRefine(({ by, campaignId }, ctx) => {
    if ((by === 'variant') === (campaignId !== undefined)) return;
    const [code, message] =
      by === 'variant'
        ? ['required', 'Required with by=variant']
        : ['unsupported_field', 'Only with by=variant'];
    ctx.addIssue({ code: 'custom', path: ['campaignId'], params: { code }, message });
  });

export const figures = {
  sent: figureCount('sent', 103),
  accepted: figureCount('accepted', 102),
  refused: figureCount('refused', 0),
  delivered: figureCount('delivered', 102),
  opened: figureCount('opened', 60),
  clicked: figureCount('clicked', 20),
  bounced: figureCount('bounced', 1),
  complained: figureCount('complained', 0),
  unsubscribed: figureCount('unsubscribed', 2),
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

const breakdownFigures = z
  .object({
    ...figures,
    failed: count('Emails that failed; with `by=diagnosis` only.', 3).optional(),
  })
  .register(typeNames, { name: 'BreakdownFigures' });

const keyExample = { examples: ['google'] };
const breakdownKey = z.string().meta({
  description:
    'Id of the template, campaign or workflow step, name of the sender domain, variant (`A` to `H`, `REST` for those who get the winner), mailbox provider such as `google`, `microsoft`, `yahoo`, `apple` (`other` for those that are not known), tag (`(other)` for those after the first 200 of the project; an email with several tags counts under each), or class of the diagnosis.',
  ...keyExample,
});

const breakdownRow = z
  .object({
    key: breakdownKey,
    name: z
      .string()
      .nullable()
      .meta({
        description:
          'Name of the template, campaign or step, null once it is deleted; the key itself otherwise.',
        examples: ['Google'],
      }),
    workflow: z
      .object({
        id: recordId.describe('Id of the workflow.'),
        name: z.string().meta({ description: 'Name of the workflow.', examples: ['Welcome'] }),
      })
      .register(typeNames, { name: 'BreakdownWorkflow' })
      .nullable()
      .describe('The workflow of a step; null for anything else.'),
    ...figures,
    failed: count(
      'Emails that failed, at the time of their refusal; with `by=diagnosis` only.',
      3,
    ).optional(),
    previous: breakdownFigures
      .optional()
      .describe('The period of equal length before it; only with `compare`.'),
  })
  .register(typeNames, { name: 'BreakdownRow' });

export const breakdown = z
  .object({
    by: breakdownBy.describe('What the emails are broken down by.'),
    data: z
      .array(breakdownRow)
      .describe('The rows, most emails sent first; with `by=diagnosis`, most that failed or bounced.'),
  })
  .register(typeNames, { name: 'Breakdown' });

/** Who a program acts for: people, mail services that load images on behalf of their users, or nobody. */
export const audienceKind = namedEnum('ClientKind', ['person', 'proxy', 'machine']);

const clientRow = z
  .object({
    client: z.string().meta({
      description: 'The mail program, browser or proxy; `Other` if it is not known.',
      examples: ['Apple Mail'],
    }),
    kind: audienceKind.describe(
      '`person`; `proxy`: a mail service that loads images on behalf of its users; `machine`: a prefetcher, scanner or crawler.',
    ),
    opens: count('Opens, repeated ones included.', 60),
    clicks: count('Clicks, repeated ones included.', 20),
  })
  .register(typeNames, { name: 'ClientRow' });

const deviceRow = z
  .object({
    device: namedEnum('DeviceKind', personalDevices).describe('Kind of device.'),
    opens: count('Opens by people, repeated ones included.', 60),
    clicks: count('Clicks by people, repeated ones included.', 20),
  })
  .register(typeNames, { name: 'DeviceRow' });

const clientParts = {
  clients: z.array(clientRow).describe('The programs, most opens and clicks first.'),
  devices: z
    .array(deviceRow)
    .describe('The kinds of devices of people, most opens and clicks first; proxies and machines have none.'),
};

export const clientsInput = z.object(period);

export const clientFigures = z.object(clientParts).register(typeNames, { name: 'ClientFigures' });

export const linksInput = z
  .object({
    campaignId: notGiven(uuid).describe('The links of this campaign.'),
    templateId: notGiven(templateReference).describe(
      'The links of the emails of this template, given by its id or alias.',
    ),
    stepId: notGiven(uuid).describe('The links of the emails of this workflow step.'),
    limit: clampedInt(50, 1, 200).describe(
      'Number of links, 1 to 200. Default 50; values out of range are clamped.',
    ),
  })
  .superRefine(({ campaignId, templateId, stepId }, ctx) => {
    const given = [campaignId, templateId, stepId].filter((id) => id !== undefined).length;
    if (given === 1) return;
    ctx.addIssue({
      code: 'custom',
      path: ['campaignId'],
      params: { code: given === 0 ? 'required' : 'custom' },
      message: 'Give one of campaignId, templateId and stepId',
    });
  });

const linkRow = z
  .object({
    url: z
      .string()
      .nullable()
      .meta({
        description: 'The original link; null for all links after the first 1,000, together.',
        examples: ['https://example.com/spring'],
      }),
    clicks: count('Clicks by people, repeated ones included.', 25),
    clickers: count('Emails in which it was clicked.', 20),
  })
  .register(typeNames, { name: 'LinkRow' });

export const links = z
  .object({ data: z.array(linkRow).describe('The links, most clicks first.') })
  .register(typeNames, { name: 'Links' });

export const contactGrowthInput = z.object({ ...period, compare });

const growthFigures = {
  created: count('Contacts created.', 12),
  removed: count('Contacts deleted.', 1),
  unsubscribed: count('Contacts unsubscribed, for any reason.', 3),
  resubscribed: count('Contacts subscribed again.', 0),
};

export const contactGrowth = z
  .object({
    data: z
      .array(
        z
          .object({
            bucket: z
              .string()
              .meta({ description: 'The day in the time zone of the request.', examples: ['2026-03-01'] }),
            ...growthFigures,
            total: count('Contacts at the end of the day, or of the period.', 1_250),
          })
          .register(typeNames, { name: 'GrowthDay' }),
      )
      .describe('The days of the period, oldest first, also those without any change.'),
    totals: z
      .object(growthFigures)
      .register(typeNames, { name: 'GrowthTotals' })
      .describe('The whole period.'),
    previous: z
      .object(growthFigures)
      .register(typeNames, { name: 'PreviousGrowth' })
      .optional()
      .describe('The period of equal length before it; only with `compare`.'),
  })
  .register(typeNames, { name: 'ContactGrowth' });

export const campaignReportInput = z.object({
  id: uuid.describe('Id of the campaign.'),
  tz: period.tz,
});

const reportBucket = timeseriesBucket
  .omit({ refused: true })
  .extend({ unsubscribed: count('Opt-outs by its links in it.', 2) })
  .register(typeNames, { name: 'ReportBucket' });

const providerRow = z
  .object({ provider: z.string().meta({ description: 'Mailbox provider.', ...keyExample }), ...figures })
  .register(typeNames, { name: 'ProviderRow' });

const amount = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description} Null for a goal without a value.`, examples: [1240.5] });

const campaignGoal = z
  .object({
    id: recordId.describe('Id of the goal.'),
    name: z.string().meta({ description: 'Name of the goal.', examples: ['Purchase'] }),
    currency: z
      .string()
      .nullable()
      .meta({ description: 'Currency of the values; null for a goal without a value.', examples: ['EUR'] }),
    converted: figureCount('converted', 4),
    conversionRate: figureRate('conversionRate', 4),
    value: amount('Sum of the values of their conversions.'),
    credited: count('Conversions that are credited to its emails, whenever they were.', 3),
    creditedValue: amount('Sum of the values of those.'),
  })
  .register(typeNames, { name: 'CampaignGoalFigures' });

const campaignLift = liftBetween({
  recipients: 'Emails that were sent.',
  heldOut: 'Emails that were held out.',
  rate: 'Of those that were sent, those whose contact reached the goal',
  heldOutRate: 'Of those that were held out, those whose contact reached the goal',
}).register(typeNames, { name: 'CampaignLift' });

export const campaignReport = z
  .object({
    id: recordId.describe('Id of the campaign.'),
    name: z.string().meta({ description: 'Name of the campaign.', examples: ['Spring offer'] }),
    subject: z.string().meta({ description: 'Subject of the campaign.', examples: ['Spring is here'] }),
    status: campaignStatus.describe('State of the campaign.'),
    sentAt: isoDate.nullable().describe('When sending started; null before.'),
    finishedAt: isoDate
      .nullable()
      .describe('When the last recipient was settled; null before, and for a cancelled campaign.'),
    totalRecipients: count('Number of recipients.', 103),
    ...figures,
    hours: z
      .array(reportBucket)
      .describe('The first 72 hours after `sentAt`, up to now, by hours; empty before sending.'),
    days: z
      .array(reportBucket)
      .describe('What followed, up to now and at most 90 days after `sentAt`, by days.'),
    links: z.array(linkRow).describe('The 100 links with the most clicks.'),
    ...clientParts,
    providers: z.array(providerRow).describe('Mailbox providers, most emails sent first.'),
    machine: z
      .object({
        opens: count('Opens by machines.', 12),
        clicks: count('Clicks by machines.', 3),
      })
      .register(typeNames, { name: 'MachineFigures' })
      .describe('What prefetchers, scanners and crawlers did, which counts for no other figure.'),
    goal: campaignGoal.nullable().describe('What its emails have led to; null without a goal.'),
    variants: z
      .array(variantFigures)
      .describe('What each variant of its test did, and the rest; empty without a test.'),
    lift: campaignLift
      .nullable()
      .describe('What its email changes, by its holdout; null without a goal or a holdout.'),
  })
  .register(typeNames, { name: 'CampaignReport' });
