import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';

/** Type of the failure of an activity whose database statement was refused again and again (`finalErrors`). */
export const statementFailure = 'StatementFailure';

/** Whether an activity failed for good: its retry policy gives up. False for a cancelled workflow. */
export const isFinalFailure = (error: unknown): error is ActivityFailure =>
  error instanceof ActivityFailure && !isCancellation(error);

/** What to tell the user about a final failure: the message of a refusal by a rule of the product; undefined for internal errors. */
export function messageOf({ cause }: ActivityFailure): string | undefined {
  return cause instanceof ApplicationFailure && cause.nonRetryable ? cause.message : undefined;
}
