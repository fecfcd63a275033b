import { z } from 'zod';
import { eventName } from '../../../audience/events/events.schema.ts';
import { eventWhere } from '../../../audience/segments/event-where.schema.ts';
import { eventWhereForm } from '../../../audience/segments/filter-forms.schema.ts';
import type { WhereCondition } from '../../../audience/segments/filters.rules.ts';
import { accepting, notGiven } from '../../../base/kernel/schemas.ts';
import { eventsAwaited } from '../awaited-events.rules.ts';
import { defineStep, hasTemplateTags } from './step.rules.ts';

export const mostAwaited = 10;

const variable = /^\{\{[^{}|]+\}\}$/;

/** Whether the value of a condition is that of a variable of the execution: one `{{ path }}` and nothing else. */
export const isVariable = (value: unknown): value is string =>
  typeof value === 'string' && variable.test(value.trim());

const variableProblem = ({ operator, value }: WhereCondition): string | null => {
  if (typeof value !== 'string' || !hasTemplateTags(value)) return null;
  if (operator !== 'equals') return 'A variable can only be compared by equals';
  return isVariable(value) ? null : 'Must be one {{ path }}, or text without variables';
};

const awaitedWhere = accepting(
  eventWhere.superRefine((where, ctx) => {
    for (const [index, condition] of where.entries()) {
      const message = variableProblem(condition);
      if (message === null) continue;
      const { value: input } = condition;
      ctx.addIssue({ code: 'custom', path: [index, 'value'], params: { code: 'custom' }, message, input });
    }
  }),
  eventWhereForm,
);

const awaitedEvent = z
  .object({
    eventName: eventName.meta({ description: 'Name of the event.', examples: ['order.paid'] }),
    where: notGiven(awaitedWhere).meta({
      description:
        'Only events whose data meets all of these conditions, 1 to 10. With the operator `equals` a `value` may be one `{{ path }}`, a variable of the execution, which is compared with its type; what is missing is equal to nothing.',
      examples: [[{ property: 'orderId', operator: 'equals', value: '{{event.orderId}}' }]],
    }),
  })
  .meta({ 'x-name': 'AwaitedEvent' });

const waitConfig = z
  .object({
    eventName: notGiven(eventName).meta({
      description: 'Event to wait for. Required without `events`.',
      examples: ['signed_up'],
    }),
    events: notGiven(z.array(awaitedEvent).min(1).max(mostAwaited)).describe(
      'Events to wait for, 1 to 10, of which the first that occurs ends the wait. In place of `eventName`.',
    ),
    timeout: notGiven(z.int().min(1).max(31_536_000)).meta({
      description: 'Longest time to wait, in seconds, up to 365 days. Without it the step waits for ever.',
      examples: [86_400],
    }),
  })
  .superRefine(({ eventName: name, events }, ctx) => {
    const refuse = (field: string, code: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [field], params: { code }, message });
    if (name === undefined && events === undefined) refuse('eventName', 'required', 'Required');
    if (name !== undefined && events !== undefined)
      refuse('events', 'custom', 'Either eventName or events, not both');
  });

/** Waits until one of some events of the contact occurs, or until a timeout. */
export const waitForEventStep = defineStep({
  type: 'WAIT_FOR_EVENT',
  label: 'Wait for event',
  config: waitConfig,
  example: { eventName: 'order.paid', timeout: 86_400 },
  waysOut: {
    kind: 'outcomes',
    of: ({ timeout }) => (timeout === undefined ? ['EVENT'] : ['EVENT', 'TIMEOUT']),
  },
  reads: (config) => [...new Set(eventsAwaited(config).map((event) => `event.${event.eventName}`))],
  holdsTemplates: true,
  texts: ({ events = [] }) => ({
    events: events.map(({ where = [] }) => ({
      where: where.map(({ value }) => (isVariable(value) ? { value } : {})),
    })),
  }),
});
