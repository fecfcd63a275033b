import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@postrider/core/base/db';
import { allowFixtures, runOn } from '@postrider/core/testing/template-database.ts';
import { type ChaosStack, startChaosStack } from '@postrider/harness/chaos-stack';
import { type Postgres, startPostgres } from '@postrider/local/postgres';
import type { SinkOptions } from '@postrider/local/sink';
import pg from 'pg';
import type { BenchOptions } from './bench.ts';

/** The product on a PostgreSQL server with its default, durable settings, and a second database on it for the reference. */
export interface BenchStack extends ChaosStack {
  reference: { url: string; db: pg.Pool };
  postgres: Postgres;
  postgresLog: string;
  /** The statements of both databases that took the most time since the last call; only while profiling. */
  slowest(limit?: number): Promise<string[]>;
}

/** As in production, except for the limits, which would otherwise determine the figures. */
const env = {
  LOG_LEVEL: 'warn',
  SEND_RATE_PER_SECOND: '1000000',
  RATE_LIMIT_PER_MINUTE: '1000000000',
  DELIVERY_LEASE_SECONDS: '60',
  DELIVERY_RETRY_SCALE: '1',
  ROUTE_PROBE_SECONDS: '5,15,60',
  RECONCILE_SECONDS: '60',
};

const profileOf = (folder: string): Record<string, string> => ({
  NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}`,
});

/**
 * @param settings for the product, besides those of all benches
 * @param sink what the mail server of the run keeps
 */
export async function startBenchStack(
  { profile, log }: Pick<BenchOptions, 'profile' | 'log'>,
  settings: Record<string, string> = {},
  sink: SinkOptions = {},
): Promise<BenchStack> {
  log('starting PostgreSQL, Temporal, sink, api and worker');
  if (profile) await mkdir(profile, { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), 'postrider-bench-'));
  await chmod(folder, 0o755);
  const postgresLog = join(folder, 'postgres.log');
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    logFile: postgresLog,
    // Collecting statement statistics costs time, so it is enabled only for profiling.
    ...(profile ? { settings: { shared_preload_libraries: 'pg_stat_statements' } } : {}),
  });
  const stopServer = async (): Promise<void> => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { MAIL_WORKERS, REQUEST_LOG_DAYS } = process.env;
    const chaos = await startChaosStack({
      build: true,
      sink,
      onEvent: log,
      env: {
        ...env,
        DATABASE_URL: postgres.url,
        // An empty value counts as unset: the number of delivery processes then follows from the machine, and that of their
        // connections is the product's default, not the small one of chaos runs.
        MAIL_WORKERS: MAIL_WORKERS ?? '',
        SMTP_CONNECTIONS: '',
        // 0 measures without the request log.
        ...(REQUEST_LOG_DAYS === undefined ? {} : { REQUEST_LOG_DAYS }),
        ...settings,
        ...(profile ? profileOf(profile) : {}),
      },
    });
    if (profile) await chaos.db.query('CREATE EXTENSION pg_stat_statements');
    const reference = await createReference(postgres.url, chaos.db);
    return {
      ...chaos,
      reference,
      postgres,
      postgresLog,
      slowest: (limit = 10) => slowest(chaos.db, limit),
      async stop(options) {
        await reference.db.end();
        await chaos.stop(options);
        await stopServer();
      },
    };
  } catch (error) {
    await stopServer();
    throw error;
  }
}

/** The same tables and indexes in a separate database, so that neither side sees the other's rows. */
async function createReference(url: string, db: pg.Pool): Promise<BenchStack['reference']> {
  await db.query('CREATE DATABASE reference');
  const address = new URL(url);
  address.pathname = '/reference';
  await migrate(address.href);
  await runOn(address.href, allowFixtures);
  return { url: address.href, db: new pg.Pool({ connectionString: address.href, max: 4 }) };
}

async function slowest(db: pg.Pool, limit: number): Promise<string[]> {
  const { rows } = await db.query<{
    database: string;
    calls: number;
    total: number;
    mean: number;
    rows: number;
    query: string;
  }>(
    `SELECT d.datname AS database, s.calls::int, s.total_exec_time AS total, s.mean_exec_time AS mean, s.rows::int,
       left(regexp_replace(s.query, '\\s+', ' ', 'g'), 110) AS query
     FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
     WHERE s.toplevel AND s.query !~ 'pg_stat_statements' ORDER BY s.total_exec_time DESC LIMIT $1`,
    [limit],
  );
  await db.query('SELECT pg_stat_statements_reset()');
  return rows.map(
    (row) =>
      `${row.total.toFixed(0).padStart(7)} ms ${String(row.calls).padStart(7)} calls ${row.mean.toFixed(3).padStart(8)} ms each ` +
      `${String(row.rows).padStart(8)} rows  ${row.database}: ${row.query}`,
  );
}
