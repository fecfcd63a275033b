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

/** The id of the process that holds the newest claim, read from its lease; null if nothing is claimed. */
export async function holdingProcess(db: Pool): Promise<number | null> {
  const { rows } = await db.query<{ worker: string }>(
    `SELECT "worker" FROM "DeliveryLease" WHERE "leaseUntil" > now() ORDER BY "createdAt" DESC LIMIT 1`,
  );
  const pid = Number(rows[0]?.worker.split(':').at(-1));
  return Number.isInteger(pid) ? pid : null;
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
