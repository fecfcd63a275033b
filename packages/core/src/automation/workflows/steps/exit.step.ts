import { z } from 'zod';
import { notGiven } from '../../../base/kernel/schemas.ts';
import { defineStep } from './step.rules.ts';

/** Characters of a reason, as configured and as shown. */
export const longestExitReason = 200;
export const exitReason = z.string().trim().max(longestExitReason);

/** Ends the execution. */
export const exitStep = defineStep({
  type: 'EXIT',
  label: 'Exit',
  config: z.object({
    reason: notGiven(exitReason).meta({
      description: 'Reason shown with the execution, at most 200 characters. It may contain variables.',
      examples: ['not interested'],
    }),
  }),
  example: { reason: 'converted' },
  waysOut: { kind: 'none' },
  reads: () => [],
  holdsTemplates: true,
});
