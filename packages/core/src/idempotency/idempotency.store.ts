import { AppError, type Services } from '../kernel/index.ts';

/** Which parameters of the caller's statement hold what, as `$1`, `$2`, … */
export interface IdempotencyParameters {
  /** uuid of the project */
  project: string;
  key: string;
  /** how the request is named to whoever uses the key again, e.g. `POST /v1/send` */
  request: string;
  /** status that a success answers */
  statusCode: string;
  /** lifetime of a key in hours (`IDEMPOTENCY_TTL_HOURS`) */
  ttlHours: string;
}

/**
 * Uses up an idempotency key within a larger statement (behaviour B8.4): the CTE `idempotency`, to stand in a WITH list. It
 * has one row when the key was free or expired, else none; the statement must then end itself by selecting `idempotencyCheck`.
 * Of requests at the same time one succeeds; the others wait here for its end, and go on when it failed.
 */
export const idempotencyCte = (parameters: IdempotencyParameters): string => `
  "idempotency" AS (
    INSERT INTO "IdempotencyKey" AS used ("projectId", "key", "request", "statusCode", "createdAt")
    VALUES (${parameters.project}::uuid, ${parameters.key}, ${parameters.request}, ${parameters.statusCode}::int, now())
    ON CONFLICT ("projectId", "key") DO UPDATE
      SET "request" = excluded."request", "statusCode" = excluded."statusCode", "createdAt" = excluded."createdAt"
      WHERE used."createdAt" <= now() - ${parameters.ttlHours}::float8 * interval '1 hour'
    RETURNING true
  )`;

/** A column of the main query that ends the statement with `refuse('idempotency')` when the key was used before. */
export const idempotencyCheck = `CASE WHEN NOT EXISTS (SELECT FROM "idempotency") THEN refuse('idempotency') END`;

/** What is known of a key's first use. */
export interface UsedKey {
  request: string;
  createdAt: Date;
  statusCode: number | null;
}

/** The error for a key that was used before; null when its row is gone meanwhile. */
export function idempotencyKeyReused(key: string, used: UsedKey | null): AppError {
  return new AppError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used before', {
    details: {
      key,
      originalRequest: used?.request ?? null,
      originalRequestAt: used?.createdAt.toISOString() ?? null,
      originalStatusCode: used?.statusCode ?? null,
    },
    suggestion: 'Send a new key with every new request; the request that used this one has succeeded',
  });
}

/** The same for a statement that was refused: reads the row that was in the way. */
export async function idempotencyReused(
  services: Services,
  projectId: string,
  key: string,
): Promise<AppError> {
  const { rows } = await services.database.pool.query<UsedKey>({
    name: 'used-key',
    text: 'SELECT "request", "createdAt", "statusCode" FROM "IdempotencyKey" WHERE "projectId" = $1 AND "key" = $2',
    values: [projectId, key],
  });
  return idempotencyKeyReused(key, rows[0] ?? null);
}

/** The request that used a key up, or null while it is free: for callers whose gate does not look it up (sessions). */
export async function findUsedKey(
  services: Services,
  projectId: string,
  key: string,
): Promise<UsedKey | null> {
  const { rows } = await services.database.pool.query<UsedKey>({
    name: 'find-used-key',
    text: `SELECT "request", "createdAt", "statusCode" FROM "IdempotencyKey"
           WHERE "projectId" = $1 AND "key" = $2 AND "createdAt" > now() - $3::float8 * interval '1 hour'`,
    values: [projectId, key, services.config.IDEMPOTENCY_TTL_HOURS],
  });
  return rows[0] ?? null;
}
