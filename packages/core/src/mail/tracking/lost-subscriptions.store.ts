import type { Pool } from 'pg';
import { constant, Prisma, prepared } from '../../base/db/index.ts';

const lost = prepared<{ madeAt: Date }>(
  'was-lost',
  ({ madeAt }) => Prisma.sql`
  SELECT EXISTS (SELECT FROM "Epoch" WHERE "cause" = 'restore' AND ${madeAt}::timestamptz BETWEEN "dataUntil" AND "lostUntil") AS "lost"`,
);

/** Whether what was stored at a time is in no backup: a restore ended before it, and began again after it (behaviour B11.6). */
export async function wasLost(pool: Pool, madeAt: Date): Promise<boolean> {
  const { rows } = await pool.query<{ lost: boolean }>(lost({ madeAt }));
  return rows[0]?.lost ?? false;
}

export interface ProjectOfAddress {
  projectId: string;
  /** of the contact with the address; null without one */
  contactId: string | null;
}

const projects = prepared<{ address: string; after: string | null; limit: number }>(
  'projects-of-address',
  ({ address, after, limit }) => Prisma.sql`
  SELECT p."id"::text AS "projectId", c."id"::text AS "contactId" FROM (
    SELECT "id" FROM "Project" WHERE "deletedAt" IS NULL AND "id" > coalesce(${after}::uuid, ${constant(`'00000000-0000-0000-0000-000000000000'`)}::uuid)
    ORDER BY "id" LIMIT ${limit}::int
  ) p LEFT JOIN LATERAL (
    SELECT "id" FROM "Contact" WHERE "projectId" = p."id" AND "email" = ${address} LIMIT 1
  ) c ON true ORDER BY p."id"`,
);

/** A page of all projects, with the contact that has an address in each. */
export async function findProjectsOf(
  pool: Pool,
  address: string,
  after: string | null,
  limit: number,
): Promise<ProjectOfAddress[]> {
  const { rows } = await pool.query<ProjectOfAddress>(projects({ address, after, limit }));
  return rows;
}

const optOuts = prepared<{ projectIds: string[]; hashes: string[] }>(
  'opt-out-everywhere',
  ({ projectIds, hashes }) => Prisma.sql`
WITH "kept" AS (
  INSERT INTO "OptOut" AS o ("projectId", "addressHash", "byRecipient")
  SELECT u.id, decode(u.hash, 'hex'), true FROM unnest(${projectIds}::uuid[], ${hashes}::text[]) AS u(id, hash) ORDER BY u.id
  ON CONFLICT ("projectId", "addressHash") DO UPDATE SET "byRecipient" = true WHERE NOT o."byRecipient"
  RETURNING "projectId", "addressHash"
)
INSERT INTO "ConsentAct" ("seq", "projectId", "addressHash", "action", "effect", "source", "actor", "optOutBy")
SELECT nextval('"ConsentSeq"'), "projectId", "addressHash", 'unsubscribe', 'changed', 'page', 'recipient', 'recipient' FROM "kept"`,
);

/** Opts out an address of projects that have no contact with it, which its keyed hash of each project tells. */
export const optOutOf = (
  pool: Pool,
  those: readonly { projectId: string; hash: string }[],
): Promise<unknown> =>
  pool.query(
    optOuts({
      projectIds: those.map(({ projectId }) => projectId),
      hashes: those.map(({ hash }) => hash),
    }),
  );
