import { execFile } from 'node:child_process';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Postgres } from '@postrider/local/postgres';
import { postgresUser, reachableDataDir } from '@postrider/local/postgres-user';
import pg from 'pg';

const run = promisify(execFile);
const patienceMs = 30_000;

/**
 * Copies the files of a stopped server to a folder from which a standby can be started: it streams from that server.
 * The embedded PostgreSQL has no pg_basebackup; the copy of a server that was shut down needs none.
 */
export async function copyAsStandby(primary: Postgres, dataDir: string): Promise<void> {
  const target = await reachableDataDir(dataDir, await postgresUser());
  // Unlike Node's own copy, this keeps the owner.
  await run('cp', ['-a', primary.dataDir, target]);
  await writeFile(join(target, 'standby.signal'), '');
  const { hostname, port, username, password } = new URL(primary.url);
  await appendFile(
    join(target, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  );
}

/** Makes every durable commit of the primary wait for its standby, and waits until the standby takes part. */
export async function untilSynchronous(primaryUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: primaryUrl });
  await client.connect();
  try {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await client.query('SELECT pg_reload_conf()');
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const { rowCount } = await client.query(
        `SELECT FROM pg_stat_replication WHERE "sync_state" = 'sync' AND "state" = 'streaming'`,
      );
      if (rowCount === 1) return;
      if (Date.now() > deadline) throw new Error('The standby does not follow the primary.');
      await sleep(50);
    }
  } finally {
    await client.end();
  }
}
