import { eventName } from '../../../audience/events/events.schema.ts';
import { notGiven } from '../../../base/kernel/schemas.ts';
import { defineTrigger, type TriggerConfig, textIn } from './trigger.rules.ts';

const eventsOf = (config: TriggerConfig): string[] => {
  const name = textIn(config, 'eventName');
  return name === undefined ? [] : [name];
};

/** Starts an execution when an event of a contact is stored. */
export const eventTrigger = defineTrigger({
  type: 'EVENT',
  label: 'Event',
  fields: {
    eventName: notGiven(eventName).meta({
      description: 'Event that starts an execution. Required by `EVENT`.',
      examples: ['signed_up'],
    }),
  },
  needed: 'eventName',
  defaults: {},
  subject: (config) => textIn(config, 'eventName'),
  events: eventsOf,
  isScheduled: false,
  reads: (config) => eventsOf(config).map((name) => `event.${name}`),
});
