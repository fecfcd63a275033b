import { constant, type Database, GroupCommit, type Outcome, Prisma, prepared } from '../../base/db/index.ts';
import {
  type KeyType,
  type NamedKey,
  type Owners,
  type ProjectState,
  type Services,
  tooManyWaiting,
} from '../../base/kernel/index.ts';
import { RecentMap } from '../../base/lib/index.ts';

export interface GateRow extends ProjectState {
  /** null for the pair of the project, and for one that was rotated with a grace time */
  named: NamedKey | null;
  /** requests in the current window including this one; null when it was not counted */
  count: number | null;
  resetSeconds: number | null;
  isKeyUsed: boolean;
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

/** The stored window has ended, or begins so late that the database's clock has been set back since. */
const isOver = Prisma.sql`("window"."windowStart" + interval '${seconds} s' <= now() OR "window"."windowStart" > now() + interval '${seconds} s')`;

/** Adds to the running window, or opens the next one; answers the window as it then is. */
const raiseSql = Prisma.sql`
    ON CONFLICT ("projectId", "keyType") DO UPDATE SET
      "count" = CASE WHEN ${isOver} THEN excluded."count" ELSE "window"."count" + excluded."count" END,
      "windowStart" = CASE WHEN ${isOver} THEN now() ELSE "window"."windowStart" END
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
  named: NamedKey | null;
  count: number | null;
  resetSeconds: number | null;
  /** the idempotency keys that were used before */
  used: string[] | null;
}

const projectColumns = Prisma.sql`p."id", p."name", p."disabled", p."language", p."timezone" AS "timeZone", p."tracking", p."definesFields",
  coalesce(p."consent" ->> 'publicSubscriptions' = 'CONFIRM', false) AS "confirmsPublic"`;

const projectBy = (type: KeyType, hashColumn: 'publicKeyHash' | 'secretKeyHash'): Prisma.Sql => Prisma.sql`
    SELECT ${projectColumns}, NULL::uuid AS "keyId", NULL::jsonb AS "named" FROM "Project" p
    WHERE a."type" = '${constant(type)}' AND p."${constant(hashColumn)}" = decode(a."hash", 'hex') AND p."deletedAt" IS NULL`;

/** A hash covers the prefix of its key, so the type of key needs no comparison. */
const projectByFurtherKey = Prisma.sql`
    SELECT ${projectColumns}, x."id", CASE WHEN x."name" IS NOT NULL THEN
      jsonb_build_object('id', x."id", 'name', x."name", 'scope', x."scope", 'domains', nullif(to_jsonb(x."domains"), '[]')) END
    FROM "ApiKey" x JOIN "Project" p ON p."id" = x."projectId"
    WHERE x."hash" = decode(a."hash", 'hex') AND (x."expiresAt" IS NULL OR x."expiresAt" > now()) AND p."deletedAt" IS NULL`;

/*
 * The time of the last use is written once a minute and key; a key that another process is just writing is left out, so that no
 * request waits for it.
 *
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
    CROSS JOIN LATERAL (${projectBy('secret', 'secretKeyHash')} UNION ALL ${projectBy('public', 'publicKeyHash')} UNION ALL ${projectByFurtherKey}) p
  ), counted AS (
    INSERT INTO "RateWindow" AS "window" ("projectId", "keyType", "windowStart", "count")
    SELECT "id", "type", now(), sum("requests")::int FROM project WHERE "requests" > 0 GROUP BY "id", "type" ORDER BY "id", "type"
    ${raiseSql}, "projectId", "keyType"
  ), touched AS (
    UPDATE "ApiKey" SET "lastUsedAt" = now() WHERE "id" IN (
      SELECT x."id" FROM project JOIN "ApiKey" x ON x."id" = project."keyId"
      WHERE x."lastUsedAt" IS NULL OR x."lastUsedAt" <= now() - interval '1 minute' FOR UPDATE OF x SKIP LOCKED)
  )
  SELECT project."k", project."named", project."id", project."name", project."disabled", project."language", project."timeZone", project."tracking", project."definesFields",
    project."confirmsPublic",
    counted."count", counted."resetSeconds", (
      SELECT array_agg(u."key") FROM "IdempotencyKey" u
      WHERE u."projectId" = project."id" AND u."key" = ANY(project."idempotencyKeys")
        AND u."createdAt" > now() - ${idempotencyHours}::float8 * interval '1 hour'
    ) AS "used"
  FROM project LEFT JOIN counted ON counted."projectId" = project."id" AND counted."keyType" = project."type"`,
);

