import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestServices, type TestServices } from '../../testing/index.ts';
import { openClient, openPool } from './connect.ts';

let test: TestServices;
let url: string;

beforeAll(async () => {
  test = await createTestServices();
  url = test.services.config.DATABASE_URL;
});
afterAll(() => test.close());

/** Terminates a connection, as a restart of the server does. */
async function terminate(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  // Not events.once(): that rejects at the `error` event, which comes first.
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  await test.services.database.durable.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  await ended;
}

describe('a connection that the server ends does not end the process', () => {
  it('while it is checked out of a pool, between two statements', async () => {
    const pool = openPool({ connectionString: url, max: 1 });
    const client = await pool.connect();
    await terminate(client);
    await expect(client.query('SELECT 1')).rejects.toThrow();
    client.release(true);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('while it lies idle in a pool', async () => {
    const pool = openPool({ connectionString: url, max: 1 });
    const client = await pool.connect();
    const pid = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
    client.release();
    const removed = new Promise<void>((resolve) => pool.once('remove', () => resolve()));
    await test.services.database.durable.query('SELECT pg_terminate_backend($1)', [pid]);
    await removed;
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('while it listens', async () => {
    const client = openClient({ connectionString: url });
    await client.connect();
    await client.query('LISTEN some_channel');
    await terminate(client);
    await client.end();
  });
});
