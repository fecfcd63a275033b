import type { Pool } from 'pg';
import {
  constant,
  type Database,
  Prisma,
  prepared,
  type SqlDb,
  type StoredSchema,
} from '../../base/db/index.ts';
import type { PresentEpoch } from './epoch.store.ts';

export type ProcessKind = 'api' | 'worker' | 'delivery';

/** A process as it is known to others. */
export interface PresentProcess {
  id: string;
  kind: ProcessKind;
  host: string;
  version: string;
  /** the last migration that it knows */
  schema: string;
  /** how far the database's clock is ahead of its own, in milliseconds; null if that is not known yet */
  apartMs: number | null;
}

/** A process that has not renewed its row for three times as long as usual is taken for dead. */
export const livingSeconds = 45;

/** What a process learns when it renews its row. */
export interface Renewal {
  /** null in a database that was restored in another way than by `restore`, or not to the end */
  epoch: PresentEpoch | null;
  /** processes of the same kind that live, this one included */
  processes: number;
  /** which versions can use the database */
  schema: StoredSchema;
  /** since when the installation is stopped for a move */
  stoppedAt: Date | null;
  /** the clock of the database, in milliseconds since 1970 */
  now: number;
}

const renew = prepared<{ [Key in keyof PresentProcess]: PresentProcess[Key] }>(
  'renew-process',
  ({ id, kind, host, version, schema, apartMs }) => Prisma.sql`
    WITH "swept" AS (DELETE FROM "Process" WHERE "seenAt" < clock_timestamp() - interval '1 day' AND "id" <> ${id}::uuid),
    "renewed" AS (
      INSERT INTO "Process" ("id", "kind", "host", "version", "schema", "apartMs", "startedAt", "seenAt")
      VALUES (${id}::uuid, ${kind}::text, ${host}::text, ${version}::text, ${schema}::text, ${apartMs}::float8, clock_timestamp(), clock_timestamp())
      ON CONFLICT ("id") DO UPDATE SET "seenAt" = clock_timestamp(), "apartMs" = excluded."apartMs"
    )
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "now", p.*,
      1 + (SELECT count(*)::int FROM "Process" WHERE "kind" = ${kind}::text AND "id" <> ${id}::uuid
        AND "seenAt" > clock_timestamp() - ${constant(livingSeconds)} * interval '1 second') AS "processes"
    FROM (SELECT) one LEFT JOIN (
      SELECT i."epoch", e."startedAt", i."hold", i."minVersion", i."version", i."stoppedAt" FROM "Installation" i JOIN "Epoch" e ON e."epoch" = i."epoch" WHERE i."id" = 1
    ) p ON true`,
);

type Renewed = Pick<Renewal, 'now' | 'processes' | 'stoppedAt'> &
  StoredSchema &
  (PresentEpoch | { [Key in keyof PresentEpoch]: null });

/** Writes that a process lives, and reads what it lives in. Nothing waits for the disk: a row that a crash loses is written again. */
export async function renewProcess({ asyncCommit }: Database, process: PresentProcess): Promise<Renewal> {
  const { rows } = await asyncCommit.query<Renewed>(renew({ ...process }));
  const [row] = rows;
  if (!row) throw new Error('the process was not renewed');
  const { now, processes, version, minVersion, stoppedAt, ...epoch } = row;
  return {
    now,
    processes,
    stoppedAt,
    epoch: epoch.epoch === null ? null : epoch,
    schema: { version, minVersion },
  };
}

export const removeProcess = ({ asyncCommit }: Database, id: string): Promise<unknown> =>
  asyncCommit.query('DELETE FROM "Process" WHERE "id" = $1', [id]);

/** A restored database has the processes of its former state. */
export const forgetProcesses = (db: SqlDb): Promise<number> => db.$executeRaw`DELETE FROM "Process"`;

export interface LivingProcess extends PresentProcess {
  seenSecondsAgo: number;
}

const living = prepared<{ seconds: number }>(
  'living-processes',
  ({ seconds }) => Prisma.sql`
    SELECT "id", "kind", "host", "version", "schema", "apartMs", extract(epoch FROM clock_timestamp() - "seenAt")::float8 AS "seenSecondsAgo"
    FROM "Process" WHERE "seenAt" > clock_timestamp() - ${seconds}::float8 * interval '1 second' ORDER BY "kind", "host", "id" LIMIT 1000`,
);

/** The processes that were seen within a number of seconds, by kind and host. */
export async function findProcesses(
  pool: Pick<Pool, 'query'>,
  seconds = livingSeconds,
): Promise<LivingProcess[]> {
  const { rows } = await pool.query<LivingProcess>(living({ seconds }));
  return rows;
}
