import { ofProject, Prisma, type SqlDb } from '../../base/db/index.ts';
import type { ContactConsent } from '../consent/index.ts';
import { type ClockedRows, compileForClocks } from './clocks.store.ts';
import { decide } from './deciding.rules.ts';
import { type Filter, type FilterTree, filtersOf } from './filters.rules.ts';
import { compileFiltersForRows, compileForRows } from './filters.store.ts';

type Json = Readonly<Record<string, unknown>>;

/** A contact as an execution has it, its own changes included. */
export interface TreeRow {
  /** tells the rows apart */
  n: number;
  contactId: string;
  email: string;
  subscribed: boolean;
  topicsOn: readonly number[];
  topicsOff: readonly number[];
  topicDefaults: boolean;
  status: ContactConsent['status'];
  consentBasis: ContactConsent['consentBasis'];
  consentedAt: string | null;
  createdAt: string;
  updatedAt: string;
  data: Json;
  /** `context.<path>` */
  context: Json;
  /** `step.<key>.<path>`: the outputs of the steps, by their key */
  steps: Json;
  /** the execution, whose rows have the outputs that `steps` lacks */
  executionId?: string;
  /** a clock of its own, in place of that of all */
  at?: Date;
}

export interface TreesOverRows {
  projectId: string;
  now: Date;
  /** of the project */
  timeZone: string;
  rows: readonly TreeRow[];
  /** the first that matches is taken */
  branches: readonly FilterTree[];
  /** the ids of steps whose outputs are read from the rows of executions, by their keys */
  stepIds?: Readonly<Record<string, string>>;
}

/** Rows of one statement. */
export const mostTreeRows = 500;

/**
 * The branch of each row: the index of the first tree that it matches, or null. One statement for all rows; its text depends on the trees
 * only, so it can be prepared. Rows are the contacts: what they have is compared as given, and only events, emails, memberships and outputs of
 * steps are looked up, each by its key.
 */
export async function evaluateTrees(db: SqlDb, asked: TreesOverRows): Promise<Map<number, number | null>> {
  const { projectId, rows, branches } = asked;
  assertFits(rows);
  const branchOf = new Map<number, number | null>(rows.map(({ n }) => [n, null]));
  if (rows.length === 0 || branches.length === 0) return branchOf;
  for (const part of await byClocks(asked, compileForRows(db, projectId, branches))) {
    const cases = part.compiled.map((matches, index) => Prisma.sql`WHEN ${matches} THEN ${index}::int`);
    const found = await db.$queryRaw<{ n: number; branch: number | null }[]>`
      SELECT c."n", CASE ${Prisma.join(cases, ' ')} END AS "branch" FROM ${contacts(asked, part.rows)}`;
    for (const { n, branch } of found) branchOf.set(n, branch);
  }
  return branchOf;
}

const byClocks = (
  { rows, now, timeZone }: TreesOverRows,
  compile: Parameters<typeof compileForClocks>[3],
): Promise<ClockedRows<TreeRow>[]> =>
  compileForClocks(rows, ({ at = now }) => at, { timeZone, column: Prisma.sql`c."clock"` }, compile);

/** A filter that decided, with what it found. */
export interface DecidingFilter {
  filter: Filter;
  matches: boolean;
  /** of the contact or the execution: a value, or the time of the last occurrence; null for none */
  actual: unknown;
}

export interface JudgedRow {
  /** the index of the first tree that matches, or null */
  branch: number | null;
  /** those of the tree that matches first, then those by which the trees before it do not */
  because: DecidingFilter[];
}

/** Filters that are told of a decision. */
export const mostReasons = 20;
/** Characters of a value that is told; a longer one is cut. */
const longestValue = 500;

/** A statement has 32,767 parameters at most; those of one filter are a few hundred. */
const mostParameters = 30_000;

/**
 * The branch of each row as of `evaluateTrees`, and the filters that decided. Each filter is looked at by itself, and the trees are put together
 * here, so that a row is judged once; several statements are needed only for trees of thousands of values.
 */
export async function judgeRows(db: SqlDb, asked: TreesOverRows): Promise<Map<number, JudgedRow>> {
  const { projectId, rows, branches } = asked;
  assertFits(rows);
  if (rows.length === 0) return new Map();
  const filters = branches.flatMap(filtersOf);
  const each = new Map<number, boolean[]>(rows.map(({ n }) => [n, []]));
  const actual = new Map<number, unknown[]>(rows.map(({ n }) => [n, []]));
  for (const { rows: those, compiled } of await byClocks(
    asked,
    compileFiltersForRows(db, projectId, branches),
  )) {
    for (const part of partsOf(compiled)) {
      const list = (of: (filter: CompiledFilter) => Prisma.Sql): Prisma.Sql => Prisma.join(part.map(of));
      const found = await db.$queryRaw<{ n: number; each: boolean[]; actual: unknown[] }[]>`
        SELECT c."n", ARRAY[${list(({ matches }) => matches)}]::boolean[] AS "each",
          to_jsonb(ARRAY[${list((filter) => shortSql(filter.actual))}]::jsonb[]) AS "actual" FROM ${contacts(asked, those)}`;
      for (const row of found) {
        each.get(row.n)?.push(...row.each);
        actual.get(row.n)?.push(...row.actual);
      }
    }
  }
  return new Map(rows.map(({ n }) => [n, judged(branches, filters, each.get(n) ?? [], actual.get(n) ?? [])]));
}

