/** The API's stable codes (behaviour B7.2), and `UNEXPECTED_RESPONSE` for answers that are not the API's. */
export type ErrorCode =
  | 'BAD_REQUEST'
  | 'INVALID_REQUEST_BODY'
  | 'QUERY_TOO_COMPLEX'
  | 'MISSING_AUTH'
  | 'INVALID_API_KEY'
  | 'UNAUTHORIZED'
  | 'INVALID_CREDENTIALS'
  | 'BILLING_LIMIT_EXCEEDED'
  | 'FORBIDDEN'
  | 'PROJECT_ACCESS_DENIED'
  | 'PROJECT_DISABLED'
  | 'EMAIL_VERIFICATION_REQUIRED'
  | 'RESOURCE_NOT_FOUND'
  | 'CONTACT_NOT_FOUND'
  | 'TEMPLATE_NOT_FOUND'
  | 'CAMPAIGN_NOT_FOUND'
  | 'SEGMENT_NOT_FOUND'
  | 'WORKFLOW_NOT_FOUND'
  | 'DOMAIN_NOT_FOUND'
  | 'BILLING_DISABLED'
  | 'CONFLICT'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'VALIDATION_ERROR'
  | 'RATE_LIMIT_EXCEEDED'
  | 'INTERNAL_SERVER_ERROR'
  | 'UNEXPECTED_RESPONSE';

/** One problem of one field; `field` is a dot path such as `to.0.email`. */
export interface FieldError {
  field: string;
  message: string;
  code: string;
  received?: unknown;
}

/** Everything that the SDK itself throws. An aborted call throws the reason of its signal instead. */
export class PostriderError extends Error {
  override name = 'PostriderError';
}

/** The request did not get an answer: no connection, or it was lost. */
export class ConnectionError extends PostriderError {
  override name = 'ConnectionError';
}

/** The answer did not arrive in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** What an `ApiError` says. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  status: number;
  requestId: string | undefined;
  errors: readonly FieldError[];
  details: Readonly<Record<string, unknown>>;
  suggestion: string | undefined;
  docs: string | undefined;
}

/** The API refused the request, or failed. */
export class ApiError extends PostriderError implements Refusal {
  override name = 'ApiError';
  readonly code: ErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** Id of the request in the API's log, for questions about it. */
  readonly requestId: string | undefined;
  /** One item per problem of a field; empty unless the status is 422. */
  readonly errors: readonly FieldError[];
  /** Further context, by code. */
  readonly details: Readonly<Record<string, unknown>>;
  /** What to do about it. */
  readonly suggestion: string | undefined;
  /** The address of the page about this code. */
  readonly docs: string | undefined;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.code = refusal.code;
    this.status = refusal.status;
    this.requestId = refusal.requestId;
    this.errors = refusal.errors;
    this.details = refusal.details;
    this.suggestion = refusal.suggestion;
    this.docs = refusal.docs;
  }
}

/** 401: the key is missing, unknown, or of the wrong kind. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** 402: a billing limit is reached. */
export class BillingLimitError extends ApiError {
  override name = 'BillingLimitError';
}

/** 403: the key may not do this, the project is disabled, or the sender's domain is not verified. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}

/** 404: there is no such record. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 409: a duplicate, a record in use, a wrong state, or a repeated idempotency key. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/** 422: `errors` names the fields. */
export class ValidationError extends ApiError {
  override name = 'ValidationError';
}

/** 429: too many requests; thrown when the retries are used up. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

const classes: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  402: BillingLimitError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
  429: RateLimitError,
};

/** The error of a refused request: from the envelope, a flat `{error}`, the errors of GraphQL, or none of them (a proxy answered). */
export function refusalOf(response: Response, text: string): ApiError {
  const { status, headers } = response;
  const error = readError(text);
  const given = typeof error === 'object' ? error : {};
  return new (classes[status] ?? ApiError)({
    code: given.code ?? (typeof error === 'string' ? 'BAD_REQUEST' : 'UNEXPECTED_RESPONSE'),
    message: given.message ?? (typeof error === 'string' ? error : `The answer has status ${status}`),
    status,
    requestId: given.requestId ?? headers.get('x-request-id') ?? undefined,
    errors: given.errors ?? [],
    details: given.details ?? {},
    suggestion: given.suggestion,
    docs: given.docs,
  });
}

interface Refused {
  error?: Partial<Refusal> | string;
  errors?: { message?: string; extensions?: Partial<Refusal> }[];
}

function readError(text: string): Partial<Refusal> | string | undefined {
  try {
    const { error, errors: [first] = [] } = (JSON.parse(text) ?? {}) as Refused;
    return error ?? (first && { ...first.extensions, ...(first.message && { message: first.message }) });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