/** One statement for several requests; those of the same project and type are counted in the order given. */
async function passTogether(
  database: Database,
  requests: readonly GateQuery[],
): Promise<Outcome<GateRow | null>[]> {
  const asked = new Map<string, AskedKey>();
  const keys = requests.map((request) => ask(asked, request));
  const { rows } = await database.asyncCommit.query<GateResult>(
    gate({
      keys: JSON.stringify([...asked.values()]),
      idempotencyHours: requests[0]?.idempotencyHours ?? 0,
    }),
  );
  const byKey = new Map(rows.map((row) => [row.k, row]));
  const later = new Map<string, number>();
  // Backwards: a request's count is the window's, less the requests after it.
  const answers = requests.toReversed().map((request, index) => {
    const row = byKey.get(keys[requests.length - 1 - index]?.k ?? -1);
    if (!row) return { answer: null };
    const window = row.id + request.keyType;
    const after = later.get(window) ?? 0;
    if (request.countRequest) later.set(window, after + 1);
    return { answer: rowFor(request, row, after) };
  });
  return answers.toReversed();
}

function ask(asked: Map<string, AskedKey>, request: GateQuery): AskedKey {
  const { keyHash, keyType, countRequest, idempotencyKey } = request;
  const hash = keyHash.toString('hex');
  const name = keyType + hash;
  const key = asked.get(name) ?? { k: asked.size, hash, type: keyType, requests: 0, idempotencyKeys: [] };
  asked.set(name, key);
  if (countRequest) key.requests += 1;
  if (idempotencyKey !== undefined) key.idempotencyKeys.push(idempotencyKey);
  return key;
}

function rowFor({ countRequest, idempotencyKey }: GateQuery, row: GateResult, after: number): GateRow {
  const {
    id,
    name,
    disabled,
    language,
    timeZone,
    tracking,
    definesFields,
    confirmsPublic,
    named,
    count,
    resetSeconds,
    used,
  } = row;
  return {
    ...{ id, name, disabled, language, timeZone, tracking, definesFields, named },
    ...(confirmsPublic === true && { confirmsPublic }),
    count: countRequest && count !== null ? count - after : null,
    resetSeconds: countRequest ? resetSeconds : null,
    isKeyUsed: idempotencyKey !== undefined && (used?.includes(idempotencyKey) ?? false),
  };
}

interface Gate {
  group: GroupCommit<GateQuery, GateRow | null>;
  /** the projects of keys that passed lately, by hash */
  projects: RecentMap<string, string>;
}

const mostKnownKeys = 100_000;
const gates = new WeakMap<Database, Gate>();

function gateOf(database: Database, owners: Owners): Gate {
  const projects = new RecentMap<string, string>(mostKnownKeys);
  // A key that is not known yet waits in the turn of the unproven ones: anybody can make one up.
  const ofKeys: Owners = {
    turnOf(key) {
      const projectId = projects.get(key);
      return projectId === undefined ? { owner: key, isProven: false } : owners.turnOf(projectId);
    },
    known: () => null,
  };
  const group = new GroupCommit<GateQuery, GateRow | null>({
    name: 'keys',
    owners: ofKeys,
    perOwner: { count: 2_000, weight: Number.POSITIVE_INFINITY },
    total: { count: 10_000, weight: Number.POSITIVE_INFINITY },
    group: { count: 500, weight: Number.POSITIVE_INFINITY },
    placeOf: ({ keyHash }) => ({ owner: nameOf(keyHash), weight: 1, locks: [] }),
    together: (requests) => passTogether(database, requests),
    overloaded: tooManyWaiting,
  });
  return { group, projects };
}

const nameOf = (keyHash: Buffer): string => keyHash.toString('base64');

/**
 * The gate: finds the project by key, counts the request in its window and looks up the idempotency key. It precedes every request
 * with a key, so requests that arrive while its statement runs share the next one. Commits are asynchronous.
 */
export async function passGate(
  { database, owners }: Pick<Services, 'database' | 'owners'>,
  query: GateQuery,
): Promise<GateRow | null> {
  const gate = gates.get(database) ?? gateOf(database, owners);
  gates.set(database, gate);
  const row = await gate.group.add(query);
  if (row) gate.projects.set(nameOf(query.keyHash), row.id);
  return row;
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
  /** the project asks its members for a second factor, and the user has none */
  lacksSecondFactor: boolean;
}

const membership = prepared<{ projectId: string; userId: string }>(
  'membership',
  ({ projectId, userId }) => Prisma.sql`
    SELECT ${projectColumns}, m."role",
      p."requireSecondFactor" AND NOT EXISTS (
        SELECT FROM "AuthenticatorApp" a WHERE a."userId" = m."userId" AND a."confirmedAt" IS NOT NULL
      ) AND NOT EXISTS (
        SELECT FROM "Passkey" k WHERE k."userId" = m."userId"
      ) AS "lacksSecondFactor"
    FROM "Member" m JOIN "Project" p ON p."id" = m."projectId"
    WHERE m."projectId" = ${projectId} AND m."userId" = ${userId} AND p."deletedAt" IS NULL AND p."kind" = 'CUSTOMER'`,
);

export async function findMembership(
  database: Database,
  userId: string,
  projectId: string,
): Promise<MembershipRow | null> {
  const { rows } = await database.durable.query<MembershipRow>(membership({ projectId, userId }));
  return rows[0] ?? null;
}
