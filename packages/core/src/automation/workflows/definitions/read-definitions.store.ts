import { Prisma, type SqlDb } from '../../../base/db/index.ts';
import type { WaitOutcome } from '../steps/step.rules.ts';
import type { StepType } from '../steps/steps.schema.ts';
import type { MoveRule } from '../versions/move.rules.ts';
import type { ExitRule, WorkflowGoal } from './ends.rules.ts';

/** A step as executions run it. */
export interface RunStep {
  id: string;
  key: string;
  type: StepType;
  name: string;
  config: Record<string, unknown>;
  templateId: string | null;
}

export interface RunTransition {
  id: string;
  fromStepId: string;
  toStepId: string;
  branch: string | null;
  waitOutcome: WaitOutcome | null;
}

/** What executions of a workflow run: its steps, and its transitions, those of each step in the order of their evaluation. */
export interface Definition {
  workflowId: string;
  /** null: the rows of the steps, which a test run runs */
  version: number | null;
  /** of contacts without one; null: that of the project */
  timeZone: string | null;
  steps: RunStep[];
  transitions: RunTransition[];
  goals: WorkflowGoal[];
  exits: ExitRule[];
  /** null for the rows of the steps */
  publishedAt: Date | null;
  /** what becomes of people who came to it by a move */
  move: MoveRule | null;
}

export interface DefinitionKey {
  workflowId: string;
  version: number | null;
}

const keyOf = ({ workflowId, version }: DefinitionKey): string => `${workflowId}/${version ?? 'live'}`;

/** Versions never change, so that each process reads one once. Together these are a few megabytes. */
const known = new Map<string, Definition>();
const mostKnown = 200;

function remember(definition: Definition): void {
  known.set(keyOf(definition), definition);
  const [oldest] = known.keys();
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
}

/** What executions run that began with a version: the definitions on the way to the one at the end, which they run. */
export interface Lineage {
  /** the version that they began with first, the one that they run last; one where nobody was moved */
  versions: [Definition, ...Definition[]];
  runs: Definition;
}

/**
 * The definitions that executions run, by the version that they began with. Whoever runs executions or wakes them reads graphs here and
 * nowhere else. Moves are followed to their end.
 *
 * @returns nothing for a workflow, or a version, that does not exist
 */
export async function readDefinitionsOf(
  db: SqlDb,
  keys: readonly DefinitionKey[],
): Promise<(key: DefinitionKey) => Lineage | undefined> {
  const wanted = [...new Map(keys.map((key) => [keyOf(key), key])).values()];
  const chains = await readChains(
    db,
    wanted.filter(({ version }) => version !== null),
  );
  const missing = [...chains.values()].flat().filter((key) => !known.has(keyOf(key)));
  const read = new Map(
    (await readVersions(db, missing)).map((definition) => [keyOf(definition), definition]),
  );
  for (const definition of read.values()) remember(definition);
  const live = await readRows(
    db,
    wanted.flatMap(({ workflowId, version }) => (version === null ? workflowId : [])),
  );
  return (key) => {
    if (key.version === null) {
      const rows = live.get(key.workflowId);
      return rows && { versions: [rows], runs: rows };
    }
    const [first, ...moves] = (chains.get(keyOf(key)) ?? []).flatMap(
      (each) => read.get(keyOf(each)) ?? known.get(keyOf(each)) ?? [],
    );
    return first && { versions: [first, ...moves], runs: moves.at(-1) ?? first };
  };
}

/** The definition that the executions of one version run. */
export async function readDefinition(db: SqlDb, key: DefinitionKey): Promise<Lineage | undefined> {
  return (await readDefinitionsOf(db, [key]))(key);
}

