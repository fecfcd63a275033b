import { isFailingStatement, isFinal } from '@postrider/core/base/kernel';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { statementFailure } from './workflow-kit/failures.ts';

/** About a minute with the pauses of `retries`: longer than the migrations of an upgrade, short enough for a waiting user. */
export const attemptsOfStatement = 8;

/**
 * Marks failures that a retry cannot fix. An AppError of a final kind is never retried. A database statement that
 * was refused `attemptsOfStatement` times gets its own failure type, on which workflows that can record a reason give
 * up.
 */
export const finalErrors: { activity: ActivityInterceptorsFactory[] } = {
  activity: [
    ({ info }) => ({
      inbound: {
        async execute(input, next) {
          try {
            return await next(input);
          } catch (error) {
            throw failureOf(error, info.attempt);
          }
        },
      },
    }),
  ],
};

function failureOf(error: unknown, attempt: number): unknown {
  if (isFinal(error))
    return ApplicationFailure.create({
      message: error.message,
      type: error.code,
      nonRetryable: true,
      cause: error,
    });
  if (attempt >= attemptsOfStatement && isFailingStatement(error))
    return ApplicationFailure.create({
      message: `A database statement was refused ${attempt} times`,
      type: statementFailure,
      ...(error instanceof Error && { cause: error }),
    });
  return error;
}
