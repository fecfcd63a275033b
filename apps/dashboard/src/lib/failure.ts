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
  /** Where in the text of a field the problem stands, both from 1; null when the API does not say. */
  position: SourcePosition | null;
}

export interface SourcePosition {
  field: string;
  line: number;
  column: number;
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
  message: "Can't reach the server",
  code: 'UNREACHABLE',
  suggestion: 'Check your connection. This page retries automatically.',
  requestId: null,
  fields: {},
  position: null,
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
  details?: unknown;
}

const isErrorData = (data: unknown): data is ErrorData =>
  typeof data === 'object' && data !== null && 'code' in data && typeof data.code === 'string';

/** Reads the error of an envelope; whatever is no envelope came from something in front of the API. */
export function failureOfEnvelope(body: unknown): Failure {
  if (typeof body !== 'object' || body === null || !('error' in body)) return unreachable;
  // A few endpoints refuse with nothing but a sentence.
  if (typeof body.error === 'string') return readFailure({ code: 'BAD_REQUEST', message: body.error });
  return isErrorData(body.error) ? readFailure(body.error) : unreachable;
}

function readFailure({ code, message, suggestion, requestId, errors, details }: ErrorData): Failure {
  const fields: Record<string, string> = {};
  for (const { field, message: text } of errors ?? []) fields[field] ??= text;
  const position = isPosition(details) ? details : null;
  const misplaced = position && fields[position.field];
  if (position && misplaced)
    fields[position.field] = `${misplaced} (line ${position.line}, column ${position.column})`;
  return {
    message: message ?? 'Something went wrong',
    code,
    suggestion: suggestion ?? null,
    requestId: requestId ?? null,
    fields,
    position,
  };
}

const isPosition = (details: unknown): details is SourcePosition =>
  typeof details === 'object' &&
  details !== null &&
  'field' in details &&
  typeof details.field === 'string' &&
  'line' in details &&
  typeof details.line === 'number' &&
  'column' in details &&
  typeof details.column === 'number';

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

/** The same failure without what is said about one field and its parts, because it is shown elsewhere. */
export function withoutFields(failure: Failure, name: string): Failure {
  const fields = Object.entries(failure.fields).filter(
    ([field]) => field !== name && !field.startsWith(`${name}.`),
  );
  return { ...failure, fields: Object.fromEntries(fields) };
}

/** The same failure where a form calls a field otherwise than the server does. */
export function renameField(failure: Failure, name: string, formName: string): Failure {
  const fields = Object.entries(failure.fields).map(([field, text]) => [
    field === name ? formName : field,
    text,
  ]);
  return { ...failure, fields: Object.fromEntries(fields) };
}

/** The same failure with what is said about parts of a field said about the field, where a form has one for all of them. */
export function foldFields(failure: Failure, name: string): Failure {
  const parts = Object.entries(failure.fields).filter(([field]) => field.startsWith(`${name}.`));
  if (parts.length === 0) return failure;
  const text = parts.map(([field, each]) => `${field.slice(name.length + 1)}: ${each}`).join('; ');
  return { ...failure, fields: { ...withoutFields(failure, name).fields, [name]: text } };
}
