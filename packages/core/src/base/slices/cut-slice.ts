import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, presentTime } from '../db/index.ts';
import { firstIdOf, timeOf } from '../lib/index.ts';
import {
  aheadMs,
  dayMs,
  giveUpMs,
  nextName,
  rescueMs,
  type SlicedTable,
  slicedTables,
} from './slices.rules.ts';
import {
  cutAtLimit,
  findCut,
  hasIdsFrom,
  hasOlderProcess,
  limitSlice,
  readSlices,
  unlimitSlice,
  validateLimits,
} from './slices.store.ts';

/**
 * - `none`: the last slice is not full
 * - `cut`: it was cut
 * - `waits`: it did not get its locks within its time, or was given up, and is to be tried again
 * - `blocked`: there are ids from a time to come, or a process of a version from before there were slices
 */
export type Cut = 'none' | 'cut' | 'waits' | 'blocked';

/** Between two tries, so that statements which waited behind the first go on. */
const betweenTriesMs = 300;

/**
 * Cuts the last slice of a table when it is full: it ends at an id that no process makes before an hour from now, and a new one begins there.
 * Statements go on, but for some milliseconds in which they wait. May be stopped at any moment, and begun again by any process: how far it came
 * is in the catalogue.
 */
export async function cutSlice(
  { prisma }: Pick<Database, 'prisma'>,
  table: SlicedTable,
  now: Date,
  budgetMs: number,
): Promise<Cut> {
  const began = performance.now();
  const present = (): number => now.getTime() + performance.now() - began;
  do {
    const slices = await readSlices(prisma, table.name);
    const last = slices.at(-1);
    if (!last) throw new Error(`${table.name} has no slices`);
    if (last.before === null) {
      const boundary = new Date(present() + aheadMs);
      if (!isFull(last, table, boundary)) return 'none';
      const before = firstIdOf(boundary);
      if (await hasOlderProcess(prisma, table.since)) return 'blocked';
      if (await hasIdsFrom(prisma, last.name, before, aheadMs - giveUpMs)) return 'blocked';
      if (await limitSlice(prisma, last, before)) continue;
    } else if (timeOf(last.before.id).getTime() - present() < giveUpMs) {
      if (await unlimitSlice(prisma, last.name)) continue;
    } else if (last.before.isValid) {
      const next = nextName(
        table.name,
        slices.map(({ name }) => name),
      );
      if (await cutAtLimit(prisma, table, last, last.before.id, next)) return 'cut';
    } else {
      if (await validateLimits(prisma, last)) continue;
      if (await unlimitSlice(prisma, last.name)) return 'blocked';
    }
    await sleep(betweenTriesMs);
  } while (performance.now() - began < budgetMs);
  return 'waits';
}

/** Runs are a day apart, but for what they wait for: the one that comes a little early must not leave the cut to the next day. */
const earlyMs = dayMs / 2;

/** Whether the last slice is cut: it is full, or it is one of a week (or the like) and large enough. `before` is where it would end. */
export const isFull = (
  { rows, bytes, from }: { rows: number; bytes: number; from: string | null },
  { mostRows, mostBytes, regular }: SlicedTable,
  before: Date,
): boolean =>
  rows > mostRows ||
  bytes > mostBytes ||
  (regular !== null &&
    rows > regular.rows &&
    (from === null || before.getTime() - timeOf(from).getTime() > regular.days * dayMs - earlyMs));

/**
 * Gives up cuts whose boundary is near, as the process that made them was killed and none went on: from the boundary on, the limit would refuse
 * rows. To be called by every process, again and again.
 */
export async function giveUpLateCuts({ prisma }: Pick<Database, 'prisma'>): Promise<void> {
  for (const { name } of slicedTables) {
    const cut = await findCut(prisma, name);
    if (!cut) continue;
    const now = await presentTime(prisma);
    if (timeOf(cut.before).getTime() - now.getTime() < rescueMs) await unlimitSlice(prisma, cut.name);
  }
}
