import { constant, type Database, GroupCommit, type Outcome, Prisma, prepared } from '../db/index.ts';
import { type ProjectState, tooManyWaiting } from '../kernel/index.ts';
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

/** Adds to the running window, or opens the next one; answers the window as it then is. */
const raiseSql = Prisma.sql`
    ON CONFLICT ("projectId", "keyType") DO UPDATE SET
      "count" = CASE WHEN "window"."windowStart" + interval '${seconds} s' <= now() THEN excluded."count" ELSE "window"."count" + excluded."count" END,
      "windowStart" = CASE WHEN "window"."windowStart" + interval '${seconds} s' <= now() THEN now() ELSE "window"."windowStart" END
    RETURNING "count",
      least(${seconds}, ceil(extract(epoch FROM "windowStart" + interval '${seconds} s' - now())))::int AS "resetSeconds"`;

/** One key of a group of requests. */
interface AskedKey {
  /** in the group */
  k: number;
  /** in hex */
  hash: string;
  type: KeyType;
  /** counted requests */
  requests: number;
  idempotencyKeys: string[];
}

interface GateResult extends ProjectState {
  k: number;
  count: number | null;
  resetSeconds: number | null;
  used: Record<string, [request: string, createdAt: string, statusCode: number | null]> | null;
}

const projectBy = (type: KeyType, hashColumn: 'publicKeyHash' | 'secretKeyHash'): Prisma.Sql => Prisma.sql`
    SELECT p."id", p."name", p."disabled", p."language", p."tracking" FROM "Project" p
    WHERE a."type" = '${constant(type)}' AND p."${constant(hashColumn)}" = decode(a."hash", 'hex') AND p."deletedAt" IS NULL`;

/*
 * The count is taken under the row's lock, so it is exact across processes. `now()` is the start of the statement:
 * one that waited for the lock while a newer window was opened is counted in the newer window.
 */
const gate = prepared<{ keys: string; idempotencyHours: number }>(
  'gate',
  ({ keys, idempotencyHours }) => Prisma.sql`
  WITH asked AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${keys}::jsonb)
      AS a("k" int, "hash" text, "type" text, "requests" int, "idempotencyKeys" text[])
  ), project AS MATERIALIZED (
    SELECT a.*, p.* FROM asked a
    CROSS JOIN LATERAL (${projectBy('secret', 'secretKeyHash')} UNION ALL ${projectBy('public', 'publicKeyHash')}) p
  ), counted AS (
    INSERT INTO "RateWindow" AS "window" ("projectId", "keyType", "windowStart", "count")
    SELECT "id", "type", now(), "requests" FROM project WHERE "requests" > 0 ORDER BY "id", "type"
    ${raiseSql}, "projectId", "keyType"
  )
  SELECT project."k", project."id", project."name", project."disabled", project."language", project."tracking",
    counted."count", counted."resetSeconds", (
      SELECT jsonb_object_agg(u."key", jsonb_build_array(u."request", u."createdAt", u."statusCode")) FROM "IdempotencyKey" u
      WHERE u."projectId" = project."id" AND u."key" = ANY(project."idempotencyKeys")
        AND u."createdAt" > now() - ${idempotencyHours}::float8 * interval '1 hour'
    ) AS "used"
  FROM project LEFT JOIN counted ON counted."projectId" = project."id" AND counted."keyType" = project."type"`,
);

/** One statement for several requests; those with the same key are counted in the order given. */
async function passTogether(
  database: Database,
  requests: readonly GateQuery[],
): Promise<Outcome<GateRow | null>[]> {
  const asked = new Map<string, AskedKey>();
  const seats = requests.map(({ keyHash, keyType, countRequest, idempotencyKey }) => {
    const hash = keyHash.toString('hex');
    const name = keyType + hash;
    const key = asked.get(name) ?? {
      k: asked.size,
      hash,
      type: keyType,
      requests: 0,
      idempotencyKeys: [],
    };
    asked.set(name, key);
    if (countRequest) key.requests += 1;
    if (idempotencyKey !== undefined) key.idempotencyKeys.push(idempotencyKey);
    return { key, place: key.requests };
  });
  const { rows } = await database.asyncCommit.query<GateResult>(
    gate({
      keys: JSON.stringify([...asked.values()]),
      idempotencyHours: requests[0]?.idempotencyHours ?? 0,
    }),
  );
  const byKey = new Map(rows.map((row) => [row.k, row]));
  return seats.map(({ key, place }, index) => {
    const row = byKey.get(key.k);
    const request = requests[index];
    if (!row || !request) return { answer: null };
    const { id, name, disabled, language, tracking, count, resetSeconds, used } = row;
    const use = request.idempotencyKey === undefined ? undefined : used?.[request.idempotencyKey];
    return {
      answer: {
        ...{ id, name, disabled, language, tracking },
        count: request.countRequest && count !== null ? count - (key.requests - place) : null,
        resetSeconds: request.countRequest ? resetSeconds : null,
        usedRequest: use?.[0] ?? null,
        usedAt: use ? new Date(use[1]) : null,
        usedStatus: use?.[2] ?? null,
      },
    };
  });
}

const gates = new WeakMap<Database, GroupCommit<GateQuery, GateRow | null>>();

const gateOf = (database: Database): GroupCommit<GateQuery, GateRow | null> =>
  new GroupCommit({
    perOwner: { count: 2_000, weight: Number.POSITIVE_INFINITY },
    total: { count: 10_000, weight: Number.POSITIVE_INFINITY },
    group: { count: 500, weight: Number.POSITIVE_INFINITY },
    placeOf: ({ keyHash }) => ({ owner: keyHash.toString('base64'), weight: 1, locks: [] }),
    together: (requests) => passTogether(database, requests),
    overloaded: tooManyWaiting,
  });

/**
 * The gate: finds the project by key, counts the request in its window and looks up the idempotency key. It precedes every request
 * with a key, so requests that arrive while its statement runs share the next one. Commits are asynchronous.
 */
export function passGate(database: Database, query: GateQuery): Promise<GateRow | null> {
  const group = gates.get(database) ?? gateOf(database);
  gates.set(database, group);
  return group.add(query);
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
