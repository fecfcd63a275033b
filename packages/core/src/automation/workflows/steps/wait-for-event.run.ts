import { awaitedEvents } from '../definitions/definition.rules.ts';
import type { FoundEvent } from '../runtime/find-events.store.ts';
import type { Visit } from '../runtime/member.ts';
import type { StepResult, StepRun } from '../runtime/step-run.ts';
import type { StepConfigs } from './steps.schema.ts';

/**
 * A set searches for the event and then parks. An event that is stored meanwhile is not missed: its dispatcher begins after its commit, waits
 * for the lock that the set holds, reads the execution as the set has left it, and wakes it.
 */
export const waitForEventRun: StepRun<StepConfigs['WAIT_FOR_EVENT']> = {
  async runSet(visits, { step, config, now }, tools) {
    const { timeout } = config;
    const endOf = ({ row }: Visit): Date | null => {
      if (row) return row.scheduledFor;
      return timeout === undefined ? null : new Date(now.getTime() + timeout * 1_000);
    };
    const names = awaitedEvents(step);
    const ends = visits.map(endOf);
    const found = await tools.search(
      visits.map(({ member }, index) => ({
        contactId: member.contact.id,
        names,
        since: member.anchor,
        until: ends[index] ?? null,
      })),
    );
    return ends.map((end, index) => resultOf(config, now, end, found[index] ?? null));
  },
};

function resultOf(
  { eventName }: StepConfigs['WAIT_FOR_EVENT'],
  now: Date,
  end: Date | null,
  event: FoundEvent | null,
): StepResult {
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
  return {
    kind: 'completed',
    output: { waitOutcome: 'TIMEOUT', timedOut: true, eventName },
    outcome: { waitOutcome: 'TIMEOUT' },
    anchor: { at: end, eventId: null },
  };
}
