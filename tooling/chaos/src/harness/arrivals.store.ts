import { allowFixtures } from '@postrider/core/testing/template-database.ts';
import type { Pool } from 'pg';

/** Contacts `b0@people.test`, `b1@people.test`, … with these fields. */
export async function insertDatedContacts(
  db: Pool,
  projectId: string,
  data: readonly object[],
): Promise<void> {
  await db.query(allowFixtures);
  await db.query(
    `INSERT INTO "Contact" ("id", "projectId", "email", "data")
     SELECT uuid7(), $1, 'b' || (n - 1) || '@people.test', d FROM unnest($2::jsonb[]) WITH ORDINALITY AS t(d, n)`,
    [projectId, data.map((each) => JSON.stringify(each))],
  );
  await db.query('ANALYZE "Contact"');
}

/** How many entries of a workflow have their time noted. */
export async function notedOccurrences(db: Pool, workflowId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS "count" FROM "WorkflowDue" WHERE "workflowId" = $1 AND "day" IS NOT NULL`,
    [workflowId],
  );
  return rows[0]?.count ?? 0;
}

export interface ArrivalRecord {
  email: string;
  status: string;
  startedAt: Date;
}

/** The executions of a workflow. */
export async function readArrivals(db: Pool, workflowId: string): Promise<ArrivalRecord[]> {
  const { rows } = await db.query<ArrivalRecord>(
    `SELECT c."email", x."status", x."startedAt" FROM "WorkflowExecution" x JOIN "Contact" c ON c."id" = x."contactId" WHERE x."workflowId" = $1`,
    [workflowId],
  );
  return rows;
}
