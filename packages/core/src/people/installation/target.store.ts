import type { Database } from '../../base/db/index.ts';

/** What is in the way of a restore into a database. */
export interface Target {
  tables: number;
  /** other sessions that are connected to it */
  others: number;
  /** version of the server, such as 18 */
  version: number;
  now: Date;
}

export async function readTarget({ durable }: Database): Promise<Target> {
  const { rows } = await durable.query<Target>(
    `SELECT (SELECT count(*)::int FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
           AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')) AS "tables",
       (SELECT count(*)::int FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend') AS "others",
       current_setting('server_version_num')::int / 10000 AS "version", clock_timestamp() AS "now"`,
  );
  const [target] = rows;
  if (!target) throw new Error('the database was not looked at');
  return target;
}

/** The planner knows nothing of tables that were just restored. */
export const analyze = ({ durable }: Database): Promise<unknown> => durable.query('ANALYZE');
