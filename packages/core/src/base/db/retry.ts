/** deadlock_detected, serialization_failure; Prisma reports both as P2034 where it recognises them. */
const conflictCodes = new Set(['40P01', '40001', 'P2034']);

const attempts = 3;

/** The SQLSTATE, or Prisma's own code, of a failed statement. */
export function databaseCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, meta, cause } = error as { code?: unknown; meta?: Record<string, unknown>; cause?: unknown };
  const inner = (meta?.['driverAdapterError'] as { cause?: { originalCode?: unknown } } | undefined)?.cause
    ?.originalCode;
  if (typeof inner === 'string') return inner;
  if (typeof code === 'string') return code;
  return cause === undefined ? undefined : databaseCode(cause);
}

/** Whether a statement was stopped because it took longer than `statement_timeout`. */
export const wasCanceled = (error: unknown): boolean => databaseCode(error) === '57014';

/** Whether a statement was stopped, having stored nothing, because it waited longer for a lock than `lock_timeout`. */
export const waitedForLock = (error: unknown): boolean => databaseCode(error) === '55P03';

/** Whether a statement or transaction lost against a concurrent one: it stored nothing and may succeed when run again. */
export const isConflict = (error: unknown): boolean => conflictCodes.has(databaseCode(error) ?? '');

/** Whether a statement stored nothing because another row has one of its unique keys. */
export const isDuplicate = (error: unknown): boolean => databaseCode(error) === '23505';

/** Runs a statement or transaction up to three times while it conflicts with concurrent ones. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !isConflict(error)) throw error;
    }
  }
}
