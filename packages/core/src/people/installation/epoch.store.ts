import { type Database, Prisma, prepared } from '../../base/db/index.ts';

/** How the database began, for the last time. */
export interface PresentEpoch {
  epoch: number;
  /** tells two restores of one backup apart */
  startedAt: Date;
  hold: 'all' | 'marketing' | null;
}

const read = prepared(
  'read-epoch',
  () => Prisma.sql`
    SELECT i."epoch", e."startedAt", i."hold" FROM "Installation" i JOIN "Epoch" e ON e."epoch" = i."epoch" WHERE i."id" = 1`,
);

/** Null for a database that was restored in another way than by `restore`, or not to the end. */
export async function readEpoch({ durable }: Database): Promise<PresentEpoch | null> {
  const { rows } = await durable.query<PresentEpoch>(read({}));
  return rows[0] ?? null;
}

/** What does not leave from now on: the next claim of each process reads it. */
export const setHold = ({ durable }: Database, hold: 'marketing' | null): Promise<unknown> =>
  durable.query(`UPDATE "Installation" SET "hold" = $1 WHERE "id" = 1`, [hold]);