async function readChains(db: SqlDb, keys: readonly DefinitionKey[]): Promise<Map<string, DefinitionKey[]>> {
  if (keys.length === 0) return new Map();
  const rows = await db.$queryRaw<{ workflowId: string; began: number; versions: number[] }[]>`
    WITH RECURSIVE "chain" AS (
      SELECT k."workflowId", k."version" AS "began", v."version", v."movedTo", 1 AS "n"
      FROM unnest(${keys.map(({ workflowId }) => workflowId)}::uuid[], ${keys.map(({ version }) => version)}::int[]) AS k("workflowId", "version")
      JOIN "WorkflowVersion" v ON v."workflowId" = k."workflowId" AND v."version" = k."version"
      UNION ALL
      SELECT c."workflowId", c."began", v."version", v."movedTo", c."n" + 1
      FROM "chain" c JOIN "WorkflowVersion" v ON v."workflowId" = c."workflowId" AND v."version" = c."movedTo"
    )
    SELECT "workflowId"::text AS "workflowId", "began", array_agg("version" ORDER BY "n") AS "versions" FROM "chain" GROUP BY 1, 2`;
  return new Map(
    rows.map(({ workflowId, began, versions }) => [
      keyOf({ workflowId, version: began }),
      versions.map((version) => ({ workflowId, version })),
    ]),
  );
}

async function readVersions(db: SqlDb, keys: readonly DefinitionKey[]): Promise<Definition[]> {
  if (keys.length === 0) return [];
  const rows = await db.$queryRaw<
    (DefinitionKey & {
      definition: {
        timeZone?: string | null;
        steps: RunStep[];
        transitions: (RunTransition & { priority: number })[];
        goals?: WorkflowGoal[];
        exits?: ExitRule[];
      };
      move: MoveRule | null;
      publishedAt: Date;
    })[]
  >`
    SELECT v."workflowId"::text AS "workflowId", v."version", v."definition", v."move", v."publishedAt"
    FROM unnest(${keys.map(({ workflowId }) => workflowId)}::uuid[], ${keys.map(({ version }) => version)}::int[]) AS k("workflowId", "version")
    JOIN "WorkflowVersion" v ON v."workflowId" = k."workflowId" AND v."version" = k."version"`;
  return rows.map(
    ({ definition: { timeZone = null, steps, transitions, goals = [], exits = [] }, ...row }) => ({
      ...row,
      timeZone,
      goals,
      exits,
      steps,
      // They are kept in the order of creation, which sorting keeps among equal priorities.
      transitions: transitions.toSorted((a, b) => a.priority - b.priority),
    }),
  );
}

async function readRows(db: SqlDb, workflowIds: readonly string[]): Promise<Map<string, Definition>> {
  if (workflowIds.length === 0) return new Map();
  type Rows = Pick<Definition, 'workflowId' | 'timeZone' | 'steps' | 'transitions' | 'goals' | 'exits'>;
  const rows = await db.$queryRaw<Rows[]>(Prisma.sql`
    SELECT w."id"::text AS "workflowId", w."timeZone", w."goals", w."exits",
      coalesce((SELECT jsonb_agg(jsonb_build_object('id', s."id", 'key', s."key", 'type', s."type", 'name', s."name", 'config', s."config",
          'templateId', s."templateId") ORDER BY s."createdAt", s."id")
        FROM "WorkflowStep" s WHERE s."workflowId" = w."id"), '[]') AS "steps",
      coalesce((SELECT jsonb_agg(jsonb_build_object('id', t."id", 'fromStepId', t."fromStepId", 'toStepId', t."toStepId", 'branch', t."branch",
          'waitOutcome', t."waitOutcome") ORDER BY t."priority", t."createdAt", t."id")
        FROM "WorkflowTransition" t WHERE t."workflowId" = w."id"), '[]') AS "transitions"
    FROM unnest(${[...workflowIds]}::uuid[]) AS k("id") CROSS JOIN LATERAL (SELECT "id", "timeZone", "goals", "exits" FROM "Workflow" WHERE "id" = k."id" OFFSET 0) w`);
  return new Map(
    rows.map((row) => [row.workflowId, { ...row, version: null, publishedAt: null, move: null }]),
  );
}
