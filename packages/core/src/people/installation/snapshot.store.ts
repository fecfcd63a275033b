import { clientTransaction, type Database } from '../../base/db/index.ts';

/** One state of the database, which programs of PostgreSQL can read as well. */
export interface Snapshot {
  /** names it to other sessions */
  id: string;
  /** all that was committed before this time is in it */
  dataUntil: Date;
  epoch: number;
  /** the name of the last migration */
  schema: string;
}

export const notInstalled =
  'this database has no row in "Installation": it was not restored by npm run admin -- restore';

/** Keeps one state of the database readable while `work` runs. */
export const withSnapshot = <T>(
  { durable }: Database,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> =>
  clientTransaction(
    durable,
    async (client) => {
      // The time of the transaction is that of its beginning, and the state is that of this statement.
      const { rows } = await client.query<Snapshot>(
        `SELECT pg_export_snapshot() AS "id", now() AS "dataUntil", (SELECT "epoch" FROM "Installation" WHERE "id" = 1) AS "epoch",
           (SELECT max("name") FROM "_Migration") AS "schema"`,
      );
      const [snapshot] = rows;
      if (!snapshot || snapshot.epoch === null) throw new Error(notInstalled);
      return work(snapshot);
    },
    {
      transaction_isolation: 'repeatable read',
      transaction_read_only: 'on',
      idle_in_transaction_session_timeout: '0',
    },
  );

/** The version of the server, such as 18. */
export async function serverVersion({ durable }: Database): Promise<number> {
  const { rows } = await durable.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS "version"`,
  );
  return rows[0]?.version ?? 0;
}
