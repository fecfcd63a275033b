/**
 * SQLSTATE classes of errors in the statement itself, which recur on a retry: unsupported feature, cardinality, data, constraint,
 * syntax or name, check option, and errors raised by functions.
 */
const wrongStatement = /^(0A|20|21|22|23|2F|38|39|42|44|P0|PR)/;
const sqlState = /^[0-9A-Z]{5}$/;
/** Prisma's codes for "no connection", "no free connection", "transaction lost" and "deadlock". */
const prismaUnavailable = /^(P1\d{3}|P2024|P2028|P2034|P2037)$/;
const prismaCode = /^P[1-9]\d{3}$/;
/** Errors of the operating system (ECONNREFUSED, EHOSTUNREACH, …); Node's own begin with `ERR_`. */
const systemError = /^E(?!RR_)[A-Z0-9]+$/;
/** pg's own errors of a broken connection carry no code. */
const brokenConnection =
  /connection (terminated|error|timeout)|timeout (exceeded|expired)|query read timeout|not queryable/i;

/**
 * Whether a statement failed because the database was unavailable, restarting, read-only or busy, so that the same
 * statement may succeed later. Unknown errors count as such: a retry costs time, giving up loses email.
 */
export function databaseIsAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error as Coded);
  if (code === null) return brokenConnection.test(error.message);
  if (prismaCode.test(code)) return prismaUnavailable.test(code);
  if (sqlState.test(code)) return !wrongStatement.test(code);
  return systemError.test(code);
}

/** Connection lost or refused, ended in a transaction that waited for us, stopped or starting, read-only after a failover, no free connection. */
const unreachableState = /^(08|57P|25006$|25P03$|53300$)/;
const prismaUnreachable = /^(P1\d{3}|P2024)$/;
/** Prisma has one code for whatever becomes of a transaction. This one did not begin: no connection was free. */
const neverBegan = /Unable to start a transaction/;
const unreachableHost =
  /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|(HOST|NET)(UNREACH|DOWN)|NOTFOUND|AI_AGAIN)$/;

/**
 * Whether a request failed because the database cannot be reached, and not for a reason of its own, so that the caller may repeat it. What
 * became of its statement is unknown if the connection broke meanwhile.
 */
export function databaseIsUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error as Coded);
  if (code === null) return brokenConnection.test(error.message);
  if (prismaCode.test(code))
    return prismaUnreachable.test(code) || (code === 'P2028' && neverBegan.test(error.message));
  // EPIPE has the form of an SQLSTATE.
  return unreachableHost.test(code) || (sqlState.test(code) && unreachableState.test(code));
}

interface Coded {
  code?: unknown;
  cause?: { originalCode?: unknown; kind?: unknown };
  meta?: { driverAdapterError?: Coded };
}

/** The SQLSTATE if there is one, also inside an error of Prisma; else the code of Prisma or of the operating system. */
function codeOf({ code, cause, meta }: Coded): string | null {
  const wrapped = meta?.driverAdapterError ? codeOf(meta.driverAdapterError) : null;
  if (wrapped !== null) return wrapped;
  if (typeof code === 'string') return code;
  if (typeof cause?.originalCode === 'string') return cause.originalCode;
  // Kinds of @prisma/driver-adapter-utils that carry no SQLSTATE.
  return cause?.kind === 'DatabaseNotReachable' || cause?.kind === 'ConnectionClosed' ? 'P1001' : null;
}
