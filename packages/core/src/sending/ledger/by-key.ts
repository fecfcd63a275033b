import { constant, type Prisma } from '../../db/index.ts';

/**
 * `table.column = row.column`, for joins of a few rows with a large table, as a look-up in the index of `table`. The equality alone lets the
 * planner also read the whole index of `table` and search the few rows for each entry: with statistics from when the table was
 * nearly empty, it does so even after the table has grown.
 */
export const byKey = (table: string, row: string): Prisma.Sql => constant(`${table} = ANY(ARRAY[${row}])`);
