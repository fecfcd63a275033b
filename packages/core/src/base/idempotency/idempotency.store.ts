import { type Bindable, type Lock, Prisma, prepared } from '../db/index.ts';
import { AppError, type Services } from '../kernel/index.ts';

/** What a request records of its idempotency key. */
export interface KeyUse {
  key: string;
  /** the request as reported when the key is used again, e.g. `POST /v1/send` */
  request: string;
  /** HTTP status of a successful reply */
  statusCode: number;
  /** lifetime of a key in hours (`IDEMPOTENCY_TTL_HOURS`) */
  ttlHours: number;
}

/**
 * Consumes an idempotency key within a larger statement (behaviour B8.4): the CTE `idempotency` for its WITH list.
 * It returns one row when the key was free or expired, otherwise none; the statement must select `idempotencyCheck`,
 * which then aborts it. Of concurrent requests one succeeds; the others wait here for it and continue if it failed.
 */
export const idempotencyCte = (
  project: Bindable<string>,
  { key, request, statusCode, ttlHours }: { [Field in keyof KeyUse]: Bindable<KeyUse[Field]> },
): Prisma.Sql => Prisma.sql`
  "idempotency" AS (
    INSERT INTO "IdempotencyKey" AS used ("projectId", "key", "request", "statusCode", "createdAt")
    VALUES (${project}::uuid, ${key}, ${request}, ${statusCode}::int, now())
    ON CONFLICT ("projectId", "key") DO UPDATE
      SET "request" = excluded."request", "statusCode" = excluded."statusCode", "createdAt" = excluded."createdAt"
      WHERE used."createdAt" <= now() - ${ttlHours}::float8 * interval '1 hour'
    RETURNING true
  )`;

/** A column of the main query that ends the statement with `refuse('idempotency')` when the key was used before. */
export const idempotencyCheck = Prisma.sql`CASE WHEN NOT EXISTS (SELECT FROM "idempotency") THEN refuse('idempotency') END`;

/** The columns of an idempotency key in the rows of a statement that stores many requests; all null without one. */
export const keyRowColumns = Prisma.sql`"key" text, "label" text, "statusCode" int`;

export interface KeyRowInput {
  key?: string;
  label?: string;
  statusCode?: number;
}

export const keyRowOf = (use: KeyUse | null): KeyRowInput =>
  use ? { key: use.key, label: use.request, statusCode: use.statusCode } : {};

/**
 * Consumes the keys of many requests: the CTE `usedKeys`, with those that were free. It reads the CTE `checked`, whose rows have
 * `project`, `keyRowColumns` and a `refusal` that is null where the request may be stored; no two requests have the same key.
 */
export const usedKeysCte = (ttlHours: Bindable<number>): Prisma.Sql => Prisma.sql`
  "usedKeys" AS (
    INSERT INTO "IdempotencyKey" AS used ("projectId", "key", "request", "statusCode", "createdAt")
    SELECT DISTINCT "project", "key", "label", "statusCode", now() FROM "checked"
    WHERE "key" IS NOT NULL AND "refusal" IS NULL ORDER BY "project", "key"
    ON CONFLICT ("projectId", "key") DO UPDATE
      SET "request" = excluded."request", "statusCode" = excluded."statusCode", "createdAt" = excluded."createdAt"
      WHERE used."createdAt" <= now() - ${ttlHours}::float8 * interval '1 hour'
    RETURNING "projectId", "key"
  )`;

/** Whether the request of a row of `checked` has no key, or a free one. */
export const usesFreeKey = Prisma.sql`("key" IS NULL OR ("project", "key") IN (SELECT "projectId", "key" FROM "usedKeys"))`;

/** Makes a request wait for the statement of an earlier one with the same key. */
export const keyLocks = (projectId: string, use: KeyUse | null): Lock[] =>
  use ? [{ name: `${projectId}:${use.key}`, value: null }] : [];

/** The first use of a key. */
export interface UsedKey {
  request: string;
  createdAt: Date;
  statusCode: number | null;
}

/** The error for a key that was used before; null if its row has been removed in the meantime. */
export function idempotencyKeyReused(key: string, used: UsedKey | null): AppError {
  return new AppError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used before', {
    details: {
      key,
      originalRequest: used?.request ?? null,
      originalRequestAt: used?.createdAt.toISOString() ?? null,
      originalStatusCode: used?.statusCode ?? null,
    },
    suggestion: 'Use a new key for each new request. The request with this key has succeeded',
  });
}

const usedKey = prepared<{ projectId: string; key: string }>(
  'used-key',
  ({ projectId, key }) => Prisma.sql`
    SELECT "request", "createdAt", "statusCode" FROM "IdempotencyKey" WHERE "projectId" = ${projectId} AND "key" = ${key}`,
);

/** The same for a refused statement: reads the row that caused the refusal. */
export async function idempotencyReused(
  services: Services,
  projectId: string,
  key: string,
): Promise<AppError> {
  const { rows } = await services.database.durable.query<UsedKey>(usedKey({ projectId, key }));
  return idempotencyKeyReused(key, rows[0] ?? null);
}

const unexpiredKey = prepared<{ projectId: string; key: string; ttlHours: number }>(
  'find-used-key',
  ({ projectId, key, ttlHours }) => Prisma.sql`
    SELECT "request", "createdAt", "statusCode" FROM "IdempotencyKey"
    WHERE "projectId" = ${projectId} AND "key" = ${key} AND "createdAt" > now() - ${ttlHours}::float8 * interval '1 hour'`,
);

/** The request that consumed a key, or null while it is free. For callers whose gate statement does not look it up (sessions). */
export async function findUsedKey(
  services: Services,
  projectId: string,
  key: string,
): Promise<UsedKey | null> {
  const ttlHours = services.config.IDEMPOTENCY_TTL_HOURS;
  const { rows } = await services.database.durable.query<UsedKey>(unexpiredKey({ projectId, key, ttlHours }));
  return rows[0] ?? null;
}
