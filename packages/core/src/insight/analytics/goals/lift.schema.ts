import { z } from 'zod';
import { count } from '../analytics.schema.ts';

export const percent = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(100)
    .meta({ description: `${description} in percent, at most two decimals.`, examples: [example] });

/** The comparison of two groups between which a draw decides. @param words what is counted of each */
export const liftBetween = (words: Record<'recipients' | 'heldOut' | 'rate' | 'heldOutRate', string>) =>
  z.object({
    recipients: count(words.recipients, 900),
    heldOut: count(words.heldOut, 100),
    rate: percent(words.rate, 12.5),
    heldOutRate: percent(words.heldOutRate, 9.8),
    ratio: z
      .number()
      .nullable()
      .meta({
        description: 'The first rate divided by the second; null if none of those held out reached the goal.',
        examples: [1.28],
      }),
    low: z
      .number()
      .nullable()
      .meta({
        description:
          'Lower bound of the ratio. Both bounds hold at all times together with a probability of 95 %; null for no bound.',
        examples: [1.02],
      }),
    high: z
      .number()
      .nullable()
      .meta({ description: 'Upper bound of the ratio.', examples: [1.6] }),
    proven: z.boolean().describe('Whether a difference is proven.'),
  });
