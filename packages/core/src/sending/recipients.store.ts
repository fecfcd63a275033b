import { type Db, Prisma } from '../db/index.ts';
import type { Keyset } from '../kernel/index.ts';

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
  occurredAt: Date;
}

export interface RecipientSearch {
  projectId: string;
  campaignId: string;
  type?: RecipientType | undefined;
  after: Keyset | null;
  limit: number;
}

const timestamps: Partial<Record<RecipientType, Prisma.Sql>> = {
  sent: Prisma.sql`e."sentAt"`,
  delivered: Prisma.sql`e."deliveredAt"`,
  opened: Prisma.sql`e."openedAt"`,
  clicked: Prisma.sql`e."clickedAt"`,
  bounced: Prisma.sql`e."bouncedAt"`,
  complained: Prisma.sql`e."complainedAt"`,
};

const statuses: Partial<Record<RecipientType, Prisma.Sql>> = {
  failed: Prisma.sql`'FAILED'`,
  skipped: Prisma.sql`'SKIPPED'`,
  uncertain: Prisma.sql`'UNCERTAIN'`,
};

/** When an email reached its current status. */
const statusAt = Prisma.sql`coalesce(CASE e."status"
  WHEN 'SENT' THEN e."sentAt" WHEN 'DELIVERED' THEN e."deliveredAt" WHEN 'OPENED' THEN e."openedAt" WHEN 'CLICKED' THEN e."clickedAt"
  WHEN 'BOUNCED' THEN e."bouncedAt" WHEN 'COMPLAINED' THEN e."complainedAt" END, e."updatedAt")`;

const occurredAtOf = (type: RecipientType | undefined): Prisma.Sql => (type && timestamps[type]) ?? statusAt;

function conditionOf({ projectId, campaignId, type }: RecipientSearch): Prisma.Sql {
  const own = Prisma.sql`e."projectId" = ${projectId}::uuid AND e."campaignId" = ${campaignId}::uuid`;
  if (!type) return own;
  const status = statuses[type];
  return status
    ? Prisma.sql`${own} AND e."status" = ${status}::"EmailStatus"`
    : Prisma.sql`${own} AND ${occurredAtOf(type)} IS NOT NULL`;
}

/** One keyset page of a campaign's emails, latest change first. */
export function findRecipients(db: Db, search: RecipientSearch): Promise<RecipientRow[]> {
  const { after, type, limit } = search;
  const occurredAt = occurredAtOf(type);
  const older = after
    ? Prisma.sql`AND (${occurredAt}, e."id") < (${new Date(after.value)}, ${after.id}::uuid)`
    : Prisma.empty;
  return db.$queryRaw<RecipientRow[]>(Prisma.sql`
SELECT page.*, CASE WHEN d."token" IS NOT NULL AND page."stored" = 'PENDING' THEN 'SENDING' ELSE page."stored" END AS "status"
FROM (
  SELECT e."id", e."contactId", e."to" AS "email", e."status"::text AS "stored", e."reason", e."error", ${occurredAt} AS "occurredAt"
  FROM "Email" e WHERE ${conditionOf(search)} ${older}
  ORDER BY ${occurredAt} DESC, e."id" DESC LIMIT ${limit}
) page LEFT JOIN "Delivery" d ON d."emailId" = page."id"
ORDER BY page."occurredAt" DESC, page."id" DESC`);
}

export async function countRecipients(db: Db, search: RecipientSearch): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS count FROM "Email" e WHERE ${conditionOf(search)}`,
  );
  return rows[0]?.count ?? 0;
}
