import type { PoolClient } from 'pg';
import {
  constant,
  type EmailClass,
  type EmailSource,
  type Parameter,
  Prisma,
  prepared,
} from '../../db/index.ts';
import { priorities } from '../sending.rules.ts';

/** A claimed email, with everything that decides whether and how it is handed over. */
export interface ClaimedEmail {
  id: string;
  projectId: string;
  campaignId: string | null;
  domainId: string | null;
  domainExists: boolean;
  firstAnsweredAt: Date | null;
  to: string;
  toName: string | null;
  type: EmailClass;
  sourceType: EmailSource;
  contentId: string;
  vars: Record<string, unknown> | null;
  tracked: boolean;
  attempts: number;
  contactId: string | null;
  contactEmail: string | null;
  contactSubscribed: boolean | null;
  acceptedSubscribed: boolean | null;
  contactData: Record<string, unknown> | null;
  suppressed: boolean;
  campaignStatus: string | null;
  projectDisabled: boolean;
  projectDeleted: boolean;
}

export interface ClaimRequest {
  projectId: string;
  /** the fence of this claim */
  token: string;
  worker: string;
  /** maximum number of rows */
  limit: number;
  leaseMs: number;
  /** tokens per second, and the size of the bucket */
  rate: number;
  lane: 'direct' | 'bulk';
}

/** One part per priority, so that no sort spans priorities; each uses what the previous ones left of the limit. */
const parts: Record<ClaimRequest['lane'], number[]> = {
  direct: [priorities.SYSTEM, priorities.TRANSACTIONAL, priorities.WORKFLOW],
  bulk: [priorities.CAMPAIGN],
};

const pickSql = (projectId: Parameter, priority: number, taken: number[]): Prisma.Sql => Prisma.sql`
  p${constant(priority)} AS (
    SELECT "emailId" FROM "Delivery"
    WHERE "projectId" = ${projectId} AND "priority" = ${constant(priority)} AND "nextAttemptAt" <= now() AND "token" IS NULL
    ORDER BY "nextAttemptAt", "emailId"
    LIMIT greatest(0, (SELECT n FROM allowed)${constant(taken.map((part) => ` - (SELECT count(*) FROM p${part})`).join(''))})
    FOR UPDATE SKIP LOCKED
  )`;

const claimOf = (lane: ClaimRequest['lane']) =>
  prepared<Omit<ClaimRequest, 'lane'>>(
    `claim-${lane}`,
    ({ projectId, limit, token, leaseMs, rate, worker }) => {
      const picks = parts[lane].map((priority, index) =>
        pickSql(projectId, priority, parts[lane].slice(0, index)),
      );
      return Prisma.sql`
WITH bucket AS (
  SELECT least(${rate}::float8, "tokens" + greatest(0, extract(epoch FROM clock_timestamp() - "updatedAt")) * ${rate}::float8) AS tokens
  FROM "SendBucket" WHERE "projectId" = ${projectId} FOR UPDATE
), allowed AS (
  SELECT least(${limit}::int, floor(tokens)::int) AS n FROM bucket
), ${Prisma.join(picks)}, picked AS (
  ${Prisma.join(
    parts[lane].map((priority) => Prisma.sql`SELECT "emailId" FROM p${constant(priority)}`),
    ' UNION ALL ',
  )}
), claimed AS (
  UPDATE "Delivery" d SET "token" = ${token}, "dataStartedAt" = NULL
  FROM picked WHERE d."emailId" = picked."emailId"
  RETURNING d."emailId", d."campaignId", d."domainId", d."firstAnsweredAt"
), lease AS (
  INSERT INTO "DeliveryLease" ("token", "projectId", "worker", "leaseUntil")
  SELECT ${token}, ${projectId}, ${worker}, clock_timestamp() + ${leaseMs} * interval '1 millisecond' FROM claimed LIMIT 1
), spent AS (
  UPDATE "SendBucket" SET "tokens" = (SELECT tokens FROM bucket) - (SELECT count(*) FROM claimed), "updatedAt" = clock_timestamp()
  WHERE "projectId" = ${projectId} AND EXISTS (SELECT FROM claimed)
)
SELECT d."emailId" AS id, ${projectId}::uuid AS "projectId", d."campaignId", d."domainId", d."firstAnsweredAt",
  EXISTS (SELECT FROM "Domain" WHERE "id" = d."domainId") AS "domainExists",
  e."to", e."toName", e."type", e."sourceType", e."contentId", e."vars", e."tracked", e."attempts", e."contactId", e."acceptedSubscribed",
  c."email" AS "contactEmail", c."subscribed" AS "contactSubscribed",
  CASE WHEN e."vars" IS NULL THEN c."data" END AS "contactData",
  EXISTS (SELECT FROM "Suppression" s WHERE s."projectId" = ${projectId} AND s."email" = e."to") AS suppressed,
  -- A deleted campaign counts as cancelled.
  CASE WHEN d."campaignId" IS NOT NULL OR e."sourceType" = 'CAMPAIGN'
    THEN coalesce((SELECT "status"::text FROM "Campaign" WHERE "id" = d."campaignId"), 'CANCELLED') END AS "campaignStatus",
  p."disabled" AS "projectDisabled", p."deletedAt" IS NOT NULL AS "projectDeleted"
FROM claimed d
CROSS JOIN LATERAL (SELECT * FROM "Email" WHERE "id" = d."emailId") e
LEFT JOIN LATERAL (SELECT * FROM "Contact" WHERE "id" = e."contactId") c ON true
CROSS JOIN (SELECT "disabled", "deletedAt" FROM "Project" WHERE "id" = ${projectId}) p`;
    },
  );

