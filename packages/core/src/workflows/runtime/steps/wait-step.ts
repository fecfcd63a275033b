import type { WaitConfig } from '../../steps.schema.ts';
import { findAwaitedEvent } from '../execution.store.ts';
import type { Step } from '../step-result.ts';

/**
 * A wait writes down first that it waits and looks then for what happened since it began: an event that is stored between the
 * two is found here or by the dispatcher, whichever comes first, and the locked execution lets only one of them end the wait.
 */
export const waitStep: Step = {
  prepare({ standing, now }) {
    const { eventName, timeout } = standing.step.config as WaitConfig;
    return async (db, execution, stepExecution) => {
      const parked = { kind: 'parked', stepStatus: 'WAITING', status: 'WAITING' } as const;
      if (stepExecution.status !== 'WAITING') {
        const until = timeout === undefined ? null : new Date(now + timeout * 1_000);
        return { ...parked, until, lookAgain: true };
      }
      const since = stepExecution.startedAt ?? standing.startedAt;
      const event = await findAwaitedEvent(db, execution, eventName, since);
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
    };
  },
};
