import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';

/** Failure type of an activity whose database statement was refused repeatedly (`finalErrors`). */
export const statementFailure = 'StatementFailure';

/** Whether an activity failed for good: its retry policy gives up. False for a cancelled workflow. */
export const isFinalFailure = (error: unknown): error is ActivityFailure =>
  error instanceof ActivityFailure && !isCancellation(error);

/** The reason of a final failure for the user: the message of the rule that refused; undefined for internal errors. */
export function messageOf({ cause }: ActivityFailure): string | undefined {
  return cause instanceof ApplicationFailure && cause.nonRetryable ? cause.message : undefined;
}
