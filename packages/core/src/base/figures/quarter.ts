import { constant, Prisma } from '../db/index.ts';

/** What one row of the figures and counts covers: a quarter of an hour, counted from the epoch. */
export const quarter = '15 minutes';

/** SQL: the length of it. */
export const quarterInterval = constant(`interval '${quarter}'`);

/** SQL: the beginning of the quarter of an hour of a time. */
export const quarterOf = (at: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`date_bin(${quarterInterval}, ${at}, 'epoch')`;
