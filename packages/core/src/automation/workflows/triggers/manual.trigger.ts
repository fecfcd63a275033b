import { defineTrigger } from './trigger.rules.ts';

/** Starts executions only on request. */
export const manualTrigger = defineTrigger({
  type: 'MANUAL',
  label: 'Manual',
  fields: {},
  needed: null,
  defaults: {},
  subject: () => 'manual',
  events: () => [],
  isScheduled: false,
  reads: () => [],
});
