import { holdAdvisoryLock, presentTime } from '../db/index.ts';
import type { Services } from '../kernel/services.ts';
import { cutSlice } from './cut-slice.ts';
import { dropSlices } from './drop-slices.ts';
import { laterAnalysisRows, limitOf, type SlicedTable, slicedTables, sliceSettings } from './slices.rules.ts';
import { analyse, analyseAfter, analysedRows, readSlices } from './slices.store.ts';

/** Most time of one call for each table, besides the statement that runs. */
const budgetMs = 240_000;

/** How long rows of the table are kept, in days; undefined: for ever. */
const daysOf = ({ EVENT_DAYS }: Services['config'], { name }: SlicedTable): number | undefined =>
  ({ Event: EVENT_DAYS })[name];

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
  const lock = holdAdvisoryLock(config.DATABASE_URL, 'slices');
  try {
    if (!(await lock.isHeld())) return false;
    let waits = false;
    for (const table of slicedTables) {
      const now = await presentTime(database.prisma);
      const cut = await cutSlice(database, table, now, budget);
      if (cut === 'cut') log.info({ table: table.name }, 'a slice was cut');
      if (cut === 'blocked')
        log.warn(
          { table: table.name },
          'a slice is not cut: it has ids of a time to come, or a process has a clock that is ahead',
        );
      waits ||= cut === 'waits';
      const days = daysOf(config, table);
      const dropped = days === undefined ? 0 : await dropSlices(database, table, limitOf(days, now));
      if (dropped > 0) log.info({ table: table.name, dropped }, 'slices of expired rows were dropped');
      await keepStatistics(services, table.name);
    }
    return waits;
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
  const first = sliceSettings.autovacuum_analyze_threshold;
  for (const { name, rows, analysisRows } of slices)
    if (rows >= first && analysisRows === first) await analyseAfter(prisma, name, laterAnalysisRows);
  const rows = slices.reduce((sum, slice) => sum + Math.max(0, slice.rows), 0);
  const known = await analysedRows(prisma, table);
  if (rows >= first && Math.abs(rows - known) > changedShare * rows) await analyse(prisma, table);
}
