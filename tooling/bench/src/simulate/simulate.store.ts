import { allowFixtures } from '@postrider/core/testing/template-database.ts';
import type { Pool } from 'pg';

/** Contacts with a plan each, of whom everybody signed up in the last weeks and half have paid since. */
export async function fillPeople(db: Pool, projectId: string, count: number): Promise<void> {
  await db.query(allowFixtures);
  await db.query(
    `INSERT INTO "Contact" ("id", "projectId", "email", "data", "subscribed", "updatedAt")
     SELECT uuid7(), $1, 'p' || n || '@people.test', jsonb_build_object('plan', CASE WHEN n % 2 = 0 THEN 'pro' ELSE 'free' END, 'name', 'N' || n,
       'renews', to_char(now() - interval '30 days' + n % 60 * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
       n % 5 <> 0, now() - interval '60 days' FROM generate_series(1, $2::int) n`,
    [projectId, count],
  );
  for (const [name, days] of [
    ['signup', 29],
    ['paid', 20],
  ] as const)
    await db.query(
      `INSERT INTO "Event" ("id", "projectId", "contactId", "name", "data", "createdAt")
       SELECT uuid7(), $1, "id", $2, jsonb_build_object('total', (random() * 100)::int), now() - random() * $3::int * interval '1 day' FROM "Contact" WHERE "projectId" = $1`,
      [projectId, name, days],
    );
  await db.query('ANALYZE "Contact"; ANALYZE "Event"');
}
