import { Prisma } from './generated/client.ts';
import { constant } from './prepared.ts';

/**
 * `table.column = row.column`, for joins of a few rows with a large table, as a look-up in the index of `table`. The equality alone lets the
 * planner also read the whole index of `table` and search the few rows for each entry: with statistics from when the table was
 * nearly empty, it does so even after the table has grown.
 */
export const byKey = (table: string, row: string): Prisma.Sql => constant(`${table} = ANY(ARRAY[${row}])`);

/**
 * `column = project` as a check only, for rows that are looked up by their key. The equality alone lets the planner read all rows of the
 * project by another index: it takes a project that statistics do not know yet for one with a single row.
 */
export const ofProject = (column: string, projectId: string): Prisma.Sql =>
  Prisma.sql`${constant(column)} IS NOT DISTINCT FROM ${projectId}::uuid`;
