import { type Db, Prisma, type SegmentType } from '../../../base/db/index.ts';
import type { Secrets } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { dataLimitBytes, type Primitive } from '../contacts.rules.ts';
import { recallFormerSpellings } from '../former-spellings.store.ts';

/** The change an import makes to one address. */
export interface ImportedContact {
  email: string;
  data: Record<string, Primitive>;
}

export interface Imported {
  /** number of addresses without a contact before */
  created: number;
  /** addresses whose contact would exceed the data limit */
  tooLarge: string[];
}

/**
 * Creates or updates many contacts in one statement, each address once in `contacts`: data is merged key by key, an existing contact
 * keeps its subscription, a new one gets `subscribed` unless its address has an opt-out on record. Contacts are
 * locked in email order; unchanged ones are not written.
 *
 * Existing contacts are found by the unique index (`ON CONFLICT`), not by a join: while a project grows faster than
 * its statistics, the planner would scan the whole project for every batch.
 */
export async function importContacts(
  db: Db,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  contacts: readonly ImportedContact[],
  subscribed: boolean,
): Promise<Imported> {
  await recallFormerSpellings(
    db,
    secrets,
    projectId,
    contacts.map(({ email }) => email),
  );
  const hashOf = (email: string): string =>
    subscribed ? secrets.addressHash(projectId, email).toString('hex') : '';
  const [row] = await db.$queryRaw<{ created: number; untouched: string[] }[]>(Prisma.sql`
    WITH "input" AS MATERIALIZED (
      SELECT u.id, u.email, u.patch::jsonb AS patch, decode(u.hash, 'hex') AS hash
      FROM unnest(
        ${contacts.map(() => newId())}::uuid[], ${contacts.map(({ email }) => email)}::text[],
        ${contacts.map(({ data }) => JSON.stringify(data))}::text[], ${contacts.map(({ email }) => hashOf(email))}::text[]
      ) AS u(id, email, patch, hash)
    ), "written" AS (
      INSERT INTO "Contact" AS c ("id", "projectId", "email", "subscribed", "data")
      SELECT i.id, ${projectId}::uuid, i.email,
        ${subscribed}::boolean AND NOT EXISTS (
          SELECT FROM "OptOut" o WHERE o."projectId" = ${projectId}::uuid AND o."addressHash" = i.hash),
        i.patch
      FROM "input" i
      ORDER BY i.email
      ON CONFLICT ("projectId", "email") DO UPDATE SET "data" = c."data" || EXCLUDED."data", "updatedAt" = now()
      WHERE c."data" || EXCLUDED."data" <> c."data" AND ${fits(Prisma.sql`c."data" || EXCLUDED."data"`)}
      RETURNING c."id", c."email"
    )
    SELECT
      count(*) FILTER (WHERE w."id" = i.id)::int AS "created",
      coalesce(array_agg(i.email) FILTER (WHERE w."id" IS NULL), '{}') AS "untouched"
    FROM "input" i LEFT JOIN "written" w ON w."email" = i.email`);
  if (!row || row.untouched.length === 0) return { created: row?.created ?? 0, tooLarge: [] };
  const untouched = new Set(row.untouched);
  const tooLarge = await findTooLarge(
    db,
    projectId,
    contacts.filter(({ email }) => untouched.has(email)),
  );
  return { created: row.created, tooLarge };
}

/** SQL condition: the data is within the limit, not counting the spaces that PostgreSQL adds to JSON text. */
const fits = (data: Prisma.Sql): Prisma.Sql => Prisma.sql`
  octet_length((${data})::text) - 2 * (SELECT count(*) FROM jsonb_object_keys(${data})) + 1 <= ${dataLimitBytes}::int`;

/** Finds the contacts that were not written because their data would exceed the limit. The other locked contacts are unchanged. */
async function findTooLarge(
  db: Db,
  projectId: string,
  contacts: readonly ImportedContact[],
): Promise<string[]> {
  // One lookup per address by the unique index: a join may scan the whole project, and the trigram index is slow for whole addresses.
  await db.$executeRaw`SET LOCAL enable_bitmapscan = off`;
  const rows = await db.$queryRaw<{ email: string }[]>(Prisma.sql`
    SELECT u.email FROM unnest(
      ${contacts.map(({ email }) => email)}::text[], ${contacts.map(({ data }) => JSON.stringify(data))}::text[]) AS u(email, patch)
    WHERE (
      SELECT NOT (${fits(Prisma.sql`c."data" || u.patch::jsonb`)})
      FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."email" = u.email)`);
  await db.$executeRaw`SET LOCAL enable_bitmapscan = on`;
  return rows.map(({ email }) => email);
}

/** @returns null for an unknown segment, and for one of another project */
export async function typeOfSegment(db: Db, projectId: string, id: string): Promise<SegmentType | null> {
  const segment = await db.segment.findFirst({ where: { id, projectId }, select: { type: true } });
  return segment?.type ?? null;
}
