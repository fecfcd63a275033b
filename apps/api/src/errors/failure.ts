import { databaseIsUnreachable, waitedForLock, wasCanceled } from '@postrider/core/base/db';
import {
  AppError,
  defaultSuggestions,
  type ErrorCode,
  type ErrorKind,
  type FailureStatus,
  type FieldError,
  statusOfKind,
} from '@postrider/core/base/kernel';

/** A failure as callers see it, independent of the door. */
export interface Failure {
  kind: ErrorKind;
  status: FailureStatus;
  code: ErrorCode;
  message: string;
  errors?: FieldError[];
  details?: Record<string, unknown>;
  suggestion: string;
}

/** Translates anything thrown. An error that is not meant for callers becomes a 500 without its text. */
export function failureOf(error: unknown): Failure {
  const known = error instanceof AppError ? error : (fromHttp(error) ?? ofTheDatabase(error) ?? unexpected);
  const failure: Failure = {
    kind: known.kind,
    status: statusOfKind[known.kind],
    code: known.code,
    message: known.message,
    suggestion: known.suggestion ?? defaultSuggestions[known.kind],
  };
  if (known.errors) failure.errors = known.errors;
  if (known.details) failure.details = known.details;
  return failure;
}

const unexpected = new AppError('INTERNAL_SERVER_ERROR', 'An unexpected error occurred');

const tookTooLong = new AppError('INTERNAL_SERVER_ERROR', 'The request took too long and was stopped', {
  suggestion: 'Ask for less at once (a shorter period, fewer records, a simpler filter), or try again later',
});

const waitedTooLong = new AppError(
  'INTERNAL_SERVER_ERROR',
  'What the request needs is being changed by another one',
  {
    kind: 'unavailable',
    details: { retryAfter: 2 },
    suggestion: 'Nothing was changed; send the request again after the seconds given in Retry-After',
  },
);

/** A restart or a failover takes seconds; a request that was stored may be answered so as well. */
const databaseAway = new AppError('INTERNAL_SERVER_ERROR', 'The database does not answer at the moment', {
  kind: 'unavailable',
  details: { retryAfter: 2 },
  suggestion:
    'Send the request again after the seconds given in Retry-After; with an Idempotency-Key it is done once',
});

function ofTheDatabase(error: unknown): AppError | null {
  if (wasCanceled(error)) return tookTooLong;
  if (waitedForLock(error)) return waitedTooLong;
  return databaseIsUnreachable(error) ? databaseAway : null;
}

/** Whether the operator has to learn the cause of a failure, which no caller is told. */
export function isUnexpected(error: unknown): boolean {
  const { status } = failureOf(error);
  return status === 500 || (status === 503 && !(error instanceof AppError));
}

/** Failures that Fastify detects before a handler runs; its messages are not passed on. */
function fromHttp(error: unknown): AppError | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (statusCode === 413) {
    return new AppError('INVALID_REQUEST_BODY', 'The request body is too large', { kind: 'too_large' });
  }
  if (statusCode === 415) return wrongContentType();
  if (code === 'FST_ERR_BAD_URL') return new AppError('BAD_REQUEST', 'The URL is not encoded correctly');
  // No name or id in a path is this long.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return unknownRoute();
  if (statusCode !== 400) return null;
  return new AppError('INVALID_REQUEST_BODY', 'Invalid JSON in request body');
}

export const wrongContentType = (): AppError =>
  new AppError('INVALID_REQUEST_BODY', 'The content type must be application/json', {
    suggestion: 'Send the header "Content-Type: application/json"',
  });

export const unknownRoute = (): AppError => new AppError('RESOURCE_NOT_FOUND', 'Unknown route');
