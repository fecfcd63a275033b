import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from '@postrider/local/data-folder';
import { POSTGRES_15, type Postgres, type PostgresOptions } from '@postrider/local/postgres';
import { startStandby } from '@postrider/local/postgres-standby';
import { onOtherDatabase } from '../base/lib/index.ts';
import { runOn } from './template-database.ts';
import { createDatabaseOnOwnServer, type TestDatabase } from './test-database.ts';

/** A primary with a streaming standby. */
export interface DatabasePair extends TestDatabase {
  /** names both, the standby first */
  url: string;
  primary: Postgres;
  standby: Postgres;
  /** of the same database on one of them */
  urlOf(server: Postgres): string;
  /** From now on commits of the primary wait for the standby. */
  synchronize(): Promise<void>;
  /** The standby receives nothing more; both stay alive. */
  cut(): Promise<void>;
  /** Makes the standby a primary. The former primary is left as it is. */
  promote(): Promise<void>;
  /** Whether commits of the promoted standby wait for a standby of its own, which there is not. */
  setWaiting(waits: boolean): Promise<void>;
}

const settings: PostgresOptions['settings'] = {
  shared_buffers: '128MB',
  wal_retrieve_retry_interval: '100ms',
};

/** A migrated database on PostgreSQL 15, which has the programs for it (`hasPostgres15`). */
export async function createDatabasePair(): Promise<DatabasePair> {
  const { url, server, drop } = await createDatabaseOnOwnServer({ binDir: POSTGRES_15, settings });
  const folder = await dataFolder(`postrider-standby-${process.pid}-`);
  try {
    return await withStandby({ url, drop }, server, folder);
  } catch (error) {
    await drop();
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function withStandby(
  { url, drop }: TestDatabase,
  primary: Postgres,
  folder: string,
): Promise<DatabasePair> {
  const standby = await startStandby(primary, { dataDir: join(folder, 'postgres'), settings });
  const urlOf = ({ port }: Postgres): string => Object.assign(new URL(url), { port: String(port) }).href;
  return {
    url: urlOf(primary).replace(/@[^/]*/, `@127.0.0.1:${standby.port},127.0.0.1:${primary.port}`),
    primary,
    standby,
    urlOf,
    async synchronize() {
      const administration = onOtherDatabase(primary.url, 'postgres');
      await runOn(administration, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
      await runOn(administration, 'SELECT pg_reload_conf()');
      await runOn(
        administration,
        `DO $$ BEGIN
           FOR n IN 1..600 LOOP
             PERFORM pg_stat_clear_snapshot();
             IF EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync') THEN RETURN; END IF;
             PERFORM pg_sleep(0.05);
           END LOOP;
           RAISE 'the standby does not follow';
         END $$`,
      );
    },
    async cut() {
      const administration = onOtherDatabase(standby.url, 'postgres');
      await runOn(administration, `ALTER SYSTEM SET primary_conninfo = ''`);
      await runOn(administration, 'SELECT pg_reload_conf()');
    },
    promote: () => runOn(onOtherDatabase(standby.url, 'postgres'), 'SELECT pg_promote(true, 30)'),
    async setWaiting(waits) {
      const administration = onOtherDatabase(standby.url, 'postgres');
      await runOn(administration, `ALTER SYSTEM SET synchronous_standby_names = '${waits ? '*' : ''}'`);
      await runOn(administration, 'SELECT pg_reload_conf()');
    },
    async drop() {
      await standby.stop();
      await rm(folder, { recursive: true, force: true });
      await drop();
    },
  };
}
