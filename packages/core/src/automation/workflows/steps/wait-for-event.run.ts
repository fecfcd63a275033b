import { eventsAwaited } from '../awaited-events.rules.ts';
import { awaitedEvents } from '../definitions/definition.rules.ts';
import type { EqualValue, EventConditions, FoundEvent } from '../runtime/find-events.store.ts';
import type { Visit } from '../runtime/member.ts';
import type { SetTools } from '../runtime/set-tools.ts';
import { againMs, type StepAt, type StepResult, type StepRun } from '../runtime/step-run.ts';
import type { StepConfigs } from './steps.schema.ts';
import { isVariable } from './wait-for-event.step.ts';

type Config = StepConfigs['WAIT_FOR_EVENT'];

/**
 * A set searches for the event and then parks. An event that is stored meanwhile is not missed: its dispatcher begins after its commit, waits
 * for the lock that the set holds, reads the execution as the set has left it, and wakes it.
 */
export const waitForEventRun: StepRun<Config> = {
  async runSet(visits, at, tools) {
    const { step, config, now } = at;
    const { timeout } = config;
    const endOf = ({ row }: Visit): Date | null => {
      if (row) return row.scheduledFor;
      return timeout === undefined ? null : new Date(now.getTime() + timeout * 1_000);
    };
    const names = awaitedEvents(step);
    const { conditions, variables } = conditionsOf(at);
    const waiting = visits.map((visit) => ({ visit, values: valuesOf(visit, variables, tools) }));
    const searched = waiting.filter(({ values }) => values !== null);
    const found = await tools.search(
      searched.map(({ visit, values }) => ({
        contactId: visit.member.contact.id,
        names,
        since: visit.member.anchor,
        until: endOf(visit),
        ...(values && variables.size > 0 && { values }),
      })),
      conditions,
    );
    const events = new Map(searched.map(({ visit }, index) => [visit, found[index] ?? null]));
    return waiting.map(({ visit, values }) =>
      values === null
        ? { kind: 'left', afterMs: againMs.texts }
        : resultOf(config, now, endOf(visit), events.get(visit) ?? null),
    );
  },
};

/** What the events must meet, and the variables that they are compared with, by the names of their values. */
function conditionsOf({ config, now, project }: StepAt<Config>): {
  conditions: EventConditions | undefined;
  variables: Map<string, string>;
} {
  const variables = new Map<string, string>();
  const events = eventsAwaited(config).map(({ eventName, where = [] }, event) => ({
    eventName,
    where: where.map((condition, index) => {
      const { property, value } = condition;
      if (!isVariable(value)) return condition;
      const equalToValue = `${event}.${index}`;
      variables.set(equalToValue, value);
      return { property, equalToValue } satisfies EqualValue;
    }),
  }));
  const isConditional = events.some(({ where }) => where.length > 0);
  return {
    conditions: isConditional ? { events, clock: { now, timeZone: project.timeZone } } : undefined,
    variables,
  };
}

/** The values of variables for an execution, with their types; null when a thread has to fill them in. */
function valuesOf(
  visit: Visit,
  variables: ReadonlyMap<string, string>,
  tools: SetTools,
): Record<string, unknown> | null {
  if (variables.size === 0) return {};
  const filled = tools.fill(visit, { values: Object.fromEntries(variables), keepsTypes: true });
  if (!filled) return null;
  // Their syntax was checked when they were saved; what cannot be filled in has no value.
  const values = 'problem' in filled ? {} : (filled.texts.values as Record<string, unknown>);
  // A missing variable is equal to nothing, also not to an empty text.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ''));
}

function resultOf(config: Config, now: Date, end: Date | null, event: FoundEvent | null): StepResult {
  if (event) {
    const eventData = event.data ?? {};
    return {
      kind: 'completed',
      output: {
        waitOutcome: 'EVENT',
        eventName: event.name,
        eventData,
        receivedAt: event.createdAt.toISOString(),
      },
      outcome: { waitOutcome: 'EVENT' },
      context: eventData,
      eventId: event.id,
      anchor: { at: event.createdAt, eventId: event.id },
    };
  }
  if (end === null || now < end)
    return { kind: 'parked', stepStatus: 'WAITING', status: 'WAITING', until: end };
  const { eventName } = config;
  const awaited = eventName === undefined ? { eventNames: namesOf(config) } : { eventName };
  return {
    kind: 'completed',
    output: { waitOutcome: 'TIMEOUT', timedOut: true, ...awaited },
    outcome: { waitOutcome: 'TIMEOUT' },
    anchor: { at: end, eventId: null },
  };
}

const namesOf = (config: Config): string[] => [
  ...new Set(eventsAwaited(config).map(({ eventName }) => eventName)),
];
