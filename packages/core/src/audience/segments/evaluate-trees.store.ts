import { Prisma, type SqlDb } from '../../base/db/index.ts';
import type { FilterTree } from './filters.rules.ts';
import { compileForRows } from './filters.store.ts';

type Json = Readonly<Record<string, unknown>>;

/** A contact as an execution has it, its own changes included. */
export interface TreeRow {
  /** tells the rows apart */
  n: number;
  contactId: string;
  email: string;
  subscribed: boolean;
  createdAt: string;
  updatedAt: string;
  data: Json;
  /** `context.<path>` */
  context: Json;
  /** `step.<key>.<path>`: the outputs of the steps, by their key */
  steps: Json;
}

export interface TreesOverRows {
  projectId: string;
  now: Date;
  /** of the project */
  timeZone: string;
  rows: readonly TreeRow[];
  /** the first that matches is taken */
  branches: readonly FilterTree[];
}

/** Rows of one statement. */
export const mostTreeRows = 500;

/**
 * The branch of each row: the index of the first tree that it matches, or null. One statement for all rows; its text depends on the trees
 * only, so it can be prepared. Rows are the contacts: what they have is compared as given, and only events, emails and memberships are
 * looked up, each by the contact.
 */
export async function evaluateTrees(
  db: SqlDb,
  { projectId, now, timeZone, rows, branches }: TreesOverRows,
): Promise<Map<number, number | null>> {
  if (rows.length > mostTreeRows) throw new RangeError(`At most ${mostTreeRows} rows`);
  if (rows.length === 0 || branches.length === 0) return new Map(rows.map(({ n }) => [n, null]));
  const compiled = await compileForRows(db, projectId, branches, { now, timeZone });
  const cases = compiled.map((matches, index) => Prisma.sql`WHEN ${matches} THEN ${index}::int`);
  const given = rows.map(({ contactId, ...row }) => ({ ...row, id: contactId }));
  const found = await db.$queryRaw<{ n: number; branch: number | null }[]>`
    SELECT c."n", CASE ${Prisma.join(cases, ' ')} END AS "branch"
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS c("n" int, "id" uuid, "email" text, "subscribed" boolean,
      "createdAt" timestamptz, "updatedAt" timestamptz, "data" jsonb, "context" jsonb, "steps" jsonb)`;
  return new Map(found.map(({ n, branch }) => [n, branch]));
}
