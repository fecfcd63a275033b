import { allowFixtures } from '@postrider/core/testing/template-database.ts';
import type { Pool } from 'pg';

/** Spellings that earlier versions have stored, and the normal form of each. */
export interface Spelling {
  stored: string;
  normal: string;
}

/** A contact as an earlier version has stored it. */
export interface OldContact extends Spelling {
  subscribed: boolean;
}

/** Contacts whose address has its normal form already, as nearly all have. */
export const insertPlainContacts = (
  db: Pool,
  projectId: string,
  { part, count }: { part: number; count: number },
): Promise<unknown> =>
  db.query(allowFixtures).then(() =>
    db.query(
      `INSERT INTO "Contact" ("id", "projectId", "email", "data")
     SELECT uuid7(), $1, 'plain' || $2::text || '-' || n || '@people.test', jsonb_build_object('plan', 'pro')
     FROM generate_series(1, $3::int) n`,
      [projectId, String(part), count],
    ),
  );

export const insertOldContacts = (
  db: Pool,
  projectId: string,
  contacts: readonly OldContact[],
): Promise<unknown> =>
  db.query(allowFixtures).then(() =>
    db.query(
      `INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "subscriptionChangedAt", "optedOutAt")
     SELECT uuid7(), $1, t."email", t."subscribed", CASE WHEN NOT t."subscribed" THEN now() END, CASE WHEN NOT t."subscribed" THEN now() END
     FROM unnest($2::text[], $3::boolean[]) AS t("email", "subscribed")`,
      [projectId, contacts.map(({ stored }) => stored), contacts.map(({ subscribed }) => subscribed)],
    ),
  );

/** All tables are looked through anew, as after an update. */
export const beginAnew = (db: Pool): Promise<unknown> => db.query('DELETE FROM "AddressPass"');

/** The share of the contacts that the first pass has looked at, and whether it has ended. */
export async function progressOfContacts(db: Pool): Promise<{ at: number; ended: boolean }> {
  const { rows } = await db.query<{ position: string; ended: boolean; at: number }>(
    `SELECT p."position", p."completedAt" IS NOT NULL AS "ended",
       CASE WHEN p."position" = '' THEN 0 ELSE
         (SELECT count(*) FILTER (WHERE c."id"::text <= p."position")::float / greatest(count(*), 1) FROM "Contact" c) END AS "at"
     FROM "AddressPass" p WHERE p."part" = 'contact'`,
  );
  const [row] = rows;
  return { at: row?.ended ? 1 : (row?.at ?? 0), ended: row?.ended ?? false };
}

export async function hasPassed(db: Pool): Promise<boolean> {
  const { rows } = await db.query<{ open: number; all: number }>(
    'SELECT count(*) FILTER (WHERE "completedAt" IS NULL)::int AS "open", count(*)::int AS "all" FROM "AddressPass"',
  );
  return (rows[0]?.all ?? 0) > 0 && rows[0]?.open === 0;
}

/** What became of these people: contacts by address, in any spelling. */
export async function contactsOf(
  db: Pool,
  projectId: string,
  addresses: readonly string[],
): Promise<{ email: string; subscribed: boolean }[]> {
  const { rows } = await db.query<{ email: string; subscribed: boolean }>(
    'SELECT "email", "subscribed" FROM "Contact" WHERE "projectId" = $1 AND "email" = ANY($2::text[])',
    [projectId, addresses],
  );
  return rows;
}

export async function countMerged(db: Pool, projectId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS "count" FROM "MergedContact" WHERE "projectId" = $1',
    [projectId],
  );
  return rows[0]?.count ?? 0;
}
