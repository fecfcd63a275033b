import type { Db, SqlDb } from '../../../base/db/index.ts';
import { awaitedEvents } from '../definitions/definition.rules.ts';
import { readDefinition } from '../definitions/read-definitions.store.ts';

/** The events for which an execution may wait, and those of exit rules: by the live version, and by all that executions began with and still run. */
export async function awaitedByVersions(db: Db, workflowId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT e."name" FROM "WorkflowVersion" v CROSS JOIN jsonb_each(v."steps") s CROSS JOIN jsonb_array_elements_text(s."value" -> 'waits') AS e("name")
    WHERE v."workflowId" = ${workflowId}::uuid AND v."movedTo" IS NULL
    UNION SELECT substr(e."key", 7) FROM "WorkflowVersion" v CROSS JOIN unnest(v."ends") AS e("key")
    WHERE v."workflowId" = ${workflowId}::uuid AND v."movedTo" IS NULL AND starts_with(e."key", 'event.')`;
  return rows.map(({ name }) => name);
}

interface Published {
  id: string;
  /** the live one; null before the first */
  version: number | null;
}

const keyOf = ({ id, version }: Published): string => `${id}/${version}`;

/** By workflow and live version: a publish alone changes what executions run, and it makes another version. */
const known = new Map<string, readonly string[]>();
const mostKnown = 2_000;

/**
 * The same for several workflows at once, which each process reads once per version. The rows of the workflows must be locked by an earlier statement,
 * so that none of them is being published.
 */
export async function readAwaited(
  db: SqlDb,
  workflows: readonly Published[],
): Promise<(workflow: Published) => readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const missing = workflows.filter((workflow) => {
    const names = known.get(keyOf(workflow));
    if (names) found.set(keyOf(workflow), names);
    return !names;
  });
  const published = missing.filter(({ version }) => version !== null);
  const names = await namesOfVersions(
    db,
    published.map(({ id }) => id),
  );
  for (const workflow of published) {
    const awaited = names.get(workflow.id) ?? [];
    found.set(keyOf(workflow), awaited);
    known.set(keyOf(workflow), awaited);
    const [oldest] = known.keys();
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
  }
  // Without a version, executions run the rows of the steps, which change without a trace.
  for (const workflow of missing.filter(({ version }) => version === null)) {
    const rows = await readDefinition(db, { workflowId: workflow.id, version: null });
    found.set(keyOf(workflow), (rows?.runs.steps ?? []).flatMap(awaitedEvents));
  }
  return (workflow) => found.get(keyOf(workflow)) ?? [];
}

async function namesOfVersions(db: SqlDb, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; names: string[] }[]>`
    SELECT k."id"::text AS "id", ARRAY(
      SELECT DISTINCT e."name" FROM "WorkflowVersion" v CROSS JOIN LATERAL jsonb_each(v."steps") s
      CROSS JOIN LATERAL jsonb_array_elements_text(s."value" -> 'waits') AS e("name")
      WHERE v."workflowId" = k."id" AND v."movedTo" IS NULL) AS "names"
    FROM unnest(${[...ids]}::uuid[]) AS k("id")`;
  return new Map(rows.map(({ id, names }) => [id, names]));
}
