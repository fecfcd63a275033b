import type { Pool } from 'pg';
import { Prisma, prepared } from '../../../base/db/index.ts';
import type { WebhookFormat } from '../formats/format-types.rules.ts';

/** A delivery that this process attempts now. */
export interface ClaimedDelivery {
  id: string;
  /** of the claim; the result counts only while it is the last one */
  token: string;
  endpointId: string;
  /** names the turn that it belongs to (behaviour B8.6): the owner of its project, or '' for all unproven ones */
  turn: string;
  type: string;
  data: Record<string, unknown>;
  /** what a foreign format says beside `data` */
  origin: Record<string, unknown> | null;
  eventAt: Date;
  /** for how long it had been due */
  lateMs: number;
  isFirstAttempt: boolean;
  url: string;
  format: WebhookFormat;
  secretCipher: string;
  /** null once it no longer signs */
  previousSecretCipher: string | null;
}

interface ClaimValues {
  token: string;
  /** JSON: deliveries to claim at most, by the id of the endpoint */
  free: string;
  /** the same for an endpoint that is not listed */
  perEndpoint: number;
  /** turns that have as many requests as they may have */
  fullTurns: string[];
  total: number;
  leaseMs: number;
}

/**
 * Claims due deliveries of every endpoint. The endpoints with pending deliveries are found by steps through an index, so the cost does not
 * depend on how many deliveries wait for one of them. They come in turns of the owners of their projects, those of one turn in a random order,
 * so that `total` keeps none waiting for long.
 */
const claim = prepared<ClaimValues>(
  'claim-webhooks',
  ({ token, free, perEndpoint, fullTurns, total, leaseMs }) => Prisma.sql`
WITH RECURSIVE waiting AS (
  (SELECT d."endpointId" FROM "WebhookDelivery" d WHERE d."status" = 'PENDING' ORDER BY d."endpointId" LIMIT 1)
  UNION ALL
  SELECT (
    SELECT d."endpointId" FROM "WebhookDelivery" d WHERE d."status" = 'PENDING' AND d."endpointId" > w."endpointId"
    ORDER BY d."endpointId" LIMIT 1)
  FROM waiting w WHERE w."endpointId" IS NOT NULL
), owned AS MATERIALIZED (
  SELECT e.*, coalesce(o."turn", '') AS "turn", random() AS chance FROM waiting w JOIN "WebhookEndpoint" e ON e."id" = w."endpointId"
  LEFT JOIN LATERAL (
    SELECT u."id"::text AS "turn" FROM "Member" m JOIN "User" u ON u."id" = m."userId"
    WHERE m."projectId" = e."projectId" AND m."role" = 'OWNER' AND u."emailVerified" LIMIT 1
  ) o ON true
  WHERE e."enabled"
), endpoint AS MATERIALIZED (
  SELECT * FROM owned WHERE NOT "turn" = ANY(${fullTurns}::text[])
  ORDER BY row_number() OVER (PARTITION BY "turn" ORDER BY chance), chance
), picked AS MATERIALIZED (
  SELECT p."id", e."turn", e."url", e."format", e."secretCipher",
    CASE WHEN e."previousSecretUntil" > now() THEN e."previousSecretCipher" END AS "previousSecretCipher"
  FROM endpoint e CROSS JOIN LATERAL (
    SELECT d."id" FROM "WebhookDelivery" d
    WHERE d."endpointId" = e."id" AND d."status" = 'PENDING' AND d."nextAttemptAt" <= now()
      AND (d."claimedUntil" IS NULL OR d."claimedUntil" <= now())
    ORDER BY d."nextAttemptAt" LIMIT coalesce((${free}::jsonb ->> e."id"::text)::int, ${perEndpoint}::int)
    FOR UPDATE SKIP LOCKED
  ) p
  LIMIT ${total}::int
)
UPDATE "WebhookDelivery" d SET "token" = ${token}::uuid, "claimedUntil" = now() + ${leaseMs}::int * interval '1 millisecond'
-- An array, so that each row is found by its id, in the slice that this names.
FROM picked p WHERE d."id" = ANY(ARRAY[p."id"])
RETURNING d."id", d."token", d."endpointId", p."turn", d."type", d."data", d."origin", d."eventAt",
  extract(epoch FROM clock_timestamp() - d."nextAttemptAt")::float8 * 1000 AS "lateMs", d."tries" = 0 AS "isFirstAttempt", p."url", p."format"::text AS "format", p."secretCipher", p."previousSecretCipher"`,
);

export async function claimDeliveries(pool: Pool, values: ClaimValues): Promise<ClaimedDelivery[]> {
  const { rows } = await pool.query<ClaimedDelivery>(claim(values));
  return rows;
}
