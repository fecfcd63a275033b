import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Postgres, startPostgres } from '@postrider/local/postgres';
import pg from 'pg';
import { createShiftedClock } from './shifted-clock.ts';
import { copyAsStandby, untilSynchronous } from './standby.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/**
 * A PostgreSQL server, with a synchronous standby if wanted. The product reaches it through a proxy, like a service
 * behind a floating address; the harness has a way of its own, which no fault of the network touches.
 */
export interface DatabaseCluster {
  /** for the product */
  url: string;
  /** for the harness; connects to the server that is the primary at that moment */
  directUrl: string;
  proxy: TcpProxy;
  readonly primary: Postgres;
  /** Kills the primary, promotes the standby, and directs new connections to it. */
  failOver(): Promise<void>;
  /** Runs statements as the superuser on the primary. */
  administer(...statements: string[]): Promise<void>;
  /** Sets the clock of the primary this many milliseconds ahead of the system's, or behind it if negative. */
  setClock(ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** Small enough that filling all connections takes little time; durable, as in production. */
const settings = {
  max_connections: 120,
  shared_buffers: '128MB',
  wal_keep_size: '1GB',
  // With the default of 5 s, every durable commit would wait that long after a restart of the primary.
  wal_retrieve_retry_interval: '100ms',
};

interface ClusterOptions {
  hasStandby: boolean;
  /** starts it with a clock that can be set */
  hasClock?: boolean;
}

export async function startDatabaseCluster({
  hasStandby,
  hasClock = false,
}: ClusterOptions): Promise<DatabaseCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-chaos-database-'));
  await chmod(folder, 0o755);
  const clock = hasClock ? await createShiftedClock(folder) : undefined;
  const start = (name: string): Promise<Postgres> =>
    startPostgres({
      dataDir: join(folder, name),
      logFile: join(folder, `${name}.log`),
      settings,
      ...(clock ? { env: clock.env } : {}),
    });
  let primary = await start('first');
  let standby: Postgres | undefined;
  if (hasStandby) {
    await primary.stop();
    await copyAsStandby(primary, join(folder, 'second'));
    await primary.start();
    standby = await start('second');
    await untilSynchronous(primary.url);
  }
  const proxy = await startTcpProxy(primary.port);
  const direct = await startTcpProxy(primary.port);

  return {
    url: withPort(primary.url, proxy.port),
    directUrl: withPort(primary.url, direct.port),
    proxy,
    get primary() {
      return primary;
    },
    async failOver() {
      if (!standby) throw new Error('There is no standby to fail over to.');
      await primary.kill();
      await ask(standby.url, 'SELECT pg_promote(true, 30)');
      primary = standby;
      standby = undefined;
      proxy.retarget(primary.port);
      direct.retarget(primary.port);
    },
    administer: (...statements) => ask(primary.url, ...statements),
    async setClock(ms) {
      if (!clock) throw new Error('The clock of this cluster cannot be set.');
      await clock.shift(ms);
    },
    async stop() {
      await proxy.stop();
      await direct.stop();
      await primary.stop();
      await standby?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ask(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function withPort(url: string, port: number): string {
  const address = new URL(url);
  address.port = String(port);
  return address.href;
}
