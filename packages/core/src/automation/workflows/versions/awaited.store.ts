import type { Db } from '../../../base/db/index.ts';

/** The events for which an execution may wait, and those of exit rules: by the live version, and by all that executions began with and still run. */
export async function awaitedByVersions(db: Db, workflowId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT e."name" FROM "WorkflowVersion" v CROSS JOIN jsonb_each(v."steps") s CROSS JOIN jsonb_array_elements_text(s."value" -> 'waits') AS e("name")
    WHERE v."workflowId" = ${workflowId}::uuid AND v."movedTo" IS NULL
    UNION SELECT substr(e."key", 7) FROM "WorkflowVersion" v CROSS JOIN unnest(v."ends") AS e("key")
    WHERE v."workflowId" = ${workflowId}::uuid AND v."movedTo" IS NULL AND starts_with(e."key", 'event.')`;
  return rows.map(({ name }) => name);
}
