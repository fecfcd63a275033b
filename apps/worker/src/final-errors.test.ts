import { AppError, type ErrorCode } from '@postrider/core/base/kernel';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import { attemptsOfStatement, finalErrors } from './final-errors.ts';
import { statementFailure } from './workflow-kit/failures.ts';

/** What Temporal receives from an activity that throws `error` in this attempt. */
const failureOf = (error: unknown, attempt = 1): Promise<unknown> =>
  new MockActivityEnvironment({ attempt }, { interceptors: finalErrors.activity })
    .run(() => Promise.reject(error))
    .catch((thrown: unknown) => thrown);

const databaseError = (code: string) => Object.assign(new Error('refused'), { code });

describe('an AppError', () => {
  it.each<ErrorCode>(['VALIDATION_ERROR', 'BAD_REQUEST', 'FORBIDDEN', 'SEGMENT_NOT_FOUND', 'CONFLICT'])(
    '%s is not retried, and keeps its code and message',
    async (code) => {
      const failure = await failureOf(new AppError(code, 'This is why'));
      expect(failure).toBeInstanceOf(ApplicationFailure);
      expect(failure).toMatchObject({ nonRetryable: true, type: code, message: 'This is why' });
    },
  );

  it.each<ErrorCode>(['RATE_LIMIT_EXCEEDED', 'INTERNAL_SERVER_ERROR'])('%s is retried', async (code) => {
    const error = new AppError(code, 'Try again');
    expect(await failureOf(error)).toBe(error);
  });
});

describe('a database error', () => {
  it('of a refused statement is retried, and becomes final only after all attempts', async () => {
    const error = databaseError('P0001');
    expect(await failureOf(error, attemptsOfStatement - 1)).toBe(error);
    expect(await failureOf(error, attemptsOfStatement)).toMatchObject({ type: statementFailure });
  });

  it.each([
    ['a closed connection', '57P01'],
    ['a deadlock', '40P01'],
    ['an unreachable database', 'ECONNREFUSED'],
    ['a pool without a free connection', 'P2024'],
  ])('of %s is retried indefinitely', async (_, code) => {
    const error = databaseError(code);
    expect(await failureOf(error, 1_000)).toBe(error);
  });
});

it('any other error is retried indefinitely', async () => {
  const error = new TypeError('fetch failed');
  expect(await failureOf(error, 1_000)).toBe(error);
});
