import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/index.ts';
import { timeOf } from '../lib/index.ts';
import type { Bounds, SlicedTable } from './slices.rules.ts';
import {
  detachFirst,
  dropDetached,
  findDetached,
  findRowsSince,
  readSlices,
  type Slice,
} from './slices.store.ts';

/**
 * At most this many rows of an expired slice may be newer than the limit, because a clock was far behind when their ids were made. They are moved to the
 * next slice; with more of them the slice stays.
 */
const mostCarried = 1_000;

/** How often the locks for a drop are asked for, with pauses in which statements go on. */
const lockTries = 100;
const betweenTriesMs = 300;

/**
 * Drops the slices whose ids are all from before a time. The last one stays, and a table that is being cut is left as it is. May be stopped at any
 * moment, and begun again by any process.
 *
 * @returns how many were dropped
 */
export async function dropSlices(
  { prisma }: Pick<Database, 'prisma'>,
  { name: table }: SlicedTable,
  limit: Date,
): Promise<number> {
  let dropped = 0;
  let failed = 0;
  while (failed < lockTries) {
    const [first, next] = await readSlices(prisma, table);
    if (!first) throw new Error(`${table} has no slices`);
    for (const slice of await findDetached(prisma, table)) {
      await dropDetached(prisma, slice, first.name, limit);
      dropped += 1;
    }
    if (!next || !isExpired(first, next, limit)) return dropped;
    const carried = await findRowsSince(prisma, first.name, limit, mostCarried + 1);
    if (carried.length > mostCarried) return dropped;
    if (await detachFirst(prisma, table, first, next, carried)) continue;
    failed += 1;
    await sleep(betweenTriesMs);
  }
  return dropped;
}

/** Whether all ids of a slice are from before the limit, and the next slice is not being cut. */
function isExpired({ to }: Slice, next: Slice, limit: Date): boolean {
  const isBeingCut = next.to === null && next.before !== null;
  return !isBeingCut && to !== null && timeOf(to) <= limit;
}

/** Slices that will be dropped whole within this time are not swept, so that a drop saves the work of removing rows. */
const sharedMs = 30 * 86_400_000;

const isSwept = ({ to }: Bounds, limit: Date): boolean =>
  to === null || timeOf(to).getTime() > limit.getTime() + sharedMs;

/** The slices of a table in which old rows have to be removed one by one: the others are dropped whole within a month. */
export async function slicesToSweep(
  { prisma }: Pick<Database, 'prisma'>,
  table: SlicedTable['name'],
  limit: Date,
): Promise<string[]> {
  const slices = await readSlices(prisma, table);
  return slices.filter((slice) => isSwept(slice, limit)).map(({ name }) => name);
}
