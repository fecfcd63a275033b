import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestServices, type TestServices } from '../../testing/index.ts';
import { openPool } from './connect.ts';

/** Shorter than in production, so that the tests end soon. */
const soon = { everyMs: 50, silentMs: 300 };

let test: TestServices;
const proxies: SilentProxy[] = [];

beforeAll(async () => {
  test = await createTestServices();
});
afterEach(() => {
  for (const proxy of proxies.splice(0)) proxy.stop();
});
afterAll(() => test.close());

interface SilentProxy {
  url: string;
  /** From now on nothing is forwarded on the open connections, and none is closed. */
  silence(): void;
  stop(): void;
}

async function startProxy(): Promise<SilentProxy> {
  const url = new URL(test.services.config.DATABASE_URL);
  const target = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  const forward = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('error', () => undefined);
    from.on('data', (chunk) => {
      if (!silent.has(from)) to.write(chunk);
    });
    from.on('close', () => {
      if (!silent.has(from)) to.destroy();
    });
  };
  const server: Server = createServer((client) => {
    const upstream = connect(target);
    forward(client, upstream);
    forward(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.port = String((server.address() as AddressInfo).port);
  url.hostname = '127.0.0.1';
  const proxy = {
    url: url.href,
    silence: () => {
      for (const socket of sockets) silent.add(socket);
    },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  proxies.push(proxy);
  return proxy;
}

describe('a connection that is lost without being closed', () => {
  it('fails the statement that waits on it, and the pool opens another', async () => {
    const proxy = await startProxy();
    const pool = openPool({ connectionString: proxy.url, max: 1 }, soon);
    await pool.query('SELECT 1');
    proxy.silence();
    await expect(pool.query('SELECT 1')).rejects.toThrow('Connection terminated');
    expect((await pool.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
    await pool.end();
  });

  it('takes the idle connections with it that were silent as long', async () => {
    const proxy = await startProxy();
    const pool = openPool({ connectionString: proxy.url, max: 3 }, soon);
    await Promise.all([1, 2, 3].map(() => pool.query('SELECT pg_sleep(0.05)')));
    expect(pool.totalCount).toBe(3);
    proxy.silence();
    await expect(pool.query('SELECT 1')).rejects.toThrow('Connection terminated');
    // Any other connection of before would hang.
    const answers = await Promise.all([1, 2, 3].map(() => pool.query('SELECT 2 AS two')));
    expect(answers.map(({ rows }) => rows)).toEqual(Array(3).fill([{ two: 2 }]));
    await pool.end();
  });

  it('takes the idle connections of other pools to that server with it', async () => {
    const proxy = await startProxy();
    const pool = openPool({ connectionString: proxy.url, max: 1 }, soon);
    const other = openPool({ connectionString: proxy.url, max: 1 }, soon);
    await Promise.all([pool.query('SELECT 1'), other.query('SELECT 1')]);
    proxy.silence();
    await expect(pool.query('SELECT 1')).rejects.toThrow('Connection terminated');
    expect((await other.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
    await Promise.all([pool.end(), other.end()]);
  });

  it('holds no locks on the server any more', async () => {
    const proxy = await startProxy();
    const pool = openPool({ connectionString: proxy.url, max: 1 }, soon);
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock(4711)');
    proxy.silence();
    await expect(client.query('SELECT 1')).rejects.toThrow('Connection terminated');
    client.release(true);
    // Waits for the lock, which the server would keep for hours.
    await test.services.database.durable.query('SELECT pg_advisory_xact_lock(4711)');
    await pool.end();
  });
});

it('a statement that takes long is left alone', async () => {
  const pool = openPool({ connectionString: test.services.config.DATABASE_URL, max: 1 }, soon);
  expect((await pool.query('SELECT 1 AS one FROM pg_sleep(1.5)')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

it('a transaction between two statements is left alone', async () => {
  const pool = openPool({ connectionString: test.services.config.DATABASE_URL, max: 2 }, soon);
  const client = await pool.connect();
  await client.query('BEGIN');
  // Longer than a silent connection is given; another one keeps the watch awake.
  await pool.query('SELECT pg_sleep(1)');
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  client.release(true);
  await pool.end();
});
