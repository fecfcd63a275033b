import type { Pool } from 'pg';

export async function campaignStatus(db: Pool, id: string): Promise<string | null> {
  const { rows } = await db.query<{ status: string }>(
    `SELECT "status"::text FROM "Campaign" WHERE "id" = $1`,
    [id],
  );
  return rows[0]?.status ?? null;
}

/** The number of emails of a campaign that are not settled. */
export async function openDeliveries(db: Pool, campaignId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "Delivery" WHERE "campaignId" = $1`,
    [campaignId],
  );
  return rows[0]?.count ?? 0;
}

/** The number of emails of all types that are not settled. */
export async function openInAll(db: Pool): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`SELECT count(*)::int AS count FROM "Delivery"`);
  return rows[0]?.count ?? 0;
}

/** The first unsettled emails with their attempts, as JSON, to explain why a run is stuck. */
export async function describeOpenMail(db: Pool): Promise<string> {
  const { rows } = await db.query<{ row: object }>(
    `SELECT to_jsonb(d) || jsonb_build_object('status', e."status", 'attempts', e."attempts") AS row
     FROM "Delivery" d JOIN "Email" e ON e."id" = d."emailId" ORDER BY d."emailId" LIMIT 5`,
  );
  return rows.map(({ row }) => JSON.stringify(row)).join('\n');
}

/** The ids of the processes that hold email to send, the one with the newest claim first. */
export async function holdingProcesses(db: Pool): Promise<number[]> {
  const { rows } = await db.query<{ worker: string }>(
    `SELECT "worker" FROM "DeliveryLease" WHERE "leaseUntil" > now() ORDER BY "createdAt" DESC`,
  );
  return [...new Set(rows.map(({ worker }) => processOf(worker)))];
}

/** Whether email is still assigned to this process, living or not. */
export async function isHolding(db: Pool, pid: number): Promise<boolean> {
  const { rows } = await db.query<{ worker: string }>(
    `SELECT DISTINCT l."worker" FROM "DeliveryLease" l JOIN "Delivery" d ON d."token" = l."token"`,
  );
  return rows.some(({ worker }) => processOf(worker) === pid);
}

/** A worker is named by its host and process id. */
const processOf = (worker: string): number => Number(worker.split(':').at(-1));

export async function countUncertain(db: Pool): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "Email" WHERE "status" = 'UNCERTAIN'`,
  );
  return rows[0]?.count ?? 0;
}

/** Whether a project has unsettled email, or a lane listens for more. */
export async function isAtWork(db: Pool, projectId: string): Promise<boolean> {
  const { rows } = await db.query<{ busy: boolean }>(
    `SELECT EXISTS (SELECT FROM "Delivery" WHERE "projectId" = $1)
       OR EXISTS (SELECT FROM "Outbox" WHERE "projectId" = $1 AND "listeningUntil" > now()) AS busy`,
    [projectId],
  );
  return rows[0]?.busy ?? false;
}
