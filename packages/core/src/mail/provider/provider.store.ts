import type { Pool } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';

/** The email of a notification: by the provider's id of its message, else by its own id. Null when there is no such email. */
export async function findNotifiedEmail(
  pool: Pool,
  providerId: string,
  emailId: string | null,
): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(notifiedEmail({ providerId, emailId }));
  return rows[0]?.id ?? null;
}

const notifiedEmail = prepared<{ providerId: string; emailId: string | null }>(
  'notified-email',
  ({ providerId, emailId }) => Prisma.sql`
    (SELECT "id", 0 AS rank FROM "Email" WHERE "messageId" = ${providerId}::text LIMIT 1)
    UNION ALL
    (SELECT "id", 1 FROM "Email" WHERE "id" = ${emailId}::uuid)
    ORDER BY rank LIMIT 1`,
);
