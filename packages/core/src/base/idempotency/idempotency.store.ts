import { type Bindable, type Lock, Prisma, prepared, type SqlDb } from '../db/index.ts';
import { AppError, type Context, isPermitted, suggestions } from '../kernel/index.ts';

/** What a request records of its idempotency key. */
export interface KeyUse {
  key: string;
  /** the request as reported when the key is used again, e.g. `POST /v1/send` */
  request: string;
  /** HTTP status of a successful reply */
  statusCode: number;
  /** lifetime of a key in hours (`IDEMPOTENCY_TTL_HOURS`) */
  ttlHours: number;
  /** of the body of the request, `sha-256=:…:` (RFC 9530); null where the door has none */
  digest: string | null;
}

/** The use of the key that the caller gave; null without one. @param request names it where the door does not */
export const keyUseOf = ({ request, services }: Context, label: string): KeyUse | null =>
  request.idempotencyKey === undefined
    ? null
    : {
        key: request.idempotencyKey,
        request: request.label ?? label,
        statusCode: request.successStatus ?? 200,
        ttlHours: services.config.IDEMPOTENCY_TTL_HOURS,
        digest: request.bodyDigest ?? null,
      };

/** What a request makes, as expressions of its statement: ids are known before it, so the key is stored together with them. */
export interface Made {
  emailIds?: Prisma.Sql;
  eventId?: Prisma.Sql;
}

const columns = Prisma.sql`"projectId", "key", "request", "statusCode", "digest", "emailIds", "sizes", "eventId", "createdAt"`;

/** A key that has expired belongs to the new request altogether. */
const replaced = Prisma.sql`
      "request" = excluded."request", "statusCode" = excluded."statusCode", "digest" = excluded."digest",
      "emailIds" = excluded."emailIds", "sizes" = excluded."sizes", "eventId" = excluded."eventId", "createdAt" = excluded."createdAt"`;

const madeBy = ({ emailIds = Prisma.sql`NULL`, eventId = Prisma.sql`NULL` }: Made): Prisma.Sql =>
  Prisma.sql`${emailIds}::uuid[], NULL::int[], ${eventId}::uuid`;

/**
 * Consumes an idempotency key within a larger statement (behaviour B8.4): the CTE `idempotency` for its WITH list.
 * It returns one row when the key was free or expired, otherwise none; the statement must select `idempotencyCheck`,
 * which then aborts it. Of concurrent requests one succeeds; the others wait here for it and continue if it failed.
 */
export const idempotencyCte = (
  project: Bindable<string>,
  { key, request, statusCode, ttlHours, digest }: { [Field in keyof KeyUse]: Bindable<KeyUse[Field]> },
  made: Made,
): Prisma.Sql => Prisma.sql`
  "idempotency" AS (
    INSERT INTO "IdempotencyKey" AS used (${columns})
    VALUES (${project}::uuid, ${key}, ${request}, ${statusCode}::int, ${digest}::text, ${madeBy(made)}, now())
    ON CONFLICT ("projectId", "key") DO UPDATE SET ${replaced}
      WHERE used."createdAt" <= now() - ${ttlHours}::float8 * interval '1 hour'
    RETURNING true
  )`;

/** A column of the main query that ends the statement with `refuse('idempotency')` when the key was used before. */
export const idempotencyCheck = Prisma.sql`CASE WHEN NOT EXISTS (SELECT FROM "idempotency") THEN refuse('idempotency') END`;

/** The columns of an idempotency key in the rows of a statement that stores many requests; all null without one. */
export const keyRowColumns = Prisma.sql`"key" text, "label" text, "statusCode" int, "digest" text`;

export interface KeyRowInput {
  key?: string;
  label?: string;
  statusCode?: number;
  digest?: string | null;
}

export const keyRowOf = (use: KeyUse | null): KeyRowInput =>
  use ? { key: use.key, label: use.request, statusCode: use.statusCode, digest: use.digest } : {};

/**
 * Consumes the keys of many requests: the CTE `usedKeys`, with those that were free. It reads the CTE `checked`, whose rows have
 * `project`, `keyRowColumns` and a `refusal` that is null where the request may be stored; no two requests have the same key.
 *
 * @param made aggregates over the rows of a request
 */
