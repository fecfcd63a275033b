import type { RetryPolicy } from '@temporalio/common';
import { statementFailure } from './failures.ts';

const pauses = {
  initialInterval: '500 milliseconds',
  maximumInterval: '30 seconds',
  backoffCoefficient: 2,
} as const;

/** Retry policies of activities. A refusal by a rule of the product ends each of them at once (`finalErrors`). */
export const retries = {
  /** Until it succeeds, however long the database is unavailable. */
  endless: pauses,
  /** For workflows that record why they cannot continue: like `endless`, but ends when a statement is refused repeatedly. */
  untilFinal: { ...pauses, nonRetryableErrorTypes: [statementFailure] },
  /** Until it succeeds, with short pauses, so that waiting work continues soon after an outage. */
  prompt: { initialInterval: '250 milliseconds', maximumInterval: '5 seconds', backoffCoefficient: 2 },
  /** For jobs that record why they failed: about half an hour. */
  bounded: {
    initialInterval: '500 milliseconds',
    maximumInterval: '1 minute',
    maximumAttempts: 30,
    nonRetryableErrorTypes: [statementFailure],
  },
  /** For runs of a Temporal Schedule: the next run repeats the work. */
  untilNextRun: { maximumAttempts: 3 },
} as const satisfies Record<string, RetryPolicy>;
