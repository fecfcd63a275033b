import { constant, type Db, Prisma } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import type { EmailRecord } from './sending.schema.ts';

export type RecipientType =
  | 'sent'
  | 'delivered'
  | 'opened'
  | 'clicked'
  | 'bounced'
  | 'complained'
  | 'failed'
  | 'skipped'
  | 'uncertain';

export interface RecipientRow {
  id: string;
  contactId: string | null;
  email: string;
  status: string;
  reason: string | null;
  error: string | null;
  diagnosis: EmailRecord['diagnosis'];
  occurredAt: Date;
}

export interface RecipientSearch {
  projectId: string;
  campaignId: string;
  type?: RecipientType | undefined;
  /** whether some of its emails may wait; otherwise the rows of the log about waiting ones are not read */
  hasPending: boolean;
  after: Keyset | null;
  limit: number;
}

/** The time at which an email reached each state of the recipient log; null in other states. */
const times = {
  SENT: Prisma.sql`e."sentAt"`,
  DELIVERED: Prisma.sql`e."deliveredAt"`,
  OPENED: Prisma.sql`e."openedAt"`,
  CLICKED: Prisma.sql`e."clickedAt"`,
  BOUNCED: Prisma.sql`e."bouncedAt"`,
  COMPLAINED: Prisma.sql`e."complainedAt"`,
} as const;

const present = ['PENDING', 'FAILED', 'SKIPPED', 'UNCERTAIN'] as const;

const reachedAt = Prisma.sql`CASE l."status" ${Prisma.join(
  Object.entries(times).map(([status, time]) => Prisma.sql`WHEN '${constant(status)}' THEN ${time}`),
  ' ',
)} ELSE CASE WHEN e."status" = l."status" THEN e."updatedAt" END END`;

/** The states whose rows of the log a list merges. */
const statesOf = ({ type, hasPending }: RecipientSearch): string[] => {
  if (type) return [type.toUpperCase()];
  const states: string[] = [...Object.keys(times), ...present];
  return hasPending ? states : states.filter((state) => state !== 'PENDING');
};

interface PageRow extends RecipientRow {
  campaignId: string;
  /** whether older rows of the log were left out */
  isCut: boolean;
}

/** One keyset page of a campaign's emails, latest change first. */
export async function findRecipients(db: Db, search: RecipientSearch): Promise<RecipientRow[]> {
  return (await findRecipientsOfEach(db, [search])).get(search.campaignId) ?? [];
}

/**
 * One keyset page of the emails of each campaign, latest change first.
 *
 * The newest rows of the recipient log are read until their emails fill the page. A row may name emails that have left the state
 * since, and its time range may overlap with the next one's, so a page can need more rows than expected.
 */
export async function findRecipientsOfEach(
  db: Db,
  searches: readonly RecipientSearch[],
): Promise<Map<string, RecipientRow[]>> {
  const pages = new Map<string, RecipientRow[]>();
  let open = searches;
  for (let factor = 1; open.length > 0; factor *= 8) {
    const parts = open.map(
      (search) => Prisma.sql`SELECT * FROM (${pageOf(search, search.limit * factor)}) page`,
    );
    const read = await db.$queryRaw<PageRow[]>`
      ${Prisma.join(parts, ' UNION ALL ')} ORDER BY "occurredAt" DESC, "id" DESC`;
    const byCampaign = Map.groupBy(read, ({ campaignId }) => campaignId);
    open = open.filter(({ campaignId, limit }) => {
      const found = byCampaign.get(campaignId) ?? [];
      const rows = found.filter(({ id }) => id !== null);
      pages.set(
        campaignId,
        rows.map(({ isCut: _isCut, campaignId: _campaignId, ...row }) => row),
      );
      return found.some(({ isCut }) => isCut) && rows.length < limit;
    });
  }
  return pages;
}

/** @param budget rows of the log are read until they name this many emails */
function pageOf(search: RecipientSearch, budget: number): Prisma.Sql {
  const { projectId, campaignId, type, after, limit } = search;
  const value = after ? new Date(after.value) : null;
  const fromCursor = after
    ? Prisma.sql`AND l."at" <= ${value} AND (l."at" < ${value} OR l."firstId" < ${after.id}::uuid)`
    : Prisma.empty;
  const older = after ? Prisma.sql`AND (l."at", e."id") < (${value}, ${after.id}::uuid)` : Prisma.empty;
  // Without a type, an email is listed once: in its present state.
  const isPresent = type ? Prisma.empty : Prisma.sql`AND e."status" = l."status"`;
  return Prisma.sql`
WITH newest AS MATERIALIZED (
  SELECT r.* FROM unnest(${statesOf(search)}::"EmailStatus"[]) AS s("status")
  CROSS JOIN LATERAL (
    SELECT l."campaignId", l."status", l."at", l."lastId", l."id", l."count" FROM "RecipientLog" l
    WHERE l."campaignId" = ${campaignId}::uuid AND l."status" = s."status" ${fromCursor}
    ORDER BY l."at" DESC, l."lastId" DESC, l."id" DESC LIMIT ${budget + 1}::int
  ) r
), ranked AS MATERIALIZED (
  SELECT n.*, sum(n."count") OVER newest_first - n."count" AS "before", row_number() OVER newest_first AS "rank"
  FROM newest n WINDOW newest_first AS (ORDER BY n."at" DESC, n."lastId" DESC, n."id" DESC)
), bound AS MATERIALIZED (
  SELECT "at", "lastId" FROM ranked WHERE "before" >= ${budget}::int OR "rank" > ${budget}::int ORDER BY "rank" LIMIT 1
), page AS MATERIALIZED (
  SELECT DISTINCT ON (l."at", e."id") e.*, l."at"
  FROM ranked r CROSS JOIN LATERAL (
    SELECT l."status", l."at", l."emailIds" FROM "RecipientLog" l
    WHERE l."campaignId" = r."campaignId" AND l."status" = r."status" AND l."at" = r."at" AND l."lastId" = r."lastId" AND l."id" = r."id"
    OFFSET 0
  ) l
  CROSS JOIN LATERAL unnest(l."emailIds") AS u("id")
  CROSS JOIN LATERAL (
    SELECT e."id", e."projectId", e."campaignId", e."contactId", e."to", e."status", e."reason", e."error", e."diagnosis", e."batchId", e."updatedAt",
      ${Prisma.join(Object.values(times))}
    FROM "Email" e WHERE e."id" = u."id" OFFSET 0
  ) e
  WHERE r."before" < ${budget}::int AND r."rank" <= ${budget}::int
    AND e."projectId" = ${projectId}::uuid AND e."campaignId" = ${campaignId}::uuid
    AND ${reachedAt} = l."at" ${isPresent} ${older}
    AND NOT EXISTS (SELECT FROM bound b WHERE (l."at", e."id") <= (b."at", b."lastId"))
  ORDER BY l."at" DESC, e."id" DESC LIMIT ${limit}::int
)
SELECT ${campaignId}::text AS "campaignId", p."id", p."contactId", p."to" AS "email", p."reason", p."error", p."diagnosis", p."at" AS "occurredAt",
  CASE WHEN p."status" = 'PENDING' AND (SELECT "token" FROM "DeliveryBatch" WHERE "id" = p."batchId") IS NOT NULL
    THEN 'SENDING' ELSE p."status"::text END AS "status",
  cut."isCut"
FROM (SELECT EXISTS (SELECT FROM bound) AS "isCut") cut LEFT JOIN page p ON true
ORDER BY p."at" DESC, p."id" DESC`;
}
