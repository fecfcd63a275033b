import type { Pool } from 'pg';

export interface ContactLimits {
  caps: { max: number; hours: number }[];
  quietHours: null;
  waitHours: number;
}

export const limitContacts = (db: Pool, projectId: string, limits: ContactLimits): Promise<unknown> =>
  db.query('UPDATE "Project" SET "contactLimits" = $2 WHERE "id" = $1', [projectId, JSON.stringify(limits)]);

/** Emails that are due or in hand. */
export async function openNow(db: Pool): Promise<number> {
  const { rows } = await db.query<{ open: number }>(
    `SELECT coalesce(sum(cardinality("emailIds")), 0)::int AS "open" FROM "DeliveryBatch" WHERE "token" IS NOT NULL OR "nextAttemptAt" <= now()`,
  );
  return rows[0]?.open ?? 0;
}

/** Sets back what counts and what waits, as if a day had passed, and five minutes: times of caps are whole minutes. */
export const passADay = (db: Pool, projectId: string): Promise<unknown> =>
  db.query(
    `WITH day AS (SELECT 86700000::float8 AS ms), limits AS (
       UPDATE "ContactLimit" l SET
         "sent" = coalesce((SELECT jsonb_object_agg(s.key, s.value::float8 - day.ms) FROM jsonb_each_text(l."sent") s), '{}'),
         "waiting" = coalesce((SELECT jsonb_object_agg(w.key, jsonb_build_array(w.value -> 0, (w.value ->> 1)::float8 - day.ms)) FROM jsonb_each(l."waiting") w), '{}')
       FROM day WHERE l."projectId" = $1
     )
     UPDATE "DeliveryBatch" SET "nextAttemptAt" = "nextAttemptAt" - interval '1445 minutes', "heldSince" = "heldSince" - interval '1445 minutes' WHERE "projectId" = $1`,
    [projectId],
  );

export interface PacedContact {
  contactId: string;
  /** accepted by the mail server, or perhaps */
  sent: number;
  /** skipped as `capped` */
  capped: number;
  waiting: number;
  other: number;
  /** slots that the contact has given away */
  slots: number;
}

/** What became of the emails of each contact of a project. */
export async function pacedContacts(db: Pool, projectId: string): Promise<PacedContact[]> {
  const { rows } = await db.query<PacedContact>(
    `SELECT e."contactId", count(*) FILTER (WHERE e."status" NOT IN ('PENDING', 'SKIPPED', 'FAILED'))::int AS "sent",
       count(*) FILTER (WHERE e."status" = 'SKIPPED' AND e."reason" = 'capped')::int AS "capped",
       count(*) FILTER (WHERE e."status" = 'PENDING')::int AS "waiting",
       count(*) FILTER (WHERE e."status" = 'FAILED' OR e."status" = 'SKIPPED' AND e."reason" <> 'capped')::int AS "other",
       (SELECT count(*)::int FROM "ContactLimit" l CROSS JOIN LATERAL jsonb_object_keys(l."sent") WHERE l."contactId" = e."contactId") AS "slots"
     FROM "Email" e WHERE e."projectId" = $1 GROUP BY 1`,
    [projectId],
  );
  return rows;
}

/** The emails of a project by their source and status. */
export async function statusesBySource(db: Pool, projectId: string): Promise<Record<string, number>> {
  const { rows } = await db.query<{ name: string; count: number }>(
    `SELECT "sourceType" || ' ' || "status" AS "name", count(*)::int AS "count" FROM "Email" WHERE "projectId" = $1 GROUP BY 1`,
    [projectId],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

export async function addressesOf(db: Pool, projectId: string): Promise<string[]> {
  const { rows } = await db.query<{ email: string }>(
    'SELECT "email" FROM "Contact" WHERE "projectId" = $1 ORDER BY "id"',
    [projectId],
  );
  return rows.map(({ email }) => email);
}
