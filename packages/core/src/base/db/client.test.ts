import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestServices, type TestServices } from '../../testing/index.ts';
import { databaseIsUnreachable } from './availability.ts';
import { openDatabase } from './client.ts';
import type { Database } from './database.ts';
import { plainTransaction } from './plain-transaction.ts';

let test: TestServices;
let database: Database;

beforeAll(async () => {
  test = await createTestServices();
  database = openDatabase(test.services.config.DATABASE_URL, { connections: 2, idleInTransactionMs: 200 });
  await database.durable.query('CREATE TABLE "OneRow" ("n" int)');
  await database.durable.query('INSERT INTO "OneRow" VALUES (1)');
});
afterAll(async () => {
  await database.close();
  await test.close();
});

const lockRow = 'SELECT "n" FROM "OneRow" FOR UPDATE';

it('the locks of a transaction whose process does not go on are free after the time that it may wait', async () => {
  let others: unknown[] = [];
  const stopped = plainTransaction(database.asyncCommit, async (db) => {
    await db.$queryRawUnsafe(lockRow);
    // It waits for the row until the server has ended this transaction.
    others = (await database.durable.query(lockRow)).rows;
    await db.$queryRawUnsafe(lockRow);
  });
  expect(await stopped.then(() => null, databaseIsUnreachable)).toBe(true);
  expect(others).toEqual([{ n: 1 }]);
  expect(await plainTransaction(database.asyncCommit, (db) => db.$queryRawUnsafe(lockRow))).toEqual([
    { n: 1 },
  ]);
});

it('so are those of a transaction of Prisma', async () => {
  let others: unknown[] = [];
  const stopped = database.prisma.$transaction(async (db) => {
    await db.$queryRawUnsafe(lockRow);
    others = (await database.durable.query(lockRow)).rows;
    await db.$queryRawUnsafe(lockRow);
  });
  await expect(stopped).rejects.toThrow();
  expect(others).toEqual([{ n: 1 }]);
  expect(await database.prisma.$queryRawUnsafe('SELECT "n" FROM "OneRow"')).toEqual([{ n: 1 }]);
});

it('every connection of the product has a limit of a minute', async () => {
  const open = openDatabase(test.services.config.DATABASE_URL, { connections: 2 });
  const limitOf = async (pool: pg.Pool): Promise<unknown> =>
    (await pool.query('SHOW idle_in_transaction_session_timeout')).rows;
  const limit = [{ idle_in_transaction_session_timeout: '1min' }];
  try {
    for (const pool of [open.durable, open.asyncCommit, open.grouped])
      expect(await limitOf(pool)).toEqual(limit);
    expect(await open.prisma.$queryRawUnsafe('SHOW idle_in_transaction_session_timeout')).toEqual(limit);
  } finally {
    await open.close();
  }
});
