import type { Pool } from 'pg';

/** What makes a campaign more than a plain one while its audience is frozen. */
export interface Shape {
  holdout: number;
  test: object | null;
  localAt: string | null;
}

/** Gives the contacts of a project zones of their own, as many as are listed. */
export async function spreadOverZones(db: Pool, projectId: string, zones: readonly string[]): Promise<void> {
  await db.query(
    `UPDATE "Contact" SET "data" = "data" || jsonb_build_object('timezone', ($2::text[])[1 + abs(hashtext("email")) % array_length($2::text[], 1)])
     WHERE "projectId" = $1`,
    [projectId, zones],
  );
  await db.query('VACUUM ANALYZE "Contact"');
}

/** Inserts a campaign to all contacts with the status SENDING that is not frozen yet. */
export async function insertShaped(
  db: Pool,
  project: { id: string; from: string },
  campaignId: string,
  { holdout, test, localAt }: Shape,
): Promise<void> {
  await db.query(
    `INSERT INTO "Campaign" ("id", "projectId", "name", "subject", "body", "from", "audienceType", "status", "sentAt", "holdout", "test", "localAt", "whenPassed")
     VALUES ($1, $2, 'Bench', 'News', '<p>News</p>', $3, 'ALL', 'SENDING', now(), $4, $5::jsonb, $6, CASE WHEN $6::text IS NOT NULL THEN 'NEXT_DAY' END)`,
    [campaignId, project.id, project.from, holdout, test && JSON.stringify(test), localAt],
  );
}
