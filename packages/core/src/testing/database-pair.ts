import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { POSTGRES_15, type Postgres, type PostgresOptions, startPostgres } from '@postrider/local/postgres';
import { postgresUser } from '@postrider/local/postgres-user';
import { onOtherDatabase } from '../base/lib/index.ts';
import { runOn } from './template-database.ts';
import { createDatabaseOnOwnServer, type TestDatabase } from './test-database.ts';

const run = promisify(execFile);

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
}

const settings: PostgresOptions['settings'] = {
  shared_buffers: '128MB',
  wal_retrieve_retry_interval: '100ms',
};

/** A migrated database on PostgreSQL 15, which has the programs for it (`hasPostgres15`). */
export async function createDatabasePair(): Promise<DatabasePair> {
  const { url, server, drop } = await createDatabaseOnOwnServer({ binDir: POSTGRES_15, settings });
  const folder = await mkdtemp(join(tmpdir(), `postrider-standby-${process.pid}-`));
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
  const user = await postgresUser();
  // Both as the user that the servers run as: the program creates a folder, and the server reads every file of its own.
  const password = join(primary.dataDir, 'postrider.password');
  if (user) await Promise.all([folder, password].map((path) => chown(path, user.uid, user.gid)));
  const dataDir = join(folder, 'postgres');
  const { href } = Object.assign(new URL(primary.url), { pathname: '/postgres' });
  const copy = ['--pgdata', dataDir, '--dbname', href, '--write-recovery-conf', '--checkpoint=fast'];
  await run(join(POSTGRES_15, 'pg_basebackup'), copy, { ...user, cwd: '/' });
  const standby = await startPostgres({ dataDir, binDir: POSTGRES_15, settings });
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
    async drop() {
      await standby.stop();
      await rm(folder, { recursive: true, force: true });
      await drop();
    },
  };
}
