import { execFile } from 'node:child_process';
import { chown, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { POSTGRES_15, type Postgres, type PostgresOptions, startPostgres } from './postgres.ts';
import { postgresUser } from './postgres-user.ts';

const run = promisify(execFile);

/**
 * Copies a running server of PostgreSQL 15 and starts the copy as its standby. The embedded PostgreSQL has no `pg_basebackup`.
 *
 * @param options as for the primary; the folder does not exist
 */
export async function startStandby(
  primary: Postgres,
  options: Omit<PostgresOptions, 'binDir'>,
): Promise<Postgres> {
  const { dataDir } = options;
  const user = await postgresUser();
  await mkdir(dirname(dataDir), { recursive: true });
  // As the user that the servers run as: the program creates a folder.
  if (user) await chown(dirname(dataDir), user.uid, user.gid);
  const { href } = Object.assign(new URL(primary.url), { pathname: '/postgres' });
  const copy = ['--pgdata', dataDir, '--dbname', href, '--write-recovery-conf', '--checkpoint=fast'];
  await run(join(POSTGRES_15, 'pg_basebackup'), copy, { ...user, cwd: '/' });
  return startPostgres({ ...options, binDir: POSTGRES_15 });
}
