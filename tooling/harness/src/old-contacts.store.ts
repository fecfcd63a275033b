import type { Pool } from 'pg';

/**
 * Contacts as the version before the log left them: seven of ten are subscribed, two have left, and one was never heard of. Every fifth has two events that
 * become acts. Without triggers, which would refuse what has no act.
 */
export async function fillOldContacts(db: Pool, projectId: string, contacts: number): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
    await client.query(
      `INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "subscriptionChangedAt", "consentSeq", "consentBasis", "createdAt", "updatedAt")
       SELECT uuid7(), $1, 'old' || n || '@people.test', n % 10 < 7, CASE WHEN n % 10 IN (7, 8) THEN now() END, NULL, NULL,
         now() - interval '400 days' + n * interval '10 milliseconds', now()
       FROM generate_series(1, $2::int) n`,
      [projectId, contacts],
    );
    await client.query(
      `INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "createdAt")
       SELECT uuid7(), $1, 'SYSTEM', e."name", jsonb_build_object('reason', 'api'), c."id", c."createdAt" + e."after"
       FROM "Contact" c CROSS JOIN (VALUES ('contact.unsubscribed', interval '1 day'), ('contact.subscribed', interval '2 days')) AS e("name", "after")
       WHERE c."projectId" = $1 AND substr(c."email", 4, length(c."email") - 15)::int % 5 = 0`,
      [projectId],
    );
  } finally {
    client.release(true);
  }
  await db.query('VACUUM ANALYZE "Contact"');
  await db.query('VACUUM ANALYZE "Event"');
}

/** As right after the update. */
export const beginHistory = (db: Pool): Promise<unknown> => db.query('DELETE FROM "ConsentPass"');
