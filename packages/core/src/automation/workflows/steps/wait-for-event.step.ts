import { z } from 'zod';
import { eventName } from '../../../audience/events/events.schema.ts';
import { notGiven } from '../../../base/kernel/schemas.ts';
import { defineStep } from './step.rules.ts';

/** Waits until an event of the contact occurs, or until a timeout. */
export const waitForEventStep = defineStep({
  type: 'WAIT_FOR_EVENT',
  label: 'Wait for event',
  config: z.object({
    eventName: eventName.meta({ description: 'Event to wait for.', examples: ['signed_up'] }),
    timeout: notGiven(z.int().min(1).max(31_536_000)).meta({
      description: 'Longest time to wait, in seconds, up to 365 days. Without it the step waits for ever.',
      examples: [86_400],
    }),
  }),
  example: { eventName: 'order.paid', timeout: 86_400 },
  waysOut: {
    kind: 'outcomes',
    of: ({ timeout }) => (timeout === undefined ? ['EVENT'] : ['EVENT', 'TIMEOUT']),
  },
  reads: ({ eventName }) => [`event.${eventName}`],
  holdsTemplates: false,
});
