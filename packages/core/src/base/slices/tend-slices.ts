import { holdAdvisoryLock, presentTime, slicesLock } from '../db/index.ts';
import type { Services } from '../kernel/services.ts';
import { cutSlice } from './cut-slice.ts';
import { dropSlices, finishDrops } from './drop-slices.ts';
import { firstAnalysisRows, keptDays, laterAnalysisRows, limitOf, slicedTables } from './slices.rules.ts';
import {
  analyse,
  analyseAfter,
  analysedRows,
  findDetached,
  hasUnfinishedIndex,
  readSlices,
} from './slices.store.ts';

/** Most time of one call for each table, besides the statement that runs. */
const budgetMs = 240_000;

/**
 * Does what slices need once a day: cuts the last one of each table when it is full, drops those of expired rows, and keeps the statistics of the
 * whole. One process at a time does it.
 *
 * @returns whether a cut did not get its locks in time, and is to be tried again
 */
export async function tendSlices(
  services: Pick<Services, 'config' | 'database' | 'log'>,
  budget = budgetMs,
): Promise<boolean> {
  const { config, database, log } = services;
  const lock = holdAdvisoryLock(config.DATABASE_URL, slicesLock);
  try {
    if (!(await lock.isHeld())) return false;
    let waits = false;
    for (const table of slicedTables) {
      // A slice would be attached without that index, and PostgreSQL would build it while it holds its locks.
      if (await hasUnfinishedIndex(database.prisma, table.name)) {
        log.warn(
          { table: table.name },
          'slices are left as they are: a migration has not finished an index of all of them',
        );
        continue;
      }
      const now = await presentTime(database.prisma);
      const cut = await cutSlice(database, table, now, budget);
      if (cut === 'cut') log.info({ table: table.name }, 'a slice was cut');
      if (cut === 'blocked')
        log.warn(
          { table: table.name },
          'a slice is not cut: it has ids of a time to come, or a process has a clock that is ahead or is of a version that knows no slices',
        );
      waits ||= cut === 'waits';
      const days = keptDays(table.name, config);
      const dropped = days === undefined ? 0 : await dropSlices(database, table, limitOf(days, now));
      if (dropped > 0) log.info({ table: table.name, dropped }, 'slices of expired rows were dropped');
      await keepStatistics(services, table.name);
    }
    return waits;
  } finally {
    await lock.release();
  }
}

/**
 * Drops what a process took out of its table and did not drop, because it was killed. Until then these rows are in no list, and nothing that is
 * erased is found in them.
 *
 * @returns how many slices
 */
export async function finishDropsOf(
  { config, database }: Pick<Services, 'config' | 'database'>,
  now: Date,
): Promise<number> {
  const left = await Promise.all(slicedTables.map(({ name }) => findDetached(database.prisma, name)));
  if (left.flat().length === 0) return 0;
  const lock = holdAdvisoryLock(config.DATABASE_URL, slicesLock);
  try {
    if (!(await lock.isHeld())) return 0;
    let dropped = 0;
    for (const table of slicedTables) {
      const days = keptDays(table.name, config);
      if (days !== undefined) dropped += await finishDrops(database, table, limitOf(days, now));
    }
    return dropped;
  } finally {
    await lock.release();
  }
}

/** The whole is analysed again when it has this much more or less than at the last time. */
const changedShare = 0.2;

/** Autovacuum keeps the statistics of each slice, and those of the whole are not its work. */
async function keepStatistics(
  { database: { prisma } }: Pick<Services, 'database'>,
  table: string,
): Promise<void> {
  const slices = await readSlices(prisma, table);
  const first = firstAnalysisRows;
  for (const { name, rows, analysisRows } of slices)
    if (rows >= first && analysisRows === first) await analyseAfter(prisma, name, laterAnalysisRows);
  const rows = slices.reduce((sum, slice) => sum + Math.max(0, slice.rows), 0);
  const known = await analysedRows(prisma, table);
  if (rows >= first && Math.abs(rows - known) > changedShare * rows) await analyse(prisma, table);
}
