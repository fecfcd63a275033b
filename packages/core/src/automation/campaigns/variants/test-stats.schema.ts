import { z } from 'zod';
import { namedEnum, typeNames } from '../../../base/kernel/schemas.ts';
import { variantKeys } from './variants.rules.ts';
import { testMetric, testProgress, variantKey } from './variants.schema.ts';

const count = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });
const rate = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .meta({ description, examples: [example] });
const bound = (description: string, example: number) =>
  z
    .number()
    .nullable()
    .meta({ description, examples: [example] });

export const variantFigures = z
  .object({
    key: namedEnum('CampaignPartKey', [...variantKeys, 'REST']).meta({
      description: 'The variant; `REST` for those that get the winner.',
      examples: ['A'],
    }),
    recipients: count('Its emails, skipped ones included.', 500),
    sent: count('Emails that were sent.', 498),
    delivered: count('Emails that were delivered.', 490),
    opened: count('Emails that were opened.', 200),
    clicked: count('Emails that were clicked.', 41),
    bounced: count('Emails that bounced.', 1),
    refused: count('Of these, those that the server refused, and that were not sent.', 0),
    complained: count('Emails that led to a complaint.', 0),
    unsubscribed: count('Emails that led to an opt-out.', 1),
    accepted: count('Emails that a mail server took, and that did not come back.', 497),
    converted: count('Recipients that reached the goal of the campaign; null without one.', 12).nullable(),
    value: rate(
      'Sum of their values, those above the 99.9th percentile cut to it; null without a goal.',
      480,
    ).nullable(),
    openRate: rate('Emails opened in percent of the emails sent.', 40.16),
    clickRate: rate('Emails clicked in percent of the emails sent.', 8.23),
    unsubscribeRate: rate('Opt-outs in percent of the emails sent.', 0.2),
    bounceRate: rate('Bounces in percent of the emails that were sent or bounced.', 0.2),
    conversionRate: rate(
      'Recipients that reached the goal in percent of the emails sent; null without one.',
      2.41,
    ).nullable(),
  })
  .register(typeNames, { name: 'CampaignVariantFigures' });

const pair = z
  .object({
    key: variantKey.describe('The variant that is ahead.'),
    against: variantKey.describe('The one that it is compared with.'),
    ratio: bound('Its rate as a multiple of the other one; null where that is 0.', 1.25),
    low: bound(
      'Lower bound of the ratio. Both bounds hold at all times together with a probability of 95 %; null for none.',
      0.96,
    ),
    high: bound('Upper bound of the ratio; null for none.', 1.63),
    proven: z.boolean().meta({
      description:
        'Whether the difference is shown by the evidence so far, which may be looked at at any time.',
      examples: [false],
    }),
  })
  .register(typeNames, { name: 'CampaignVariantPair' });

export const testStats = z
  .object({
    metric: testMetric.describe('By what the winner is found.'),
    ...testProgress,
    variants: z.array(variantFigures).describe('What each variant did, and the rest.'),
    pairs: z
      .array(pair)
      .describe('The variant that is ahead against every other one; empty until something was sent.'),
  })
  .register(typeNames, { name: 'CampaignTestStats' });
