import { z } from 'zod';
import { type EmailFigure, type EmailRate, emailFigures, rateInWords } from './email-figures.rules.ts';

/** The field of a figure. */
export const figureCount = (figure: EmailFigure, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description: emailFigures[figure].counts, examples: [example] });

/** The field of a rate. */
export const figureRate = (rate: EmailRate | 'conversionRate', example: number) =>
  z
    .number()
    .min(0)
    .max(100)
    .meta({ description: `${rateInWords(rate).slice(0, -1)}; at most two decimals.`, examples: [example] });

/** Those of a goal: null for emails without one. */
export const goalFigures = {
  converted: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: `${emailFigures.converted.counts} Null without a goal.`, examples: [4] }),
  conversionRate: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .meta({
      description: `${rateInWords('conversionRate').slice(0, -1)}; null without a goal.`,
      examples: [4],
    }),
  value: z
    .number()
    .nullable()
    .meta({
      description: 'Sum of the values of their conversions; null without a goal that has one.',
      examples: [199.6],
    }),
};

export const deliveryReported = z.boolean().meta({
  description:
    'Whether deliveries of these emails are reported. Where they are not, as with plain SMTP, show what was accepted in the place of what was delivered.',
  examples: [true],
});
