import type { Pool } from 'pg';

/** The id of the only project of an installation that has just been started. */
export async function demoProjectId(db: Pool): Promise<string> {
  const { rows } = await db.query<{ id: string }>('SELECT "id" FROM "Project" LIMIT 1');
  if (!rows[0]) throw new Error('The demo project was not created');
  return rows[0].id;
}
