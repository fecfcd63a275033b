import type { ErrorKind } from '@postrider/core/base/kernel';

/** The one table between kinds of failure and HTTP. tRPC and GraphQL report the same numbers. */
export const statusOfKind = {
  bad_request: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  invalid: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number>;

export type FailureStatus = (typeof statusOfKind)[ErrorKind];
