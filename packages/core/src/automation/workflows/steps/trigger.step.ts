import { z } from 'zod';
import { eventName } from '../../../audience/events/events.schema.ts';
import { notGiven } from '../../../base/kernel/schemas.ts';
import { defineStep } from './step.rules.ts';

/** The start of executions. Its configuration is derived from the trigger of the workflow. */
export const triggerStep = defineStep({
  type: 'TRIGGER',
  label: 'Trigger',
  config: z.object({ eventName: notGiven(eventName) }),
  example: { eventName: 'signed_up' },
  waysOut: { kind: 'one' },
  reads: () => [],
  holdsTemplates: false,
});
