import type { Pool } from 'pg';

/** Users `known1@people.test`, `known2@people.test`, … with the password of a user that exists. */
export async function copyUser(db: Pool, email: string, count: number): Promise<void> {
  await db.query(
    `INSERT INTO "User" ("id", "email", "passwordHash", "updatedAt")
     SELECT uuid7(), 'known' || n || '@people.test', u."passwordHash", now()
     FROM generate_series(1, $2::int) n, "User" u WHERE u."email" = $1`,
    [email, count],
  );
}