export const usedKeysCte = (ttlHours: Bindable<number>, made: Made): Prisma.Sql => Prisma.sql`
  "usedKeys" AS (
    INSERT INTO "IdempotencyKey" AS used (${columns})
    SELECT "project", "key", "label", "statusCode", "digest", ${madeBy(made)}, now() FROM "checked"
    WHERE "key" IS NOT NULL AND "refusal" IS NULL
    GROUP BY "project", "key", "label", "statusCode", "digest" ORDER BY "project", "key"
    ON CONFLICT ("projectId", "key") DO UPDATE SET ${replaced}
      WHERE used."createdAt" <= now() - ${ttlHours}::float8 * interval '1 hour'
    RETURNING "projectId", "key"
  )`;

/** Whether the request of a row of `checked` has no key, or a free one. */
export const usesFreeKey = Prisma.sql`("key" IS NULL OR ("project", "key") IN (SELECT "projectId", "key" FROM "usedKeys"))`;

/**
 * Consumes the key of a transaction of several statements, before any of them; of concurrent ones with the same key, the others wait here.
 *
 * @returns false when it was used before
 */
export async function beginKey(db: SqlDb, projectId: string, use: KeyUse, made: Made = {}): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    WITH ${idempotencyCte(projectId, use, made)} SELECT 1 AS "free" FROM "idempotency"`;
  return rows.length > 0;
}

/** Completes it with what the transaction has made. @param sizes how many of the emails each of its items has; 0 for a refused one */
export async function endKey(
  db: SqlDb,
  projectId: string,
  key: string,
  { emailIds, sizes }: { emailIds: string[]; sizes: number[] },
): Promise<void> {
  await db.$executeRaw`
    UPDATE "IdempotencyKey" SET "emailIds" = ${emailIds}::uuid[], "sizes" = ${sizes}::int[] WHERE "projectId" = ${projectId}::uuid AND "key" = ${key}`;
}

/** Makes a request wait for the statement of an earlier one with the same key. */
export const keyLocks = (projectId: string, use: KeyUse | null): Lock[] =>
  use ? [{ name: `${projectId}:${use.key}`, value: null }] : [];

/** An email of the first request, as in its reply, with its present state. What was erased since, and what copies never had, is null. */
interface MadeEmail {
  contact: { id: string; email: string } | null;
  email: string;
  to: string;
  recipientType: 'TO' | 'CC' | 'BCC';
  status: string | null;
  reason: string | null;
  scheduledAt: string | null;
  heldBy: 'schedule' | null;
  estimatedSendAt: string | null;
}

/** The first use of a key, and what it made. */
interface UsedKey {
  request: string;
  createdAt: Date;
  statusCode: number | null;
  digest: string | null;
  sizes: number[] | null;
  eventId: string | null;
  contactId: string | null;
  emails: MadeEmail[] | null;
  isInUse: boolean;
}

/* What was made is found by its ids alone. */
const usedKey = prepared<{ projectId: string; key: string; ttlHours: number }>(
  'used-key',
  ({ projectId, key, ttlHours }) => Prisma.sql`
    SELECT k."request", k."createdAt", k."statusCode", k."digest", k."sizes", k."eventId",
      k."createdAt" > now() - ${ttlHours}::float8 * interval '1 hour' AS "isInUse",
      (SELECT e."contactId" FROM "Event" e WHERE e."id" = k."eventId" AND e."projectId" = k."projectId") AS "contactId",
      (SELECT jsonb_agg(jsonb_build_object(
          'contact', CASE WHEN c."id" IS NOT NULL AND m."recipientType" IS NULL THEN jsonb_build_object('id', c."id", 'email', c."email") END,
          'email', made."id", 'to', coalesce(m."to", ''), 'recipientType', coalesce(m."recipientType"::text, 'TO'),
          'status', CASE WHEN s."waits" THEN 'SCHEDULED' ELSE m."status"::text END, 'reason', m."reason", 'scheduledAt', s."at",
          'heldBy', CASE WHEN s."waits" THEN 'schedule' END, 'estimatedSendAt', CASE WHEN s."waits" THEN s."at" END) ORDER BY made."n")
        FROM unnest(k."emailIds") WITH ORDINALITY AS made("id", "n")
        LEFT JOIN "Email" m ON m."id" = made."id" AND m."projectId" = k."projectId"
        CROSS JOIN LATERAL (SELECT to_char(m."scheduledAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "at",
          m."status" = 'PENDING' AND m."attempts" = 0 AND m."scheduledAt" > now() AS "waits") s
        LEFT JOIN "Contact" c ON c."id" = m."contactId" AND c."projectId" = k."projectId") AS "emails"
    FROM "IdempotencyKey" k WHERE k."projectId" = ${projectId}::uuid AND k."key" = ${key}`,
);

type Caller = Pick<Context, 'services' | 'actor'>;

async function readUse(
  { services }: Pick<Context, 'services'>,
  projectId: string,
  key: string,
): Promise<UsedKey | null> {
  const ttlHours = services.config.IDEMPOTENCY_TTL_HOURS;
  const { rows } = await services.database.durable.query<UsedKey>(usedKey({ projectId, key, ttlHours }));
  return rows[0] ?? null;
}

/** The error for a key that the gate, or a statement, has found in use. */
export async function idempotencyKeyReused(
  caller: Caller,
  projectId: string,
  key: string,
): Promise<AppError> {
  return errorOf(caller, key, await readUse(caller, projectId, key));
}

/** The same where no statement has looked the key up; null while it is free. */
export async function findReuse(caller: Caller, projectId: string, key: string): Promise<AppError | null> {
  const used = await readUse(caller, projectId, key);
  return used?.isInUse ? errorOf(caller, key, used) : null;
}

/** The first use of a key, for a door that answers a repeated request as it answered the first. */
interface FirstUse {
  request: string;
  createdAt: Date;
  /** of its body; null where the door had none */
  digest: string | null;
  /** the emails of each item of the request; none for a refused item */
  items: MadeEmail[][];
}

/** @returns null while the key is free */
export async function findFirstUse(
  caller: Pick<Context, 'services'>,
  projectId: string,
  key: string,
): Promise<FirstUse | null> {
  const used = await readUse(caller, projectId, key);
  if (!used?.isInUse) return null;
  const { request, createdAt, digest, emails, sizes } = used;
  return { request, createdAt, digest, items: itemsOf(emails ?? [], sizes ?? [emails?.length ?? 0]) };
}

/** @param used null if its row has been removed in the meantime */
function errorOf({ actor }: Caller, key: string, used: UsedKey | null): AppError {
  return new AppError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used before', {
    details: {
      key,
      originalRequest: used?.request ?? null,
      originalRequestAt: used?.createdAt.toISOString() ?? null,
      originalStatusCode: used?.statusCode ?? null,
      originalDigest: null,
      ...(used && (used.eventId !== null || isPermitted(actor, 'email:read')) && madeFirst(used)),
    },
    suggestion: suggestions.IDEMPOTENCY_KEY_REUSED,
  });
}

/** What a request made, as in its reply; a public key, which every visitor of a web page can read, learns nothing of email. */
function madeFirst({ digest, eventId, contactId, emails, sizes }: UsedKey): Record<string, unknown> {
  const originalDigest = digest;
  if (eventId !== null) return { originalDigest, event: eventId, contact: contactId };
  if (!emails) return { originalDigest };
  return { originalDigest, emails, ...(sizes && { results: resultsOf(emails, sizes) }) };
}

/** The emails of each item of a request with several. */
const resultsOf = (emails: readonly MadeEmail[], sizes: readonly number[]): object[] =>
  itemsOf(emails, sizes).map((made, index) =>
    made.length > 0 ? { index, status: 'ACCEPTED', emails: made } : { index, status: 'REFUSED' },
  );

function itemsOf(emails: readonly MadeEmail[], sizes: readonly number[]): MadeEmail[][] {
  let next = 0;
  return sizes.map((size) => {
    const made = emails.slice(next, next + size);
    next += size;
    return made;
  });
}