const claims = { direct: claimOf('direct'), bulk: claimOf('bulk') };

/**
 * Claims up to `limit` due emails of a project, oldest due first, within its sending rate (B8.2: one token per
 * attempt, never returned). Runs on a connection with `synchronous_commit=off`: a claim undone by a crash of the
 * database is detected by `record`, which is durable and checks the fence.
 */
export async function claim(client: PoolClient, { lane, ...request }: ClaimRequest): Promise<ClaimedEmail[]> {
  const { rows } = await client.query<ClaimedEmail>(claims[lane](request));
  return rows;
}

/** Creates a full bucket for a project without one. */
export async function ensureBucket(client: PoolClient, projectId: string, rate: number): Promise<void> {
  await client.query(
    `INSERT INTO "SendBucket" ("projectId", "tokens", "updatedAt") VALUES ($1, $2, clock_timestamp()) ON CONFLICT DO NOTHING`,
    [projectId, rate],
  );
}

/** Extends a lease that has not expired. @returns false when it has: its rows may belong to another worker */
export async function renewLease(client: PoolClient, token: string, leaseMs: number): Promise<boolean> {
  const { rowCount } = await client.query(extendLease({ token, leaseMs }));
  return rowCount === 1;
}

const extendLease = prepared<{ token: string; leaseMs: number }>(
  'renew-lease',
  ({ token, leaseMs }) => Prisma.sql`
    UPDATE "DeliveryLease" SET "leaseUntil" = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    WHERE "token" = ${token} AND "leaseUntil" > clock_timestamp()`,
);

export async function dropLease(client: PoolClient, token: string): Promise<void> {
  await client.query(deleteLease({ token }));
}

const deleteLease = prepared<{ token: string }>(
  'drop-lease',
  ({ token }) => Prisma.sql`DELETE FROM "DeliveryLease" WHERE "token" = ${token}`,
);

const nextDueOf = (lane: ClaimRequest['lane']) =>
  prepared<{ projectId: string }>(`next-due-${lane}`, ({ projectId }) => {
    const firsts = parts[lane].map(
      (priority) => Prisma.sql`(SELECT "nextAttemptAt" AS at FROM "Delivery"
        WHERE "projectId" = ${projectId} AND "priority" = ${constant(priority)} AND "token" IS NULL ORDER BY "nextAttemptAt" LIMIT 1)`,
    );
    return Prisma.sql`SELECT min(at) AS at FROM (${Prisma.join(firsts, ' UNION ALL ')}) due`;
  });

const nextDues = { direct: nextDueOf('direct'), bulk: nextDueOf('bulk') };

/** When the next email of the lane is due; null when nothing waits. Claimed rows do not count. */
export async function nextDue(
  client: PoolClient,
  projectId: string,
  lane: ClaimRequest['lane'],
): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>(nextDues[lane]({ projectId }));
  return rows[0]?.at ?? null;
}
