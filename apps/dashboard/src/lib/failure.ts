import { TRPCClientError } from '@trpc/client';

/** What a page can say about a request that failed. */
export interface Failure {
  message: string;
  /** The API's code; `UNREACHABLE` when no answer came. */
  code: string;
  suggestion: string | null;
  requestId: string | null;
  /** Message by field, as the API names the fields (`email`, `to.0.email`). */
  fields: Readonly<Record<string, string>>;
}

/** An answer of the REST door that is not a success. */
export class RestError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'RestError';
    this.failure = failure;
  }
}

const unreachable: Failure = {
  message: 'The server cannot be reached',
  code: 'UNREACHABLE',
  suggestion: 'Check your connection; this page tries again by itself.',
  requestId: null,
  fields: {},
};

/** Reads anything that a query or mutation rejected with. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RestError) return error.failure;
  if (!(error instanceof TRPCClientError)) return unreachable;
  const data: unknown = error.data;
  return isErrorData(data) ? readFailure({ ...data, message: error.message }) : unreachable;
}

interface ErrorData {
  code: string;
  message?: string;
  suggestion?: string;
  requestId?: string;
  errors?: { field: string; message: string }[];
}

const isErrorData = (data: unknown): data is ErrorData =>
  typeof data === 'object' && data !== null && 'code' in data && typeof data.code === 'string';

/** Reads the error of an envelope; whatever is no envelope came from something in front of the API. */
export function failureOfEnvelope(body: unknown): Failure {
  if (typeof body !== 'object' || body === null || !('error' in body) || !isErrorData(body.error))
    return unreachable;
  return readFailure(body.error);
}

function readFailure({ code, message, suggestion, requestId, errors }: ErrorData): Failure {
  const fields: Record<string, string> = {};
  for (const { field, message: text } of errors ?? []) fields[field] ??= text;
  return {
    message: message ?? 'Something went wrong',
    code,
    suggestion: suggestion ?? null,
    requestId: requestId ?? null,
    fields,
  };
}

/** The cookie is missing, expired or revoked: only signing in again helps. */
export const isSessionEnd = (error: unknown): boolean => {
  const { code } = failureOf(error);
  return code === 'MISSING_AUTH' || code === 'UNAUTHORIZED';
};

/** Answers that stay the same however often one asks. */
export const isFinal = (error: unknown): boolean => {
  const { code } = failureOf(error);
  return code !== 'UNREACHABLE' && code !== 'INTERNAL_SERVER_ERROR' && code !== 'RATE_LIMIT_EXCEEDED';
};
