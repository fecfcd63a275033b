import { constant, type Db, type Prisma } from '../../../base/db/index.ts';

/** The state of a contact, as JSON, by what its row has and by what its acts say; equal for a contact that is as it should be. */
export interface Difference {
  id: string;
  stored: string;
  folded: string;
}

const columns = [
  'seq',
  'subscribed',
  'snoozedUntil',
  'pendingUntil',
  'topicsOn',
  'topicsOff',
  'topicDefaults',
  'stated',
  'optOutBy',
  'consentBasis',
  'consentedAt',
];
const rowOf = (alias: string): Prisma.Sql =>
  constant(`(${columns.map((column) => `${alias}."${column}"`).join(', ')})`);
const jsonOf = (alias: string): Prisma.Sql =>
  constant(
    `jsonb_build_object(${columns.map((column) => `'${column}', ${alias}."${column}"`).join(', ')})::text`,
  );

/** The place of a contact by time of creation: the key of an index by project. */
export interface Place {
  createdAt: string;
  id: string;
}

export interface VerifiedPage {
  /** of the last contact of the page; null without any */
  last: Place | null;
  count: number;
  differences: Difference[];
}

/** Comes before all contacts. */
const first: Place = { createdAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/**
 * Folds the acts of the next contacts in the order of their creation, and compares what they say with the rows. Reads nothing else. Rows are compared
 * as rows: the JSON that names a difference is made for those that differ, since making it takes longer than the fold.
 */
export async function verifyPage(
  db: Db,
  projectId: string,
  after: Place | null,
  limit: number,
): Promise<VerifiedPage> {
  const { createdAt, id } = after ?? first;
  const [row] = await db.$queryRaw<VerifiedPage[]>`
    WITH "page" AS MATERIALIZED (
      SELECT c."id", c."createdAt", c."consentSeq" AS "seq", c."subscribed", c."snoozedUntil", c."pendingUntil",
        coalesce(c."topicsOn", '{}') AS "topicsOn", coalesce(c."topicsOff", '{}') AS "topicsOff", c."topicDefaults", c."stated", c."optOutBy",
        c."consentBasis", c."consentedAt"
      FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND (c."createdAt", c."id") > (${createdAt}::timestamptz, ${id}::uuid)
      ORDER BY c."createdAt", c."id" LIMIT ${limit}::int
    ), "compared" AS (
      SELECT p."id", ${jsonOf('p')} AS "stored", ${jsonOf('f')} AS "folded"
      FROM "page" p
      LEFT JOIN fold_consent(${projectId}::uuid, ARRAY(SELECT "id" FROM "page" WHERE "seq" IS NOT NULL)) a ON a."contactId" = p."id"
      -- Nothing was ever said of a contact without acts.
      CROSS JOIN LATERAL (
        SELECT coalesce(a."seq", 0) AS "seq", coalesce(a."subscribed", false) AS "subscribed", a."snoozedUntil", a."pendingUntil",
          coalesce(a."topicsOn", '{}') AS "topicsOn", coalesce(a."topicsOff", '{}') AS "topicsOff", coalesce(a."topicDefaults", true) AS "topicDefaults",
          coalesce(a."stated", false) AS "stated", a."optOutBy", a."consentBasis", a."consentedAt"
      ) f
      -- Of a contact that is only known from before there was a log, no act says what it is.
      WHERE p."seq" IS NOT NULL AND ${rowOf('p')} IS DISTINCT FROM ${rowOf('f')}
    )
    SELECT (SELECT count(*)::int FROM "page") AS "count",
      (SELECT jsonb_build_object('createdAt', "createdAt", 'id', "id") FROM "page" ORDER BY "createdAt" DESC, "id" DESC LIMIT 1) AS "last",
      coalesce((SELECT jsonb_agg(jsonb_build_object('id', "id", 'stored', "stored", 'folded', "folded") ORDER BY "id") FROM "compared"), '[]')
        AS "differences"`;
  return row ?? { count: 0, last: null, differences: [] };
}

/** Writes what the acts of contacts say into their rows. Runs within a transaction, with the contacts locked. */
export const rebuildContacts = (
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<number> => db.$executeRaw`
  WITH "held" AS MATERIALIZED (
    SELECT "id" FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${[...ids]}::uuid[]) ORDER BY "email" FOR NO KEY UPDATE
  )
  UPDATE "Contact" c SET "subscribed" = coalesce(f."subscribed", false), "snoozedUntil" = f."snoozedUntil", "pendingUntil" = f."pendingUntil",
    "topicsOn" = coalesce(f."topicsOn", '{}'), "topicsOff" = coalesce(f."topicsOff", '{}'), "topicDefaults" = coalesce(f."topicDefaults", true),
    "stated" = coalesce(f."stated", false), "optOutBy" = f."optOutBy", "consentBasis" = f."consentBasis", "consentedAt" = f."consentedAt",
    "consentSeq" = coalesce(f."seq", 0), "updatedAt" = now()
  FROM "held" h LEFT JOIN fold_consent(${projectId}::uuid, ${[...ids]}::uuid[]) f ON f."contactId" = h."id"
  WHERE c."id" = h."id"`;
