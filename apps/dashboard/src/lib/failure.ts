import {
  defaultSuggestions,
  type ErrorKind,
  errorCodes,
  repeatSoon,
} from '@postrider/core/base/kernel/contract';
import { TRPCClientError } from '@trpc/client';

/** The information that a page shows about a failed request. */
export interface Failure {
  message: string;
  /** The API's error code; `UNREACHABLE` without a response from it, `SENDER_NOT_VERIFIED` for a refused From address. */
  code: string;
  suggestion: string | null;
  requestId: string | null;
  /** Message by field, as the API names the fields (`email`, `to.0.email`). */
  fields: Readonly<Record<string, string>>;
  /** The position of the problem in the text of a field, line and column from 1; null if the API does not state one. */
  position: SourcePosition | null;
}

export interface SourcePosition {
  field: string;
  line: number;
  column: number;
}

/** An error response of the REST API. */
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

/** Reads the error of a rejected query or mutation. */
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
  /** The status, as tRPC names it. */
  httpStatus?: number;
  /** The status, as REST names it. */
  statusCode?: number;
}

const isErrorData = (data: unknown): data is ErrorData =>
  typeof data === 'object' && data !== null && 'code' in data && typeof data.code === 'string';

/** Reads an error response. A body in any other form was sent by a proxy in front of the API. */
export function failureOfEnvelope(body: unknown): Failure {
  if (typeof body !== 'object' || body === null || !('error' in body)) return unreachable;
  // A few endpoints return only a sentence as the error.
  if (typeof body.error === 'string') return readFailure({ code: 'BAD_REQUEST', message: body.error });
  return isErrorData(body.error) ? readFailure(body.error) : unreachable;
}

/** What to do, in place of the API's default suggestions: those are for people who write requests. */
const suggestionsHere: Partial<Record<ErrorKind, string>> = {
  bad_request: 'Reload the page and try again: it may be older than the server.',
  unauthenticated: 'Log in again.',
  forbidden: 'Ask an owner or admin of the project to do this, or to change your role.',
  not_found: 'It may have been deleted, or the link is old.',
  conflict:
    'It may have been changed in another window or by another member. Reload the page to see its current state.',
  invalid: 'Correct the marked fields and try again.',
  rate_limited: 'Wait a minute and try again.',
};

const kinds: Readonly<Record<string, ErrorKind | undefined>> = errorCodes;

/** The words of the dashboard for the kind of failure, unless the API has a suggestion for this very failure. */
function suggestionFor(code: string, given: string | undefined): string | null {
  const kind = kinds[code];
  const isDefault = kind !== undefined && (given === undefined || given === defaultSuggestions[kind]);
  return (isDefault ? suggestionsHere[kind] : undefined) ?? given ?? null;
}

/** The API answers 403 with its general code to a From address whose domain is not verified, and to nothing else. */
const codeOf = ({ code, httpStatus, statusCode }: ErrorData): string =>
  code === 'INTERNAL_SERVER_ERROR' && (httpStatus ?? statusCode) === 403 ? 'SENDER_NOT_VERIFIED' : code;

function readFailure(data: ErrorData): Failure {
  const { message, suggestion, requestId, errors, details } = data;
  const fields: Record<string, string> = {};
  for (const { field, message: text } of errors ?? []) fields[field] ??= text;
  const position = isPosition(details) ? details : null;
  const misplaced = position && fields[position.field];
  if (position && misplaced)
    fields[position.field] = `${misplaced} (line ${position.line}, column ${position.column})`;
  return {
    message: message ?? 'Something went wrong',
    code: codeOf(data),
    suggestion: suggestionFor(data.code, suggestion),
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

/** Whether the cookie is missing, expired or revoked, so that the user must log in again. */
export const isSessionEnd = (error: unknown): boolean => {
  const { code } = failureOf(error);
  return code === 'MISSING_AUTH' || code === 'UNAUTHORIZED';
};

/** Whether a retry would fail in the same way. */
export const isFinal = (error: unknown): boolean => {
  const { code } = failureOf(error);
  return code !== 'UNREACHABLE' && code !== 'INTERNAL_SERVER_ERROR' && code !== 'RATE_LIMIT_EXCEEDED';
};

/** Whether the request is refused only for some seconds, and can be repeated as it is. */
export const passesSoon = (error: unknown): boolean => failureOf(error).suggestion === repeatSoon;

/** Whether a record does not exist: its id is unknown, or the address of the page holds no id at all. */
export const isMissing = ({ code, fields }: Failure): boolean =>
  code.endsWith('_NOT_FOUND') || (code === 'VALIDATION_ERROR' && 'id' in fields);

/** The same failure without the messages about one field and its parts, which are shown elsewhere. */
export function withoutFields(failure: Failure, name: string): Failure {
  const fields = Object.entries(failure.fields).filter(
    ([field]) => field !== name && !field.startsWith(`${name}.`),
  );
  return { ...failure, fields: Object.fromEntries(fields) };
}

/** The same failure with one field renamed, for a form that uses another name than the server. */
export function renameField(failure: Failure, name: string, formName: string): Failure {
  const fields = Object.entries(failure.fields).map(([field, text]) => [
    field === name ? formName : field,
    text,
  ]);
  return { ...failure, fields: Object.fromEntries(fields) };
}

/** The same failure with the beginning of fields left out, for a form that shows one of several records of a request. */
export function withoutPath(failure: Failure, path: RegExp): Failure {
  const fields = Object.entries(failure.fields).map(([field, text]) => [field.replace(path, ''), text]);
  return { ...failure, fields: Object.fromEntries(fields) };
}

/** The same failure with the messages about parts of a field combined into one, for a form with a single field for them. */
export function foldFields(failure: Failure, name: string): Failure {
  const parts = Object.entries(failure.fields).filter(([field]) => field.startsWith(`${name}.`));
  if (parts.length === 0) return failure;
  const text = parts.map(([field, each]) => `${field.slice(name.length + 1)}: ${each}`).join('; ');
  return { ...failure, fields: { ...withoutFields(failure, name).fields, [name]: text } };
}

/** The same failure with a message at the field that it is always about, where the API names no field. */
export function atField(failure: Failure): Failure {
  if (failure.code !== 'SENDER_NOT_VERIFIED' || Object.keys(failure.fields).length > 0) return failure;
  const text = [failure.message, failure.suggestion].filter(Boolean).join('. ');
  return { ...failure, fields: { from: text } };
}
