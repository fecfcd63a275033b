import {
  type DeclaredError,
  type ErrorCode,
  type ErrorKind,
  errorCodes,
  type Risk,
  statusOfKind,
} from '@postrider/core/base/kernel';
import type { Endpoint } from '../endpoint.ts';

type Status = (typeof statusOfKind)[ErrorKind];

/** Codes of refusals before an operation runs (B1.1, "Order of checks"). */
const refusalsOf: Record<Endpoint['credential'], readonly ErrorCode[]> = {
  none: [],
  'public-key': ['MISSING_AUTH', 'INVALID_API_KEY', 'PROJECT_DISABLED', 'RATE_LIMIT_EXCEEDED'],
  'secret-key': ['MISSING_AUTH', 'INVALID_API_KEY', 'RATE_LIMIT_EXCEEDED'],
  'secret-or-session': [
    'MISSING_AUTH',
    'INVALID_API_KEY',
    'UNAUTHORIZED',
    'BAD_REQUEST',
    'PROJECT_ACCESS_DENIED',
    'FORBIDDEN',
    'EMAIL_VERIFICATION_REQUIRED',
    'RATE_LIMIT_EXCEEDED',
  ],
  session: [
    'MISSING_AUTH',
    'INVALID_API_KEY',
    'UNAUTHORIZED',
    'PROJECT_ACCESS_DENIED',
    'FORBIDDEN',
    'EMAIL_VERIFICATION_REQUIRED',
  ],
};

/** Every code that an endpoint may answer, by status: those of the door and those that its operation declares. */
export function errorsOf(endpoint: Endpoint): ReadonlyMap<Status, readonly ErrorCode[]> {
  const { method, path, credential, input, changes, idempotent, dryRun, risk, errors } = endpoint;
  const found = new Map<Status, Set<ErrorCode>>();
  const add = (error: DeclaredError): void => {
    const { code, kind } = typeof error === 'string' ? { code: error, kind: errorCodes[error] } : error;
    const status = statusOfKind[kind];
    found.set(status, (found.get(status) ?? new Set()).add(code));
  };
  for (const code of refusalsOf[credential]) add(code);
  if (changes) add('PROJECT_DISABLED');
  if (method !== 'GET') {
    add('INVALID_REQUEST_BODY');
    add({ code: 'INVALID_REQUEST_BODY', kind: 'too_large' });
    // A browser request from another site is refused.
    if (credential === 'none' && input) add('FORBIDDEN');
  }
  if (dryRun || path.includes(':')) add('BAD_REQUEST');
  if (idempotent) for (const code of ['BAD_REQUEST', 'IDEMPOTENCY_KEY_REUSED'] as const) add(code);
  if (credential === 'secret-or-session' && isWaitedFor(risk)) add('APPROVAL_REQUIRED');
  if (input) add('VALIDATION_ERROR');
  for (const error of errors) add(error);
  add('INTERNAL_SERVER_ERROR');
  return new Map([...found].sort(([a], [b]) => a - b).map(([status, codes]) => [status, [...codes].sort()]));
}

/** Whether an agent may have to wait for a person. */
const isWaitedFor = (risk: Risk | null): boolean => risk === 'mail' || risk === 'events' || risk === 'large';
