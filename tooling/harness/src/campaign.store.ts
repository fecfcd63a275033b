import type { Pool } from 'pg';

export async function campaignStatus(db: Pool, id: string): Promise<string | null> {
  const { rows } = await db.query<{ status: string }>(
    `SELECT "status"::text FROM "Campaign" WHERE "id" = $1`,
    [id],
  );
  return rows[0]?.status ?? null;
}

/** The emails of these batches whose result is not written yet, at least one per batch. */
const openEmails = `coalesce(sum(greatest(1, cardinality("emailIds") - coalesce(bit_count("written"), 0))), 0)::int`;

/** The number of emails of a campaign that are not settled. */
export async function openDeliveries(db: Pool, campaignId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT ${openEmails} AS count FROM "DeliveryBatch" WHERE "campaignId" = $1`,
    [campaignId],
  );
  return rows[0]?.count ?? 0;
}

/** The number of emails of all types that are not settled. */
export async function openInAll(db: Pool): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`SELECT ${openEmails} AS count FROM "DeliveryBatch"`);
  return rows[0]?.count ?? 0;
}

/** The first batches with the states of their emails, as JSON, to explain why a run is stuck. */
export async function describeOpenMail(db: Pool): Promise<string> {
  const { rows } = await db.query<{ row: object }>(
    `SELECT to_jsonb(b) - 'emailIds' || jsonb_build_object('size', cardinality(b."emailIds"), 'emails', (
       SELECT jsonb_object_agg(status, count) FROM (
         SELECT e."status"::text || CASE WHEN e."batchId" IS DISTINCT FROM b."id" THEN ' elsewhere' ELSE '' END AS status, count(*)
         FROM "Email" e WHERE e."id" = ANY(b."emailIds") GROUP BY 1
       ) states)) AS row
     FROM "DeliveryBatch" b ORDER BY b."id" LIMIT 5`,
  );
  return rows.map(({ row }) => JSON.stringify(row)).join('\n');
}

/** The ids of the processes that hold email to send, the one with the newest lease first. */
export async function holdingProcesses(db: Pool): Promise<number[]> {
  const { rows } = await db.query<{ worker: string }>(
    `SELECT "worker" FROM "DeliveryBatch" WHERE "token" IS NOT NULL AND "leaseUntil" > now() ORDER BY "leaseUntil" DESC`,
  );
  return [...new Set(rows.map(({ worker }) => processOf(worker)))];
}

/** The ids of the processes that have begun messages whose answers are not recorded. */
export async function sendingProcesses(db: Pool): Promise<number[]> {
  const { rows } = await db.query<{ worker: string }>(
    `SELECT "worker" FROM "DeliveryBatch" WHERE "token" IS NOT NULL AND "leaseUntil" > now()
     GROUP BY 1 HAVING sum(bit_count("begun") - bit_count("answered")) > 0`,
  );
  return [...new Set(rows.map(({ worker }) => processOf(worker)))];
}

/** Whether email is still assigned to this process, living or not. */
export async function isHolding(db: Pool, pid: number): Promise<boolean> {
  const { rows } = await db.query<{ worker: string }>(
    `SELECT DISTINCT "worker" FROM "DeliveryBatch" WHERE "token" IS NOT NULL`,
  );
  return rows.some(({ worker }) => processOf(worker) === pid);
}

/** A worker is named by its host and process id, followed by what makes it unique. */
const processOf = (worker: string): number => Number(worker.split(':')[1]);

export async function countUncertain(db: Pool): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "Email" WHERE "status" = 'UNCERTAIN'`,
  );
  return rows[0]?.count ?? 0;
}

/** Whether a project has unsettled email. */
export async function isAtWork(db: Pool, projectId: string): Promise<boolean> {
  const { rowCount } = await db.query(`SELECT FROM "DeliveryBatch" WHERE "projectId" = $1 LIMIT 1`, [
    projectId,
  ]);
  return rowCount !== 0;
}

/** Emails besides those of campaigns that were accepted before an id was made, and that wait or are being sent. */
export async function countWaitingBefore(db: Pool, id: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "Email"
     WHERE "id" < $1::uuid AND "campaignId" IS NULL AND "status" IN ('PENDING', 'SENDING')`,
    [id],
  );
  return rows[0]?.count ?? 0;
}
