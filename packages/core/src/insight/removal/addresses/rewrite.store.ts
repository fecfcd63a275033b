import { constant, type Db, Prisma } from '../../../base/db/index.ts';

/** A stored address, with the key of its row. */
export interface StoredAddress {
  key: string;
  projectId: string | null;
  address: string;
}

export interface Page {
  rows: StoredAddress[];
  /** the key of the last row that was looked at; null at the end */
  next: string | null;
}

export const parts = ['suppression', 'contact', 'email', 'user', 'invitation'] as const;
export type AddressPart = (typeof parts)[number];

/** Rows that one statement looks at. */
export const pageSize = 1_000;

const byId = (table: Prisma.Sql, address: Prisma.Sql, project: Prisma.Sql) => ({
  select: Prisma.sql`SELECT "id"::text AS "key", ${project} AS "projectId", ${address} AS "address" FROM ${table}`,
  beyond: (position: string) => Prisma.sql`WHERE "id" > ${position}::uuid`,
  order: Prisma.sql`ORDER BY "id"`,
});

const project = Prisma.sql`"projectId"::text`;
const tables = {
  suppression: {
    select: Prisma.sql`SELECT "projectId"::text || ' ' || "email" AS "key", ${project} AS "projectId", "email" AS "address" FROM "Suppression"`,
    beyond: (position: string) =>
      Prisma.sql`WHERE ("projectId", "email") > (${position.slice(0, 36)}::uuid, ${position.slice(37)})`,
    order: Prisma.sql`ORDER BY "projectId", "email"`,
  },
  contact: byId(Prisma.sql`"Contact"`, Prisma.sql`"email"`, project),
  email: byId(Prisma.sql`"Email"`, Prisma.sql`"to"`, project),
  user: byId(Prisma.sql`"User"`, Prisma.sql`"email"`, Prisma.sql`NULL`),
  invitation: byId(Prisma.sql`"Invitation"`, Prisma.sql`"email"`, project),
};

/** Only an address with other characters than ASCII or an encoded label can have another normal form; others have none or are it. */
const mayDiffer = Prisma.sql`(octet_length("address") <> length("address") OR "address" LIKE '%xn--%')`;

/**
 * The next rows of a table in the order of their keys.
 *
 * @param which those whose address may have another form, or all that are not erased
 */
export async function pageOf(
  db: Db,
  part: AddressPart,
  position: string,
  which: 'mayDiffer' | 'all' = 'mayDiffer',
): Promise<Page> {
  const { select, beyond, order } = tables[part];
  const [page] = await db.$queryRaw<{ rows: StoredAddress[] | null; looked: number; last: string | null }[]>`
    WITH page AS MATERIALIZED (${select} ${position === '' ? Prisma.empty : beyond(position)} ${order} LIMIT ${pageSize}::int),
    numbered AS (SELECT *, row_number() OVER () AS n, count(*) OVER () AS total FROM page)
    SELECT count(*)::int AS "looked", max("key") FILTER (WHERE n = total) AS "last",
      json_agg(json_build_object('key', "key", 'projectId', "projectId", 'address', "address") ORDER BY n)
        FILTER (WHERE ${which === 'all' ? Prisma.sql`"address" <> ''` : mayDiffer}) AS "rows"
    FROM numbered`;
  const isLast = (page?.looked ?? 0) < pageSize;
  return { rows: page?.rows ?? [], next: isLast ? null : (page?.last ?? null) };
}

/** Of these rows, the keys of those whose new address another row has. */
export async function findTaken(
  db: Db,
  part: AddressPart,
  rows: readonly { key: string; projectId: string | null; to: string | null }[],
): Promise<Set<string>> {
  const table = { suppression: 'Suppression', contact: 'Contact', user: 'User', invitation: 'Invitation' };
  if (part === 'email' || rows.length === 0) return new Set();
  const inProject = part === 'user' ? Prisma.empty : Prisma.sql`AND o."projectId" = g."projectId"`;
  const found = await db.$queryRaw<{ key: string }[]>`
    SELECT g."key" FROM unnest(${rows.map(({ key }) => key)}::text[], ${rows.map((row) => row.projectId)}::uuid[],
      ${rows.map(({ to }) => to)}::text[]) AS g("key", "projectId", "to")
    WHERE EXISTS (SELECT FROM ${constant(`"${table[part]}"`)} o WHERE o."email" = g."to" ${inProject})`;
  return new Set(found.map(({ key }) => key));
}

export interface Rewrite {
  key: string;
  projectId: string;
  from: string;
  to: string;
}

const given = (rewrites: readonly Rewrite[]): Prisma.Sql => Prisma.sql`
  unnest(${rewrites.map(({ key }) => key)}::text[], ${rewrites.map(({ projectId }) => projectId)}::uuid[],
    ${rewrites.map(({ from }) => from)}::text[], ${rewrites.map(({ to }) => to)}::text[]) AS g("key", "projectId", "from", "to")`;

