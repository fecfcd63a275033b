import type { Db } from '../../../base/db/index.ts';

/** The events for which an execution may wait: by the live version, and by all that executions began with and still run. */
export async function awaitedByVersions(db: Db, workflowId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT e."name" FROM "WorkflowVersion" v CROSS JOIN jsonb_each(v."steps") s CROSS JOIN jsonb_array_elements_text(s."value" -> 'waits') AS e("name")
    WHERE v."workflowId" = ${workflowId}::uuid AND v."movedTo" IS NULL`;
  return rows.map(({ name }) => name);
}
