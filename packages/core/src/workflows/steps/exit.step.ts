import { z } from 'zod';
import { notGiven } from '../../kernel/schemas.ts';
import { defineStep } from './step.rules.ts';

export const exitReason = z.string().trim().max(200);

/** Ends the execution. */
export const exitStep = defineStep({
  type: 'EXIT',
  label: 'Exit',
  config: z.object({ reason: notGiven(exitReason) }),
  example: { reason: 'converted' },
  waysOut: { kind: 'none' },
  reads: () => [],
  holdsTemplates: false,
});
