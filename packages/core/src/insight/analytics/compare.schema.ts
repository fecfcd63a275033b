import { z } from 'zod';
import { goalFigures } from '../../base/figures/email-figures.schema.ts';
import { isoDate, recordId, typeNames } from '../../base/kernel/schemas.ts';
import { campaignName, count } from './analytics.schema.ts';
import { figures } from './breakdown.schema.ts';

/** Campaigns that are compared at once. */
export const comparedCampaigns = { fewest: 2, most: 10 } as const;
const { fewest, most } = comparedCampaigns;
/** The last hour of a curve. */
export const lastHour = 72;

/** Separated by commas, as in other queries. */
const campaignIds = z
  .string()
  .transform((text) => [...new Set(text.split(',').map((id) => id.trim().toLowerCase()))])
  .refine((ids) => ids.every((id) => z.guid().safeParse(id).success), {
    params: { code: 'invalid_string' },
    message: 'Must be ids of campaigns, separated by commas',
  })
  .refine((ids) => ids.length >= fewest && ids.length <= most, {
    params: { code: 'custom' },
    message: `Give ${fewest} to ${most} campaigns`,
  })
  .meta({
    type: 'string',
    description: `Ids of ${fewest} to ${most} campaigns, separated by commas.`,
    examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90,0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a91'],
  });

export const compareCampaignsInput = z.object({ campaignIds });

const curvePoint = z
  .object({
    hour: z
      .int()
      .min(0)
      .max(lastHour)
      .meta({ description: 'The hour after `sentAt`, the first of which is 0.', examples: [0] }),
    opened: count('Emails opened for the first time in it.', 60),
    clicked: count('Emails clicked for the first time in it.', 20),
  })
  .register(typeNames, { name: 'CampaignCurvePoint' });

const comparedCampaign = z
  .object({
    id: recordId.describe('Id of the campaign.'),
    name: campaignName,
    sentAt: isoDate.nullable().describe('When sending started; null before.'),
    ...figures,
    converted: goalFigures.converted,
    value: goalFigures.value,
    curve: z
      .array(curvePoint)
      .describe(`The hours from \`sentAt\` on, up to now and at most ${lastHour + 1}; empty before sending.`),
  })
  .register(typeNames, { name: 'ComparedCampaign' });

export const campaignComparison = z
  .object({ data: z.array(comparedCampaign).describe('The campaigns in the order of the request.') })
  .register(typeNames, { name: 'CampaignComparison' });
