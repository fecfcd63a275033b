import type { Pool } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';
import type { SenderIdentity } from '../../base/providers/index.ts';

const domains = prepared<{ limit: number }>(
  'verified-domains',
  ({ limit }) => Prisma.sql`
  SELECT DISTINCT ON (d."domain") d."domain", d."sesTokens", k."selector", k."publicKey"
  FROM "Domain" d JOIN "DomainKey" k ON k."id" = d."keyId" JOIN "Project" p ON p."id" = d."projectId"
  WHERE d."status" = 'VERIFIED' AND d."verifiedBy" = 'DNS' AND p."deletedAt" IS NULL
  ORDER BY d."domain", d."id" LIMIT ${limit}::int`,
);

/** Domains that are verified by their records, by name: neither those of the local mailbox nor that of the demo project, which has none. */
export async function readVerifiedDomains(pool: Pool, limit: number): Promise<SenderIdentity[]> {
  const { rows } = await pool.query<SenderIdentity>(domains({ limit }));
  return rows;
}
