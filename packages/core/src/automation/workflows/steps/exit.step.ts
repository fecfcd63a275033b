import { z } from 'zod';
import { notGiven } from '../../../base/kernel/schemas.ts';
import { defineStep } from './step.rules.ts';

export const exitReason = z.string().trim().max(200);

/** Ends the execution. */
export const exitStep = defineStep({
  type: 'EXIT',
  label: 'Exit',
  config: z.object({
    reason: notGiven(exitReason).meta({
      description: 'Reason shown with the execution, at most 200 characters.',
      examples: ['not interested'],
    }),
  }),
  example: { reason: 'converted' },
  waysOut: { kind: 'none' },
  reads: () => [],
  holdsTemplates: false,
});
