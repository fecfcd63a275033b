import { constant, type Database, Prisma, prepared } from '../db/index.ts';
import type { ProjectState } from '../kernel/index.ts';
import type { KeyType } from './keys.ts';

export interface GateRow extends ProjectState {
  /** requests in the current window including this one; null when it was not counted */
  count: number | null;
  resetSeconds: number | null;
  usedRequest: string | null;
  usedAt: Date | null;
  usedStatus: number | null;
}

export interface GateQuery {
  keyType: KeyType;
  keyHash: Buffer;
  countRequest: boolean;
  idempotencyKey: string | undefined;
  idempotencyHours: number;
}

/** Behaviour B8.1: a window starts with the first request after the previous one ended. */
const windowSeconds = 60;
const seconds = constant(windowSeconds);

type GateValues = Omit<GateQuery, 'keyType' | 'idempotencyKey'> & { idempotencyKey: string | null };

/** Adds to the running window, or opens the next one; answers the window as it then is. */
const raiseSql = Prisma.sql`
    ON CONFLICT ("projectId", "keyType") DO UPDATE SET
      "count" = CASE WHEN "window"."windowStart" + interval '${seconds} s' <= now() THEN excluded."count" ELSE "window"."count" + excluded."count" END,
      "windowStart" = CASE WHEN "window"."windowStart" + interval '${seconds} s' <= now() THEN now() ELSE "window"."windowStart" END
    RETURNING "count",
      least(${seconds}, ceil(extract(epoch FROM "windowStart" + interval '${seconds} s' - now())))::int AS "resetSeconds"`;

/*
 * The count is taken under the row's lock, so it is exact across processes. `now()` is the start of the statement:
 * one that waited for the lock while a newer window was opened is counted in the newer window.
 */
const gateOf = (keyType: KeyType, hashColumn: 'publicKeyHash' | 'secretKeyHash') =>
  prepared<GateValues>(
    `gate-${keyType}`,
    ({ keyHash, countRequest, idempotencyKey, idempotencyHours }) => Prisma.sql`
  WITH project AS (
    SELECT "id", "name", "disabled", "language", "tracking"
    FROM "Project" WHERE "${constant(hashColumn)}" = ${keyHash} AND "deletedAt" IS NULL
  ), counted AS (
    INSERT INTO "RateWindow" AS "window" ("projectId", "keyType", "windowStart", "count")
    SELECT "id", '${constant(keyType)}', now(), 1 FROM project WHERE ${countRequest}::boolean
    ${raiseSql}
  )
  SELECT project.*, counted."count", counted."resetSeconds",
    used."request" AS "usedRequest", used."createdAt" AS "usedAt", used."statusCode" AS "usedStatus"
  FROM project
  LEFT JOIN counted ON true
  LEFT JOIN "IdempotencyKey" used ON used."projectId" = project."id" AND used."key" = ${idempotencyKey}
    AND used."createdAt" > now() - ${idempotencyHours}::float8 * interval '1 hour'`,
  );

const statements = {
  public: gateOf('public', 'publicKeyHash'),
  secret: gateOf('secret', 'secretKeyHash'),
} satisfies Record<KeyType, unknown>;

/**
 * The gate statement: finds the project by key, counts the request in its window and looks up the idempotency key.
 * It runs before every request with a key, so it is prepared and runs on the pool with asynchronous commits.
 */
export async function passGate(database: Database, { keyType, ...gate }: GateQuery): Promise<GateRow | null> {
  const { rows } = await database.asyncCommit.query<GateRow>(
    statements[keyType]({ ...gate, idempotencyKey: gate.idempotencyKey ?? null }),
  );
  return rows[0] ?? null;
}

const raise = prepared<{ projectId: string; keyType: KeyType; requests: number }>(
  'raise-requests',
  ({ projectId, keyType, requests }) => Prisma.sql`
    INSERT INTO "RateWindow" AS "window" ("projectId", "keyType", "windowStart", "count")
    VALUES (${projectId}, ${keyType}, now(), ${requests}) ${raiseSql}`,
);

/** Counts further requests of a request that the gate has let in. */
export async function raiseRequests(
  database: Database,
  projectId: string,
  keyType: KeyType,
  requests: number,
): Promise<{ count: number; resetSeconds: number }> {
  const { rows } = await database.asyncCommit.query<{ count: number; resetSeconds: number }>(
    raise({ projectId, keyType, requests }),
  );
  return rows[0] ?? { count: requests, resetSeconds: windowSeconds };
}

export interface MembershipRow extends ProjectState {
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
}

const membership = prepared<{ projectId: string; userId: string }>(
  'membership',
  ({ projectId, userId }) => Prisma.sql`
    SELECT p."id", p."name", p."disabled", p."language", p."tracking", m."role"
    FROM "Member" m JOIN "Project" p ON p."id" = m."projectId"
    WHERE m."projectId" = ${projectId} AND m."userId" = ${userId} AND p."deletedAt" IS NULL AND p."kind" = 'CUSTOMER'`,
);

export async function findMembership(
  database: Database,
  userId: string,
  projectId: string,
): Promise<MembershipRow | null> {
  const { rows } = await database.pool.query<MembershipRow>(membership({ projectId, userId }));
  return rows[0] ?? null;
}
