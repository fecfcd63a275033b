import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { hasPostgres15 } from '@postrider/local/postgres';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDatabasePair, type DatabasePair } from '../../testing/database-pair.ts';
import { runOn } from '../../testing/template-database.ts';
import { openDatabase } from './client.ts';
import { openClient, openPool } from './connect.ts';
import { plainTransaction } from './plain-transaction.ts';

const isInstalled = await hasPostgres15();
let pair: DatabasePair;
const pools: pg.Pool[] = [];

/** Each with an address of its own, so that it knows nothing of the servers yet. */
let numbered = 0;
function openOn(url: string, config: { patienceMs?: number; max?: number } = {}): pg.Pool {
  numbered += 1;
  const pool = openPool({ connectionString: `${url}?fallback_application_name=${numbered}`, ...config });
  pools.push(pool);
  return pool;
}

/** The port of the server that answers. */
const portOf = async (pool: pg.Pool): Promise<number> =>
  (await pool.query<{ port: number }>('SELECT inet_server_port() AS "port"')).rows[0]?.port ?? 0;

/** One address that leads to a server, as a floating address or a load balancer. */
async function startRelay(port: number) {
  let target = port;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        near.destroy();
        far.destroy();
        sockets.delete(socket);
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(other: number) {
      target = other;
      cut();
    },
    close() {
      server.close();
      cut();
    },
  };
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end()));
});

