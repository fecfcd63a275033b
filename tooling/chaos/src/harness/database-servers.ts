import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasPostgres15, POSTGRES_15, type Postgres, startPostgres } from '@postrider/local/postgres';
import { startStandby } from '@postrider/local/postgres-standby';
import pg from 'pg';
import { untilSynchronous } from './standby.ts';
import { startTcpProxy } from './tcp-proxy.ts';

/**
 * A primary with a synchronous standby, and an agent that promotes the standby when the primary does not answer. The harness has a way of
 * its own, which leads to the primary.
 */
export interface DatabaseServers {
  /** names both servers */
  url: string;
  /** Leads to the primary, like a floating address. */
  directUrl: string;
  /** the ports of both, in the order of `url` */
  readonly ports: readonly number[];
  readonly primary: Postgres;
  readonly standby: Postgres;
  /** seconds from each loss of a primary to the first write on the next */
  readonly failovers: readonly number[];
  /** From now on `moved` is told when the server at a place of `url` has another port. */
  follow(moved: (place: number, port: number) => void): void;
  /** Waits until the agent has promoted the standby and made the other server its standby. */
  untilWhole(): Promise<void>;
  /** The standby gets nothing more, and is promoted while the primary lives. */
  cutOffPrimary(during: CutOff): Promise<void>;
  stop(): Promise<void>;
}

export interface CutOff {
  /** The primary has no standby, and what had begun before has ended. */
  alone(): Promise<void>;
  /** Its successor takes writes, and it lives; it is ended afterwards. */
  beside(): Promise<void>;
}

const settings = {
  max_connections: 500,
  shared_buffers: '128MB',
  wal_keep_size: '1GB',
  wal_retrieve_retry_interval: '100ms',
};
/** The agent asks this often, and gives the primary up after as many refusals. */
const askMs = 300;
const mostRefusals = 3;
/** Long enough that what had begun has ended, and what waits for the standby waits. */
const endedMs = 3_000;

export async function startDatabaseServers(): Promise<DatabaseServers> {
  if (!(await hasPostgres15())) throw new Error('This scenario needs PostgreSQL 15 with pg_basebackup.');
  const folder = await mkdtemp(join(tmpdir(), 'postrider-chaos-servers-'));
  await chmod(folder, 0o755);
  let copies = 0;
  const dataDirOf = (): string => {
    copies += 1;
    return join(folder, `${copies}`, 'postgres');
  };
  let primary = await startPostgres({ dataDir: dataDirOf(), binDir: POSTGRES_15, settings });
  // Before the copy, which so has it too: a server that is promoted confirms nothing without a standby of its own.
  await ask(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
  let standby = await startStandby(primary, { dataDir: dataDirOf(), settings });
  await untilSynchronous(primary.url);
  const url = primary.url.replace(/@[^/]*/, `@127.0.0.1:${standby.port},127.0.0.1:${primary.port}`);
  const ports = [standby.port, primary.port];
  const followers: ((place: number, port: number) => void)[] = [];
  const direct = await startTcpProxy(primary.port);
  const failovers: number[] = [];
  let isStopping = false;
  let isPaused = false;
  let isWhole = true;

  /**
   * Promotes the standby, and replaces the former primary, whether it runs or not, by a copy of the new one.
   *
   * @param beside is awaited before the former primary ends
   */
  const failOver = async (lostAt: number, beside?: () => Promise<void>): Promise<void> => {
    isWhole = false;
    const [former, next] = [primary, standby];
    await ask(next.url, 'SELECT pg_promote(true, 30)');
    direct.retarget(next.port);
    // A former primary that lives does not end its connections.
    direct.cut();
    direct.heal();
    primary = next;
    if (!beside) await former.kill();
    const place = ports.indexOf(former.port);
    standby = await startStandby(next, {
      dataDir: dataDirOf(),
      settings,
      ...(beside ? {} : { port: former.port }),
    });
    await untilSynchronous(next.url);
    // From here on commits are confirmed again: without a standby none is.
    failovers.push((performance.now() - lostAt) / 1_000);
    if (beside) {
      await beside();
      await former.kill();
      ports[place] = standby.port;
      for (const moved of followers) moved(place, standby.port);
    }
    isWhole = true;
  };
  let refusals = 0;
  let refusedSince = 0;
  const watch = async (): Promise<void> => {
    while (!isStopping) {
      await sleep(askMs);
      if (isPaused) continue;
      const answers = await ask(primary.url, 'SELECT 1').then(
        () => true,
        () => false,
      );
      if (refusals === 0) refusedSince = performance.now();
      refusals = answers ? 0 : refusals + 1;
      if (refusals < mostRefusals || isPaused) continue;
      refusals = 0;
      await failOver(refusedSince);
    }
  };
  let failure: unknown;
  const watching = watch().catch((error: unknown) => {
    failure = error;
  });

  return {
    url,
    directUrl: Object.assign(new URL(primary.url), { port: String(direct.port) }).href,
    ports,
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    failovers,
    follow(moved) {
      followers.push(moved);
    },
    async untilWhole() {
      const count = failovers.length;
      for (;;) {
        if (failure) throw failure;
        if (isWhole && failovers.length > count) return;
        await sleep(50);
      }
    },
    async cutOffPrimary({ alone, beside }) {
      isPaused = true;
      await ask(standby.url, `ALTER SYSTEM SET primary_conninfo = ''`, 'SELECT pg_reload_conf()');
      await sleep(endedMs);
      await alone();
      await failOver(performance.now(), beside);
      isPaused = false;
    },
    async stop() {
      isStopping = true;
      await watching;
      await direct.stop();
      await standby.kill();
      await primary.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ask(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 2_000,
    query_timeout: 40_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
