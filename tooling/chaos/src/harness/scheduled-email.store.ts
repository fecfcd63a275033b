import type { Pool } from 'pg';

export interface ScheduledEmail {
  id: string;
  status: string;
  scheduledAt: Date;
}

/** Every email with a time, by its id. */
export async function scheduledEmails(db: Pool): Promise<Map<string, ScheduledEmail>> {
  const { rows } = await db.query<ScheduledEmail>(
    `SELECT "id", "status"::text, "scheduledAt" FROM "Email" WHERE "scheduledAt" IS NOT NULL`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
