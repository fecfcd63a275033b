import { type ConflictSuggestion, suggestions } from './suggestions.rules.ts';

/** The kind of failure of a code. Each door maps kinds through one table (REST: to a status). */
export type ErrorKind =
  | 'bad_request'
  | 'too_large'
  | 'unauthenticated'
  | 'payment_required'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'rate_limited'
  | 'unavailable'
  | 'internal';

/** All error codes with their default kind (behaviour B7.2). */
export const errorCodes = {
  BAD_REQUEST: 'bad_request',
  INVALID_REQUEST_BODY: 'bad_request',
  QUERY_TOO_COMPLEX: 'bad_request',
  MISSING_AUTH: 'unauthenticated',
  INVALID_API_KEY: 'unauthenticated',
  UNAUTHORIZED: 'unauthenticated',
  INVALID_CREDENTIALS: 'unauthenticated',
  BILLING_LIMIT_EXCEEDED: 'payment_required',
  FORBIDDEN: 'forbidden',
  PROJECT_ACCESS_DENIED: 'forbidden',
  PROJECT_DISABLED: 'forbidden',
  EMAIL_VERIFICATION_REQUIRED: 'forbidden',
  RESOURCE_NOT_FOUND: 'not_found',
  CONTACT_NOT_FOUND: 'not_found',
  TEMPLATE_NOT_FOUND: 'not_found',
  CAMPAIGN_NOT_FOUND: 'not_found',
  SEGMENT_NOT_FOUND: 'not_found',
  WORKFLOW_NOT_FOUND: 'not_found',
  DOMAIN_NOT_FOUND: 'not_found',
  BILLING_DISABLED: 'not_found',
  CONFLICT: 'conflict',
  IDEMPOTENCY_KEY_REUSED: 'conflict',
  APPROVAL_REQUIRED: 'conflict',
  PREFLIGHT_FAILED: 'conflict',
  VALIDATION_ERROR: 'invalid',
  NOT_SUPPORTED: 'invalid',
  RATE_LIMIT_EXCEEDED: 'rate_limited',
  INTERNAL_SERVER_ERROR: 'internal',
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorCodes;

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

/** What a caller can do about a failure that has no suggestion of its own. */
export const defaultSuggestions: Readonly<Record<ErrorKind, string>> = {
  bad_request: 'Compare the request with the API reference at /docs/api',
  unauthenticated: 'Send the header "Authorization: Bearer <API key>", or sign in again',
  payment_required: 'Raise the billing limit of the project, or wait for the next period',
  forbidden: 'Use a project, role or sender that is allowed to do this',
  not_found: 'Check the path and the id. Ids of other projects count as unknown',
  conflict: 'Fetch the record again and check its current state',
  too_large: 'Send a smaller request',
  invalid: suggestions.VALIDATION_ERROR,
  unavailable: 'Try again later. The operator of this installation has to make room',
  rate_limited: 'Wait for the seconds given in Retry-After, then send the request again',
  internal: 'Try again later. If the problem persists, report the request id',
};

/** A failure as an operation declares it: a code, with its kind where that is not the usual one. */
export type DeclaredError = ErrorCode | { code: ErrorCode; kind: ErrorKind };

/** One problem of one field; `field` is a dot path such as `to.0.email`. */
export interface FieldError {
  field: string;
  message: string;
  code: string;
  received?: unknown;
}

export interface AppErrorOptions {
  /** only where a code serves two kinds: INVALID_REQUEST_BODY (400, 413), NOT_SUPPORTED (404 for a path), INTERNAL_SERVER_ERROR (403 for an unverified sender, 503 without room on the disk) */
  kind?: ErrorKind;
  errors?: FieldError[];
  details?: Record<string, unknown>;
  suggestion?: string;
  cause?: unknown;
}

/** A failure with a stable code and a message for the caller. Any other error is internal and its text is never sent. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly errors: FieldError[] | undefined;
  readonly details: Record<string, unknown> | undefined;
  readonly suggestion: string | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.kind = options.kind ?? errorCodes[code];
    this.errors = options.errors;
    this.details = options.details;
    this.suggestion = options.suggestion;
  }
}

/** What an attempt is refused with; null when it is not. Any other error is thrown. */
export async function refusalOf(attempt: () => Promise<unknown>): Promise<AppError | null> {
  try {
    await attempt();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

export const badRequest = (message: string, options?: AppErrorOptions): AppError =>
  new AppError('BAD_REQUEST', message, options);

/** @see suggestions */
export const conflict = (
  message: string,
  options: AppErrorOptions & { suggestion: ConflictSuggestion },
): AppError => new AppError('CONFLICT', message, options);

/** 422 for rules that zod cannot express; with the general message unless a rule names another. */
export const invalid = (errors: FieldError[], message = 'Request validation failed'): AppError =>
  new AppError('VALIDATION_ERROR', message, { errors });

/** How operations declare the failure of `senderNotVerified`. */
export const senderRefused = { code: 'INTERNAL_SERVER_ERROR', kind: 'forbidden' } as const;

/** The sender's domain is not verified for the project (behaviour B3.5 and B7.2 define this code for the 403). */
export const senderNotVerified = (domain: string): AppError =>
  new AppError(senderRefused.code, `The sender domain ${domain} is not verified for this project`, {
    kind: senderRefused.kind,
    details: { reason: 'DOMAIN_NOT_VERIFIED', domain },
    suggestion:
      'Add the domain under Domains, create the DNS records shown there and wait until it is verified',
  });

/** Too many requests wait to be stored: of this project, or altogether. Nothing of the refused one is stored. */
export const tooManyWaiting = (bound: 'owner' | 'total'): AppError =>
  new AppError(
    'RATE_LIMIT_EXCEEDED',
    bound === 'owner'
      ? 'Too many requests of this project are waiting to be stored'
      : 'Too many requests are waiting to be stored',
    {
      details: { retryAfter: 1 },
    },
  );
