import { randomBytes } from 'node:crypto';
import type { Database, Db } from '../db/index.ts';
import { firstIdOf } from '../lib/index.ts';
import { cutSlice } from './cut-slice.ts';
import type { SlicedTable } from './slices.rules.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** As the real one, and always full. */
export const events: SlicedTable = { name: 'Event', mostRows: -2, mostBytes: -1 };

/** An id that was made at this time. */
export const idAt = (time: Date): string => firstIdOf(time).slice(0, 24) + randomBytes(6).toString('hex');

/** Cuts the table as if it was this time. */
export async function cutAt(database: Pick<Database, 'prisma'>, now: Date): Promise<void> {
  const cut = await cutSlice(database, events, now, 60_000);
  if (cut !== 'cut') throw new Error(`the slice was not cut: ${cut}`);
}

export class Stopped extends Error {}

/** A database of a process that is killed right after so many statements. */
export function stoppedAfter(
  { prisma }: Pick<Database, 'prisma'>,
  statements: number,
): Pick<Database, 'prisma'> {
  let left = statements;
  const stopping = <Target extends Db>(target: Target): Target =>
    new Proxy(target, {
      get(inner, name) {
        if (name === '$transaction')
          return (work: (db: Db) => Promise<unknown>) => prisma.$transaction((db) => work(stopping(db)));
        if (name !== '$queryRaw' && name !== '$executeRaw') return Reflect.get(inner, name);
        return async (...call: Parameters<Db['$executeRaw']>) => {
          const result = await inner[name](...call);
          left -= 1;
          if (left === 0) throw new Stopped();
          return result;
        };
      },
    });
  return { prisma: stopping(prisma) };
}

/** Whether the work ended before the process was killed. */
export async function isOver(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Stopped) return false;
    throw error;
  }
}
