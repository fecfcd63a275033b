import type { RetryPolicy } from '@temporalio/common';

/** Retry policies of activities. A failure that is final (`finalErrors`) ends each of them at once. */
export const retries = {
  /** Until it succeeds: the database may be away for as long as it likes. */
  endless: { initialInterval: '500 milliseconds', maximumInterval: '30 seconds', backoffCoefficient: 2 },
  /** Until it succeeds, for activities that pass on what is waiting: a short pause after an outage. */
  prompt: { initialInterval: '250 milliseconds', maximumInterval: '5 seconds', backoffCoefficient: 2 },
  /** For jobs that tell their user when they give up: about half an hour. */
  bounded: { initialInterval: '500 milliseconds', maximumInterval: '1 minute', maximumAttempts: 30 },
  /** For runs of a Temporal Schedule: the next run repeats the work. */
  untilNextRun: { maximumAttempts: 3 },
} as const satisfies Record<string, RetryPolicy>;
