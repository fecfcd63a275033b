import { eventName } from '../../../audience/events/events.schema.ts';
import { eventWhere } from '../../../audience/segments/event-where.schema.ts';
import type { WhereCondition } from '../../../audience/segments/filters.rules.ts';
import { notGiven } from '../../../base/kernel/schemas.ts';
import { defineTrigger, type TriggerConfig, textIn } from './trigger.rules.ts';

const eventsOf = (config: TriggerConfig): string[] => {
  const name = textIn(config, 'eventName');
  return name === undefined ? [] : [name];
};

/** What the data of the event must meet. */
export const whereOf = ({ where }: TriggerConfig): WhereCondition[] =>
  Array.isArray(where) ? (where as WhereCondition[]) : [];

/** Starts an execution when an event of a contact is stored. */
export const eventTrigger = defineTrigger({
  type: 'EVENT',
  label: 'Event',
  fields: {
    eventName: notGiven(eventName).meta({
      description: 'Event that starts an execution. Required by `EVENT`.',
      examples: ['signed_up'],
    }),
    where: notGiven(eventWhere).describe(
      'Only events of an `EVENT` trigger whose data meets all of these conditions, 1 to 10.',
    ),
  },
  needed: 'eventName',
  defaults: {},
  subject: (config) => textIn(config, 'eventName'),
  events: eventsOf,
  isScheduled: false,
  reads: (config) => eventsOf(config).map((name) => `event.${name}`),
});
