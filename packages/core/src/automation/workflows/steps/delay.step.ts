import { z } from 'zod';
import { defineStep } from './step.rules.ts';

export const delayUnits = ['minutes', 'hours', 'days'] as const;

type DelayUnit = (typeof delayUnits)[number];

const millisecondsOf = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
const yearInMs = 365 * millisecondsOf.days;

/** The length of a delay in milliseconds. */
export const delayMs = ({ amount, unit }: { amount: number; unit: DelayUnit }): number =>
  amount * millisecondsOf[unit];

/** Waits for a fixed time. */
export const delayStep = defineStep({
  type: 'DELAY',
  label: 'Delay',
  config: z
    .object({
      amount: z
        .int()
        .positive()
        .meta({ description: 'Number of units, at most 365 days in all.', examples: [3] }),
      unit: z.enum(delayUnits).describe('Unit of `amount`.'),
    })
    .refine((delay) => delayMs(delay) <= yearInMs, {
      path: ['amount'],
      params: { code: 'too_big' },
      message: 'At most 365 days',
    }),
  example: { amount: 3, unit: 'days' },
  waysOut: { kind: 'one' },
  reads: () => [],
  holdsTemplates: false,
});
