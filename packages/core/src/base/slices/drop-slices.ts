import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/index.ts';
import { timeOf } from '../lib/index.ts';
import { type Bounds, dayMs, type SlicedTable, slicedTable } from './slices.rules.ts';
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
  database: Pick<Database, 'prisma'>,
  sliced: SlicedTable,
  limit: Date,
): Promise<number> {
  const { prisma } = database;
  const { name: table } = sliced;
  let dropped = 0;
  let failed = 0;
  while (failed < lockTries) {
    dropped += await finishDrops(database, sliced, limit);
    const [first, next] = await readSlices(prisma, table);
    if (!first) throw new Error(`${table} has no slices`);
    if (!next || !isExpired(first, next, limit)) return dropped;
    const carried = await findRowsSince(prisma, first.name, limit, mostCarried + 1);
    if (carried.length > mostCarried) return dropped;
    if (await detachFirst(prisma, table, first, next, carried)) continue;
    failed += 1;
    await sleep(betweenTriesMs);
  }
  return dropped;
}

/** Drops the slices that were taken out of a table and are there yet. @returns how many */
export async function finishDrops(
  { prisma }: Pick<Database, 'prisma'>,
  { name: table }: SlicedTable,
  limit: Date,
): Promise<number> {
  const left = await findDetached(prisma, table);
  if (left.length === 0) return 0;
  const [first] = await readSlices(prisma, table);
  if (!first) throw new Error(`${table} has no slices`);
  for (const slice of left) await dropDetached(prisma, slice, first.name, limit);
  return left.length;
}

/** Whether all ids of a slice are from before the limit, and the next slice is not being cut. */
function isExpired({ to }: Slice, next: Slice, limit: Date): boolean {
  const isBeingCut = next.to === null && next.before !== null;
  return !isBeingCut && to !== null && timeOf(to) <= limit;
}

/** Whether old rows of a slice are removed one by one; otherwise it is dropped whole soon. */
const isSwept = ({ to }: Bounds, { sharedDays }: SlicedTable, limit: Date): boolean =>
  to === null || timeOf(to).getTime() > limit.getTime() + sharedDays * dayMs;

/** The slices of a table in which old rows have to be removed one by one: the others are dropped whole soon. */
export async function slicesToSweep(
  { prisma }: Pick<Database, 'prisma'>,
  name: SlicedTable['name'],
  limit: Date,
): Promise<string[]> {
  const table = slicedTable(name);
  const slices = await readSlices(prisma, name);
  return slices.filter((slice) => isSwept(slice, table, limit)).map(({ name }) => name);
}
