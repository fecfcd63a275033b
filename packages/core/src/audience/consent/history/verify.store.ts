import { type Db, Prisma } from '../../../base/db/index.ts';

/** The state of a contact, as JSON, by what its row has and by what its acts say; equal for a contact that is as it should be. */
export interface Difference {
  id: string;
  stored: string;
  folded: string;
}

const state = (of: string): Prisma.Sql =>
  Prisma.raw(`jsonb_build_object('seq', ${of}."seq", 'subscribed', ${of}."subscribed", 'snoozedUntil', ${of}."snoozedUntil", 'pendingUntil', ${of}."pendingUntil",
    'topicsOn', ${of}."topicsOn", 'topicsOff', ${of}."topicsOff", 'topicDefaults', ${of}."topicDefaults", 'stated', ${of}."stated",
    'optOutBy', ${of}."optOutBy", 'consentBasis', ${of}."consentBasis", 'consentedAt', ${of}."consentedAt")`);

/** What the acts say of the contacts of a page; nothing was ever said of one without acts. */
const folded = (projectId: string, after: string, limit: number): Prisma.Sql => Prisma.sql`
  "page" AS MATERIALIZED (
    SELECT c."id", c."consentSeq" AS "seq", c."subscribed", c."snoozedUntil", c."pendingUntil", coalesce(c."topicsOn", '{}') AS "topicsOn",
      coalesce(c."topicsOff", '{}') AS "topicsOff", c."topicDefaults", c."stated", c."optOutBy", c."consentBasis", c."consentedAt"
    FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."id" > ${after}::uuid ORDER BY c."id" LIMIT ${limit}::int
  ), "compared" AS (
    SELECT p."id", ${state('p')} AS "stored", ${state('f')} AS "folded" FROM (
      -- Of a contact that is only known from before there was a log, no act says what it is.
      SELECT * FROM "page" WHERE "seq" IS NOT NULL
    ) p JOIN (
      SELECT n."id", coalesce(f."seq", 0) AS "seq", coalesce(f."subscribed", false) AS "subscribed", f."snoozedUntil", f."pendingUntil",
        coalesce(f."topicsOn", '{}') AS "topicsOn", coalesce(f."topicsOff", '{}') AS "topicsOff", coalesce(f."topicDefaults", true) AS "topicDefaults",
        coalesce(f."stated", false) AS "stated", f."optOutBy", f."consentBasis", f."consentedAt"
      FROM "page" n LEFT JOIN fold_consent(${projectId}::uuid, ARRAY(SELECT "id" FROM "page")) f ON f."contactId" = n."id"
    ) f ON f."id" = p."id"
  )`;

export interface VerifiedPage {
  count: number;
  last: string | null;
  differences: Difference[];
}

const firstId = '00000000-0000-0000-0000-000000000000';

/** Folds the acts of the next contacts in the order of their ids, and compares what they say with the rows. Reads nothing else. */
export async function verifyPage(
  db: Db,
  projectId: string,
  after: string | null,
  limit: number,
): Promise<VerifiedPage> {
  const [row] = await db.$queryRaw<VerifiedPage[]>`
    WITH ${folded(projectId, after ?? firstId, limit)}
    SELECT (SELECT count(*)::int FROM "page") AS "count", (SELECT "id"::text FROM "page" ORDER BY "id" DESC LIMIT 1) AS "last",
      coalesce((SELECT jsonb_agg(jsonb_build_object('id', "id", 'stored', "stored"::text, 'folded', "folded"::text) ORDER BY "id")
        FROM "compared" WHERE "stored" <> "folded"), '[]') AS "differences"`;
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
