import { randomBytes } from 'node:crypto';
import { type Database, type Db, Prisma } from '../db/index.ts';
import { firstIdOf } from '../lib/index.ts';
import { cutSlice } from './cut-slice.ts';
import { type SlicedTable, slicedTable, slicedTables } from './slices.rules.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

type Name = SlicedTable['name'];

export const slicedNames: readonly Name[] = slicedTables.map(({ name }) => name);

/** As the real one, and always full. */
export const alwaysFull = (name: Name): SlicedTable => ({
  ...slicedTable(name),
  mostRows: -2,
  mostBytes: -1,
});

export const events = alwaysFull('Event');

/** An id that was made at this time. */
export const idAt = (time: Date): string => firstIdOf(time).slice(0, 24) + randomBytes(6).toString('hex');

/** What stores a row with this id. */
export function insertRow(name: Name, projectId: string, id: string, at: Date): Prisma.Sql {
  const [own, values] = {
    Event: [Prisma.raw('"kind", "name"'), Prisma.sql`'CUSTOM', 'seen'`],
    WebhookDelivery: [
      Prisma.raw('"endpointId", "type", "data"'),
      Prisma.sql`${projectId}::uuid, 'event.seen', '{}'::jsonb`,
    ],
  }[name] as [Prisma.Sql, Prisma.Sql];
  return Prisma.sql`INSERT INTO ${Prisma.raw(`"${name}"`)} ("id", "projectId", "createdAt", ${own})
    SELECT ${id}::uuid, ${projectId}::uuid, ${at}::timestamptz, ${values}`;
}

/** The rows of a table, the last one first. */
export const storedRows = (db: Db, name: Name): Promise<{ id: string; createdAt: Date }[]> =>
  db.$queryRaw`SELECT "id"::text AS "id", "createdAt" FROM ${Prisma.raw(`"${name}"`)} ORDER BY "createdAt" DESC`;

/** Cuts the table as if it was this time. */
export async function cutAt(database: Pick<Database, 'prisma'>, now: Date, table = events): Promise<void> {
  const cut = await cutSlice(database, table, now, 60_000);
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