describe.runIf(isInstalled)('several servers of one address', () => {
  beforeAll(async () => {
    pair = await createDatabasePair();
  }, 240_000);
  afterAll(() => pair?.drop());

  it('only the one that takes writes is used, wherever it is named', async () => {
    expect(await portOf(openOn(pair.url))).toBe(pair.primary.port);
    const client = openClient({ connectionString: pair.url });
    await client.connect();
    expect(client.port).toBe(pair.primary.port);
    await client.end();
    const database = openDatabase(pair.url);
    expect(await database.prisma.$queryRaw`SELECT inet_server_port() AS "port"`).toEqual([
      { port: pair.primary.port },
    ]);
    await database.close();
  });

  it('one that does not exist, or does not answer, is passed over', async () => {
    const server = `127.0.0.1:${pair.primary.port}`;
    const url = pair.urlOf(pair.primary).replace(/@[^/]*/, `@127.0.0.1:1,missing.invalid,${server}`);
    expect(await portOf(openOn(url))).toBe(pair.primary.port);
  });

  it('a standby that is promoted while another server says nothing is found', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const standIn = await startRelay(pair.standby.port);
    const url = pair.urlOf(pair.primary).replace(/@[^/]*/, `@127.0.0.1:${port},127.0.0.1:${standIn.port}`);
    const found = portOf(openOn(url));
    await delay(500);
    // In place of a promotion, which the other tests would notice.
    standIn.leadTo(pair.primary.port);
    expect(await found).toBe(pair.primary.port);
    standIn.close();
    silent.close();
  });

  it('a server that is the only one may be a standby', async () => {
    expect(await portOf(openOn(pair.urlOf(pair.standby)))).toBe(pair.standby.port);
  });

  it('when none takes writes, the error says what each is, and nothing of user and password', async () => {
    const url = pair.urlOf(pair.standby).replace(/@[^/]*/, `@127.0.0.1:${pair.standby.port},127.0.0.1:1`);
    const error = await openOn(url)
      .query('SELECT')
      .catch((error: unknown) => error);
    expect(error).toMatchObject({
      code: '25006',
      message: `None of the servers takes writes: 127.0.0.1:${pair.standby.port} (a standby), 127.0.0.1:1 (ECONNREFUSED)`,
    });
  });

  it('a server that became read-only is left for another look', async () => {
    const pool = openOn(pair.url, { max: 1, patienceMs: 20_000 });
    const administration = pair.urlOf(pair.primary);
    await pool.query('CREATE TABLE "Written" ("n" int)');
    await runOn(administration, 'ALTER SYSTEM SET default_transaction_read_only = on');
    await runOn(administration, 'SELECT pg_reload_conf()');
    const write = () => pool.query('INSERT INTO "Written" VALUES (1)');
    await expect.poll(() => write().catch((error: unknown) => error)).toMatchObject({ code: '25006' });
    // It is asked for until it writes again.
    const waiting = write();
    await runOn(administration, 'ALTER SYSTEM RESET default_transaction_read_only');
    await runOn(administration, 'SELECT pg_reload_conf()');
    expect((await waiting).rowCount).toBe(1);
  });

  it('wrong user or password is the error of the server', async () => {
    const wrong = pair.url.replace(/:\/\/[^@]*@/, '://nobody:x@');
    await expect(openOn(wrong).query('SELECT')).rejects.toMatchObject({ code: '28P01' });
  });

  describe('while commits wait for the standby', () => {
    let operator: pg.Client;
    /** Cancels what waits for the standby. */
    const stopWaiting = (): Promise<void> =>
      expect
        .poll(async () => {
          const { rowCount } = await operator.query(
            `SELECT pg_cancel_backend("pid") FROM pg_stat_activity WHERE "wait_event" = 'SyncRep'`,
          );
          return rowCount;
        })
        .toBeGreaterThan(0);

    beforeAll(async () => {
      await pair.synchronize();
      await pair.standby.stop();
      operator = openClient({ connectionString: pair.urlOf(pair.primary) });
      await operator.connect();
    }, 60_000);
    afterAll(async () => {
      await operator.end();
      await pair.standby.start();
      await pair.synchronize();
    }, 60_000);

    it.each([
      ['a statement', (pool: pg.Pool) => pool.query('INSERT INTO "Written" VALUES (2)')],
      [
        'a prepared one',
        (pool: pg.Pool) => pool.query({ name: 'w', text: 'INSERT INTO "Written" VALUES ($1)', values: [2] }),
      ],
      [
        'a transaction',
        (pool: pg.Pool) => plainTransaction(pool, (db) => db.$executeRaw`INSERT INTO "Written" VALUES (2)`),
      ],
    ])(
      '%s that PostgreSQL confirms without it has an unknown outcome, and ends its connection',
      async (_what, write) => {
        const pool = openOn(pair.urlOf(pair.primary), { max: 1 });
        const before = (await pool.query('SELECT pg_backend_pid() AS "pid"')).rows;
        const outcome = write(pool).catch((error: unknown) => error);
        await stopWaiting();
        expect(await outcome).toMatchObject({ code: '08007' });
        expect((await pool.query('SELECT pg_backend_pid() AS "pid"')).rows).not.toEqual(before);
      },
    );

    it('a transaction of Prisma as well', async () => {
      const database = openDatabase(pair.urlOf(pair.primary));
      const outcome = database.prisma
        .$transaction((tx) => tx.$executeRaw`INSERT INTO "Written" VALUES (3)`)
        .catch((error: unknown) => error);
      await stopWaiting();
      expect(await outcome).toBeInstanceOf(Error);
      await database.close();
    });

    it('a commit that waits for nothing is not touched', async () => {
      await operator.query('SET synchronous_commit = off');
      expect((await operator.query('INSERT INTO "Written" VALUES (4)')).rowCount).toBe(1);
    });
  });

  describe('after a failover', () => {
    let known: pg.Pool;
    let heldOnOld: pg.PoolClient;
    beforeAll(async () => {
      known = openOn(pair.url);
      pools.pop();
      heldOnOld = await known.connect();
      // The primary stays alive: it is as if it were cut off from everything but this process.
      await pair.promote();
      // What was found serves for a second.
      await delay(1_100);
    }, 60_000);
    afterAll(() => known?.end());

    it('of two that take writes the one that was promoted is used, also by a process that knows of none', async () => {
      expect(await portOf(openOn(pair.url))).toBe(pair.standby.port);
    });

    it('a process that saw the promotion keeps no connection to the old primary', async () => {
      const broken = new Promise((resolve) => heldOnOld.once('end', resolve));
      expect(await portOf(known)).toBe(pair.standby.port);
      await broken;
      await expect(heldOnOld.query('SELECT 1')).rejects.toThrow();
      heldOnOld.release(true);
    });

    it('and refuses it when it is the only one that is there', async () => {
      await pair.standby.stop();
      await expect(known.query('SELECT 1')).rejects.toMatchObject({
        code: '25006',
        message: expect.stringMatching(/timeline 1, .* timeline 2/),
      });
      await pair.standby.start();
      await expect.poll(() => portOf(known).catch(() => 0)).toBe(pair.standby.port);
    });

    it('also behind one address that leads to either', async () => {
      const relay = await startRelay(pair.standby.port);
      const pool = openOn(pair.urlOf(pair.primary).replace(/@[^/]*/, `@127.0.0.1:${relay.port}`));
      expect(await portOf(pool)).toBe(pair.standby.port);
      relay.leadTo(pair.primary.port);
      await expect(pool.query('SELECT 1')).rejects.toThrow();
      await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: '25006' });
      relay.leadTo(pair.standby.port);
      await expect.poll(() => portOf(pool).catch(() => 0)).toBe(pair.standby.port);
      relay.close();
    });

    it('a user without rights of its own is told the timeline too', async () => {
      await runOn(pair.urlOf(pair.standby), `CREATE ROLE joe LOGIN PASSWORD 'joe'`);
      const url = pair.url.replace(/:\/\/[^@]*@/, '://joe:joe@');
      expect(await portOf(openOn(url))).toBe(pair.standby.port);
    });
  });
});
