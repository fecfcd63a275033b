import { constant, Prisma } from '../../db/index.ts';

/**
 * `table.column = row.column`, for joins of a few rows with a large table, as a look-up in the index of `table`. The equality alone lets the
 * planner also read the whole index of `table` and search the few rows for each entry: with statistics from when the table was
 * nearly empty, it does so even after the table has grown.
 */
export const byKey = (table: string, row: string): Prisma.Sql => constant(`${table} = ANY(ARRAY[${row}])`);

/**
 * Finds held batches by their key. `=` instead of `IS NOT DISTINCT FROM` would imply that the token is not null, and so allow the planner to
 * read the whole index of held batches for each key.
 */
export const byBatchKey = (table: string, row: string): Prisma.Sql =>
  Prisma.sql`${byKey(`${table}"id"`, `${row}."id"`)} AND ${constant(`${table}"token" IS NOT DISTINCT FROM ${row}."token"`)}`;
