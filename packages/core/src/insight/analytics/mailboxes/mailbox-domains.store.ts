import { type Db, Prisma } from '../../../base/db/index.ts';

const lowestId = '00000000-0000-0000-0000-000000000000';

/** What a lookup found out about a domain. */
export interface CheckedDomain {
  domain: string;
  /** null when no server answered */
  provider: string | null;
}

/**
 * Enters the domains of the next contacts as due, in the order in which contacts were created, and remembers how far it came, in one
 * statement. A domain that was looked up is due again when it is in another contact after `recheckDays`.
 *
 * @param before id above those of the contacts to read: younger ones may have neighbours that are not committed yet
 * @returns how many contacts were read
 */
export async function collectDomains(
  db: Db,
  { before, limit, recheckDays }: { before: string; limit: number; recheckDays: number },
): Promise<number> {
  const [read] = await db.$queryRaw<{ count: number }[]>`
    WITH contact AS MATERIALIZED (
      SELECT c."id", c."projectId", lower(split_part(c."email", '@', 2)) AS domain FROM "Contact" c
      WHERE c."id" > coalesce((SELECT s."contactId" FROM "MailboxScan" s), ${lowestId}::uuid) AND c."id" < ${before}::uuid
      ORDER BY c."id" LIMIT ${limit}::int
    ), entered AS (
      INSERT INTO "MailboxDomain" AS m ("domain", "dueAt", "requestedBy")
      SELECT DISTINCT ON (c.domain) c.domain, now(), c."projectId" FROM contact c
      WHERE c.domain LIKE '%_._%' AND length(c.domain) <= 253 ORDER BY c.domain, c."id"
      ON CONFLICT ("domain") DO UPDATE SET "dueAt" = EXCLUDED."dueAt", "requestedBy" = EXCLUDED."requestedBy", "failures" = 0
      WHERE m."dueAt" IS NULL AND m."checkedAt" < now() - ${recheckDays}::int * interval '1 day'
    ), moved AS (
      INSERT INTO "MailboxScan" ("contactId") SELECT c."id" FROM contact c ORDER BY c."id" DESC LIMIT 1
      ON CONFLICT ("id") DO UPDATE SET "contactId" = EXCLUDED."contactId"
    )
    SELECT count(*)::int AS "count" FROM contact`;
  return read?.count ?? 0;
}

/**
 * The domains to look up next. Projects take turns, so that one with very many domains does not delay the others: each gets an equal
 * share of `limit`, and at least five.
 */
export async function dueDomains(db: Db, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ domain: string }[]>`
    WITH RECURSIVE asker AS (
      (SELECT "requestedBy" FROM "MailboxDomain" WHERE "dueAt" IS NOT NULL ORDER BY "requestedBy" LIMIT 1)
      UNION ALL
      SELECT (SELECT m."requestedBy" FROM "MailboxDomain" m
        WHERE m."dueAt" IS NOT NULL AND m."requestedBy" > a."requestedBy" ORDER BY m."requestedBy" LIMIT 1)
      FROM asker a WHERE a."requestedBy" IS NOT NULL
    ), share AS (
      SELECT greatest(5, ${limit}::int / greatest(1, count(a."requestedBy"))) AS domains FROM asker a
    )
    SELECT d."domain" FROM asker a CROSS JOIN LATERAL (
      SELECT m."domain", m."dueAt", row_number() OVER (ORDER BY m."dueAt", m."domain") AS nth FROM (
        SELECT m."domain", m."dueAt" FROM "MailboxDomain" m
        WHERE m."requestedBy" = a."requestedBy" AND m."dueAt" <= now()
        ORDER BY m."dueAt" LIMIT (SELECT domains FROM share)
      ) m
    ) d
    ORDER BY d.nth, d."dueAt" LIMIT ${limit}::int`;
  return rows.map(({ domain }) => domain);
}

/** After this many lookups in a row without an answer a domain waits for another contact. */
const mostFailures = 6;

/**
 * Stores what was found. A provider that differs holds for emails sent from now on. A domain without an answer is due again after 5
 * minutes, then after four times as long each time.
 */
export async function storeChecked(db: Db, checked: readonly CheckedDomain[]): Promise<void> {
  const answered = Prisma.sql`x.provider IS NOT NULL`;
  await db.$executeRaw`
    UPDATE "MailboxDomain" m SET
      "before" = CASE WHEN x.provider <> m."provider" THEN m."provider" ELSE m."before" END,
      "since" = CASE WHEN x.provider <> m."provider" THEN now() ELSE m."since" END,
      "provider" = coalesce(x.provider, m."provider"),
      "checkedAt" = CASE WHEN ${answered} OR m."failures" + 1 >= ${mostFailures}::int THEN now() ELSE m."checkedAt" END,
      "dueAt" = CASE WHEN NOT ${answered} AND m."failures" + 1 < ${mostFailures}::int
        THEN now() + power(4, m."failures") * interval '5 minutes' END,
      "requestedBy" = CASE WHEN NOT ${answered} AND m."failures" + 1 < ${mostFailures}::int THEN m."requestedBy" END,
      "failures" = CASE WHEN ${answered} OR m."failures" + 1 >= ${mostFailures}::int THEN 0 ELSE m."failures" + 1 END
    FROM unnest(${checked.map(({ domain }) => domain)}::text[], ${checked.map(({ provider }) => provider)}::text[]) x(domain, provider)
    WHERE m."domain" = x.domain`;
}