function judged(
  branches: readonly FilterTree[],
  filters: readonly Filter[],
  each: readonly boolean[],
  actual: readonly unknown[],
): JudgedRow {
  const failed: number[] = [];
  let first = 0;
  const told = (places: readonly number[]): DecidingFilter[] =>
    places.slice(0, mostReasons).flatMap((at) => {
      const filter = filters[at];
      return filter ? [{ filter, matches: each[at] === true, actual: actual[at] ?? null }] : [];
    });
  for (const [branch, tree] of branches.entries()) {
    const end = first + filtersOf(tree).length;
    const { matches, by } = decide(tree, each.slice(first, end));
    const places = by.map((at) => at + first);
    if (matches) return { branch, because: told([...places, ...failed]) };
    failed.push(...places);
    first = end;
  }
  return { branch: null, because: told(failed) };
}

function assertFits(rows: readonly unknown[]): void {
  if (rows.length > mostTreeRows) throw new RangeError(`At most ${mostTreeRows} rows`);
}

interface CompiledFilter {
  matches: Prisma.Sql;
  actual: Prisma.Sql;
}

/** Filters in parts that fit into a statement each. @param compiled of each filter whether it matches, and what was found */
function partsOf(compiled: readonly Prisma.Sql[]): CompiledFilter[][] {
  const parts: CompiledFilter[][] = [[]];
  let parameters = 0;
  for (let at = 0; at < compiled.length; at += 2) {
    const [matches, actual] = compiled.slice(at);
    if (!matches || !actual) break;
    const filter = { matches, actual };
    const own = filter.matches.values.length + filter.actual.values.length;
    if (parameters > 0 && parameters + own > mostParameters) {
      parts.push([]);
      parameters = 0;
    }
    parts.at(-1)?.push(filter);
    parameters += own;
  }
  return parts.filter((part) => part.length > 0);
}

/** A value as it is told: what is long is cut before it leaves the database. */
const shortSql = (value: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(SELECT CASE WHEN pg_column_size(v."v") <= ${longestValue}::int THEN v."v" WHEN jsonb_typeof(v."v") = 'string'
    THEN to_jsonb(left(v."v" #>> '{}', ${longestValue}::int)) ELSE to_jsonb(left(v."v"::text, ${longestValue}::int)) END FROM (SELECT ${value} AS "v") v)`;

/** The rows as the table of contacts `c`, with their context and the outputs of their steps. */
function contacts(
  { projectId, stepIds = {} }: TreesOverRows,
  rows: ClockedRows<TreeRow>['rows'],
): Prisma.Sql {
  const given = rows.map(({ row: { contactId, at: _, ...row }, clock }) => ({
    ...row,
    id: contactId,
    ...(clock.length > 0 && { clock }),
  }));
  const stored =
    Object.keys(stepIds).length === 0
      ? Prisma.sql`r."steps"`
      : Prisma.sql`coalesce((SELECT jsonb_object_agg(k."key", s."output") FROM jsonb_each_text(${JSON.stringify(stepIds)}::jsonb) AS k("key", "id")
          CROSS JOIN LATERAL (SELECT s."output" FROM "WorkflowStepExecution" s WHERE s."executionId" = r."executionId"
            AND s."stepId" = k."id"::uuid AND s."status" = 'COMPLETED' AND s."output" IS NOT NULL AND ${ofProject('s."projectId"', projectId)} OFFSET 0) s
        ), '{}') || r."steps"`;
  return Prisma.sql`(
    SELECT r."n", r."id", r."email", r."subscribed", r."topicsOn", r."topicsOff", r."topicDefaults", r."status", r."consentBasis", r."consentedAt",
      r."createdAt", r."updatedAt", r."data", r."context", ${stored} AS "steps", r."clock"
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS r("n" int, "id" uuid, "executionId" uuid, "email" text, "subscribed" boolean,
      "topicsOn" smallint[], "topicsOff" smallint[], "topicDefaults" boolean, "status" text, "consentBasis" text, "consentedAt" timestamptz,
      "createdAt" timestamptz, "updatedAt" timestamptz, "data" jsonb, "context" jsonb, "steps" jsonb, "clock" jsonb) OFFSET 0) c`;
}