/** Of several entries that become one that stays which lasts longest, and of those the first. @returns how many had another form */
export const rewriteSuppressions = (db: Db, rewrites: readonly Rewrite[]): Promise<number> => db.$executeRaw`
  WITH former AS (
    DELETE FROM "Suppression" s USING (SELECT x."projectId", x."email", g."to" FROM ${given(rewrites)}
      JOIN "Suppression" x ON x."projectId" = g."projectId" AND x."email" = g."from"
      ORDER BY x."projectId", x."email" FOR UPDATE OF x) l
    WHERE s."projectId" = l."projectId" AND s."email" = l."email" RETURNING s.*, l."to"
  )
  INSERT INTO "Suppression" AS s ("projectId", "email", "reason", "emailId", "createdAt", "expiresAt")
  SELECT DISTINCT ON ("projectId", "to") "projectId", "to", "reason", "emailId", "createdAt", "expiresAt" FROM former
  ORDER BY "projectId", "to", "expiresAt" DESC NULLS FIRST, "createdAt"
  ON CONFLICT ("projectId", "email") DO UPDATE SET "reason" = excluded."reason", "emailId" = excluded."emailId", "createdAt" = excluded."createdAt",
    "expiresAt" = excluded."expiresAt"
    WHERE (coalesce(s."expiresAt", 'infinity'), excluded."createdAt") < (coalesce(excluded."expiresAt", 'infinity'), s."createdAt")`;

/**
 * Gives contacts another address where no other contact has it and nobody of that address opted out before; the others are left.
 *
 * @param hashes the keyed hash of each new address, in hex
 * @returns those that have it now
 */
export const rewriteContacts = (
  db: Db,
  rewrites: readonly Rewrite[],
  hashes: readonly string[],
): Promise<{ id: string }[]> => db.$queryRaw`
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest(${rewrites.map(({ key }) => key)}::uuid[], ${rewrites.map(({ from }) => from)}::text[],
      ${rewrites.map(({ to }) => to)}::text[], ${[...hashes]}::text[]) AS g("id", "from", "to", "hash")
  ), locked AS MATERIALIZED (
    SELECT c."id", g."to", g."hash" FROM given g JOIN "Contact" c ON c."id" = g."id" AND c."email" = g."from"
    ORDER BY c."email" FOR UPDATE OF c
  )
  UPDATE "Contact" c SET "email" = l."to" FROM locked l WHERE c."id" = l."id"
    AND NOT EXISTS (SELECT FROM "Contact" o WHERE o."projectId" = c."projectId" AND o."email" = l."to")
    AND NOT EXISTS (SELECT FROM "OptOut" o WHERE o."projectId" = c."projectId" AND o."addressHash" = decode(l."hash", 'hex'))
  RETURNING c."id"::text`;

export const rewriteEmails = (db: Db, rewrites: readonly Rewrite[]): Promise<number> => db.$executeRaw`
  WITH locked AS MATERIALIZED (
    SELECT e."id", g."to" FROM ${given(rewrites)} JOIN "Email" e ON e."id" = g."key"::uuid AND e."to" = g."from"
    ORDER BY e."id" FOR UPDATE OF e
  )
  UPDATE "Email" e SET "to" = l."to" FROM locked l WHERE e."id" = l."id"`;

/** @returns whether the account has the address now; not if another one has it */
export const rewriteUser = (db: Db, id: string, from: string, to: string): Promise<number> => db.$executeRaw`
  UPDATE "User" u SET "email" = ${to} WHERE u."id" = ${id}::uuid AND u."email" = ${from}
    AND NOT EXISTS (SELECT FROM "User" o WHERE o."email" = ${to})`;

export const rewriteInvitation = (
  db: Db,
  id: string,
  from: string,
  to: string,
): Promise<number> => db.$executeRaw`
  UPDATE "Invitation" i SET "email" = ${to} WHERE i."id" = ${id}::uuid AND i."email" = ${from}
    AND NOT EXISTS (SELECT FROM "Invitation" o WHERE o."projectId" = i."projectId" AND o."email" = ${to})`;

export interface Pass {
  part: AddressPart;
  pass: number;
  position: string;
  completedAt: Date | null;
}

/** Processes of the version before may run on for a while after an update, so that the tables are looked through twice. */
const passes = 2;

/** The table to go on with; null when there is nothing to do now. */
export async function currentPass(db: Db): Promise<Pass | null> {
  await db.addressPass.createMany({ data: parts.map((part) => ({ part })), skipDuplicates: true });
  await db.$executeRaw`
    UPDATE "AddressPass" SET "pass" = "pass" + 1, "position" = '', "completedAt" = NULL
    WHERE "pass" < ${passes}::int AND (SELECT max(coalesce("completedAt", 'infinity')) FROM "AddressPass") < now() - interval '1 hour'`;
  const open = await db.addressPass.findMany({ where: { completedAt: null } });
  const rows = open as unknown as Pass[];
  return parts.flatMap((part) => rows.filter((row) => row.part === part))[0] ?? null;
}

export const savePass = (
  db: Db,
  part: AddressPart,
  next: string | null,
  { rewritten, merged }: { rewritten: number; merged: number },
): Promise<unknown> =>
  db.addressPass.update({
    where: { part },
    data: {
      ...(next === null ? { completedAt: new Date() } : { position: next }),
      rewritten: { increment: rewritten },
      merged: { increment: merged },
    },
  });
