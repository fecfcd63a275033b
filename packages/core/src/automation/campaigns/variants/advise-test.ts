import { z } from 'zod';
import { notGiven, projectIdOf, query, typeNames, uuid } from '../../../base/kernel/index.ts';
import { findCampaign } from '../campaigns.store.ts';
import { campaignNotFound } from '../get-campaign.ts';
import { detectableLift, neededPerVariant, sampleNeeded, usualRates } from './advice.rules.ts';
import { usualPercent } from './usual-percent.ts';
import { testMetric } from './variants.schema.ts';

const percent = (description: string, example: number) =>
  z
    .number()
    .nullable()
    .meta({ description, examples: [example] });

export const adviseTest = query({
  name: 'campaigns.adviseTest',
  summary: 'Says how many recipients a test needs, and what it can find with those that there are',
  permission: 'data:read',
  errors: ['CAMPAIGN_NOT_FOUND'],
  input: z.object({
    id: uuid.describe('Id of the campaign.'),
    lift: notGiven(z.number().min(1).max(500)).meta({
      description: 'The rise that is to be found, in percent of the rate. 1 to 500, default 20.',
      examples: [20],
    }),
    metric: notGiven(testMetric).meta({
      description: 'What is compared. Default what the test of the campaign compares, else `CLICKS`.',
      examples: ['CLICKS'],
    }),
    variants: notGiven(z.int().min(2).max(8)).meta({
      description:
        'How many are compared, A included. 2 to 8, default those of the test of the campaign, else 2.',
      examples: [2],
    }),
    hours: notGiven(z.int().min(1).max(336)).meta({
      description: 'How long. 1 to 336, default that of the test of the campaign, else 4.',
      examples: [4],
    }),
    sample: notGiven(z.int().min(1).max(100)).meta({
      description:
        'Percent of the audience that gets the variants, for what it can find. Default that of the test of the campaign, else 20.',
      examples: [20],
    }),
  }),
  output: z
    .object({
      audience: z
        .int()
        .min(0)
        .meta({ description: 'Recipients of the campaign, without those held out.', examples: [30_000] }),
      baseline: percent(
        'The usual rate within these hours in the last ten campaigns, in percent; null without any, when 3 is taken for clicks, 20 for opens and 1 for goals.',
        4,
      ),
      perVariant: z
        .int()
        .min(0)
        .nullable()
        .meta({
          description:
            'Recipients that each variant needs, so that 8 of 10 tests find the rise; null where the raised rate would exceed 100 percent.',
          examples: [7922],
        }),
      sampleNeeded: percent('Percent of the audience that they are; null where it has too few.', 53),
      detectableLift: percent(
        'The smallest rise that 8 of 10 tests would find with this audience and sample, in percent; null for none.',
        42.5,
      ),
      enough: z.boolean().meta({ description: 'Whether the sample is large enough.', examples: [false] }),
    })
    .register(typeNames, { name: 'CampaignTestAdvice' }),
  async handler(ctx, { id, lift = 20, ...asked }) {
    const projectId = projectIdOf(ctx);
    const campaign = await findCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    const { test, holdout, totalRecipients } = campaign;
    const metric = asked.metric ?? test?.metric ?? 'CLICKS';
    const variants = asked.variants ?? (test ? test.variants.length + 1 : 2);
    const hours = asked.hours ?? test?.hours ?? 4;
    const sample = asked.sample ?? test?.sample ?? 20;
    const baseline = await usualPercent(ctx.db, projectId, metric, hours);
    const audience = Math.floor(totalRecipients * (1 - holdout / 100));
    const sought = { baseline: baseline || usualRates[metric], variants };
    const perVariant = neededPerVariant({ ...sought, lift });
    const has = Math.floor((audience * sample) / 100 / variants);
    return {
      audience,
      baseline,
      perVariant,
      sampleNeeded: sampleNeeded(perVariant, variants, audience),
      detectableLift: detectableLift(has, sought),
      enough: perVariant !== null && has >= perVariant,
    };
  },
});
