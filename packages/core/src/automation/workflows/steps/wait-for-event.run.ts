import { findAwaitedEvent } from '../runtime/execution.store.ts';
import type { StepRun } from '../runtime/step-result.ts';
import type { StepConfigs } from './steps.schema.ts';

/**
 * A wait is recorded first; then events since its beginning are searched: an event stored in between is found here
 * or by the dispatcher, and the lock of the execution lets only one of them end the wait.
 */
export const waitForEventRun: StepRun<StepConfigs['WAIT_FOR_EVENT']> = {
  async run({ config: { eventName, timeout }, state, now }, { db, stepExecution }) {
    const parked = { kind: 'parked', stepStatus: 'WAITING', status: 'WAITING' } as const;
    if (stepExecution.status !== 'WAITING') {
      const until = timeout === undefined ? null : new Date(now + timeout * 1_000);
      return { ...parked, until, lookAgain: true };
    }
    const since = stepExecution.startedAt ?? state.startedAt;
    const event = await findAwaitedEvent(db, state, eventName, since);
    if (event) {
      const eventData = event.data ?? {};
      return {
        kind: 'completed',
        output: { waitOutcome: 'EVENT', eventName, eventData, receivedAt: event.createdAt.toISOString() },
        outcome: { waitOutcome: 'EVENT' },
        context: eventData,
        eventId: event.id,
      };
    }
    const until = stepExecution.scheduledFor;
    if (until === null || now < until.getTime()) return { ...parked, until };
    return {
      kind: 'completed',
      output: { waitOutcome: 'TIMEOUT', timedOut: true, eventName },
      outcome: { waitOutcome: 'TIMEOUT' },
    };
  },
};
