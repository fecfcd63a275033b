import { databaseCode } from '../db/retry.ts';
import { AppError, type ErrorKind } from './errors.ts';

/** Failures that recur with every retry of the same call. */
const isFinalKind = {
  bad_request: true,
  too_large: true,
  invalid: true,
  forbidden: true,
  not_found: true,
  conflict: true,
  unauthenticated: false,
  payment_required: false,
  rate_limited: false,
  unavailable: false,
  internal: false,
} as const satisfies Record<ErrorKind, boolean>;

/** A refusal by a rule of the product: a retry has the same result. */
export const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && isFinalKind[error.kind];

/**
 * Classes of SQLSTATE for statements that do not fit the data or the schema: cardinality, data, integrity, feature, syntax
 * or access, check option, program limit, PL/pgSQL, `refuse()`. All others (connection, deadlock, resources, shutdown) are temporary.
 */
const statementClasses = new Set(['21', '22', '23', '0A', '42', '44', '54', 'P0', 'PR']);

/**
 * Whether a database statement was refused because of its content. It is likely to be refused again, but not
 * certain: another transaction or the migration of an upgrade may be the cause, so callers retry it a few times
 * first.
 */
export const isFailingStatement = (error: unknown): boolean =>
  statementClasses.has(databaseCode(error)?.slice(0, 2) ?? '');
