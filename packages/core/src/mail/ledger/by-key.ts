import { byKey, constant, Prisma } from '../../base/db/index.ts';

export { byKey };

/**
 * Finds held batches by their key. `=` instead of `IS NOT DISTINCT FROM` would imply that the token is not null, and so allow the planner to
 * read the whole index of held batches for each key.
 */
export const byBatchKey = (table: string, row: string): Prisma.Sql =>
  Prisma.sql`${byKey(`${table}"id"`, `${row}."id"`)} AND ${constant(`${table}"token" IS NOT DISTINCT FROM ${row}."token"`)}`;
