import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { type Database, openDatabase } from './client.ts';
import { plainTransaction } from './plain-transaction.ts';
import { isDuplicate } from './retry.ts';
import { inSavepoint } from './savepoint.ts';

let made: TestDatabase;
let database: Database;
beforeAll(async () => {
  made = await createTestDatabase();
  database = openDatabase(made.url);
  await database.durable.query('CREATE TABLE planted (name text PRIMARY KEY)');
});
afterAll(async () => {
  await database.close();
  await made.drop();
});

const insert = 'INSERT INTO planted VALUES ($1)';
const namesIn = async ({ durable }: Database): Promise<string[]> =>
  (await durable.query<{ name: string }>('SELECT name FROM planted ORDER BY name')).rows.map(
    ({ name }) => name,
  );

describe('what is undone', () => {
  it('sees what it changed by each of the pools, and leaves nothing', async () => {
    const seen = await database.undone(async (inside) => {
      await inside.prisma.$executeRaw`INSERT INTO planted VALUES ('prisma')`;
      await inside.durable.query(insert, ['durable']);
      await inside.grouped.query(insert, ['grouped']);
      await inside.prisma.$transaction((db) => db.$executeRaw`INSERT INTO planted VALUES ('transaction')`);
      await plainTransaction(inside.durable, (db) => db.$executeRaw`INSERT INTO planted VALUES ('plain')`);
      return namesIn(inside);
    });
    expect(seen).toEqual(['durable', 'grouped', 'plain', 'prisma', 'transaction']);
    expect(await namesIn(database)).toEqual([]);
  });

  it('leaves nothing when it fails, and gives its error', async () => {
    const work = database.undone(async ({ durable }) => {
      await durable.query(insert, ['a']);
      throw new Error('planted');
    });
    await expect(work).rejects.toThrow('planted');
    expect(await namesIn(database)).toEqual([]);
  });

  it('goes on after a statement or transaction that failed, without what that one changed', async () => {
    const seen = await database.undone(async (inside) => {
      await inside.durable.query(insert, ['a']);
      const again = inside.durable.query(insert, ['a']);
      await expect(again).rejects.toSatisfy(isDuplicate);
      const transaction = inside.prisma.$transaction(async (db) => {
        await db.$executeRaw`INSERT INTO planted VALUES ('b')`;
        await db.$executeRaw`INSERT INTO planted VALUES ('a')`;
      });
      await expect(transaction).rejects.toSatisfy(isDuplicate);
      const plain = plainTransaction(inside.durable, async (db) => {
        await db.$executeRaw`INSERT INTO planted VALUES ('c')`;
        throw new Error('planted');
      });
      await expect(plain).rejects.toThrow('planted');
      return namesIn(inside);
    });
    expect(seen).toEqual(['a']);
  });

  it('answers a statement beside a transaction that failed and is still open, as another connection does elsewhere', async () => {
    const seen = await database.undone(async (inside) => {
      await inside.durable.query(insert, ['a']);
      const transaction = inside.prisma.$transaction(async (db) => {
        await db.$executeRaw`INSERT INTO planted VALUES ('b')`;
        await expect(db.$executeRaw`INSERT INTO planted VALUES ('a')`).rejects.toSatisfy(isDuplicate);
        expect(await namesIn(inside)).toEqual(['a']);
        await expect(db.$executeRaw`INSERT INTO planted VALUES ('c')`).rejects.toThrow();
        throw new Error('planted');
      });
      await expect(transaction).rejects.toThrow('planted');
      await inside.prisma.$transaction((db) => db.$executeRaw`INSERT INTO planted VALUES ('d')`);
      return namesIn(inside);
    });
    expect(seen).toEqual(['a', 'd']);
  });

  it('lets a transaction go on that went back to a savepoint of its own', async () => {
    const seen = await database.undone(async (inside) => {
      await inside.prisma.$transaction(async (db) => {
        await db.$executeRaw`INSERT INTO planted VALUES ('a')`;
        const again = inSavepoint(db, () => db.$executeRaw`INSERT INTO planted VALUES ('a')`);
        await expect(again).rejects.toSatisfy(isDuplicate);
        expect(await namesIn(inside)).toEqual(['a']);
        await db.$executeRaw`INSERT INTO planted VALUES ('b')`;
      });
      return namesIn(inside);
    });
    expect(seen).toEqual(['a', 'b']);
  });

  it('takes statements and transactions at once', async () => {
    const seen = await database.undone(async (inside) => {
      const { prisma, durable } = inside;
      await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          n % 2 === 0
            ? durable.query(insert, [`${n}`])
            : prisma.$transaction(async (db) => {
                await db.$executeRaw`INSERT INTO planted VALUES (${`${n}`})`;
                await db.$executeRaw`INSERT INTO planted VALUES (${`${n}b`})`;
              }),
        ),
      );
      return namesIn(inside);
    });
    expect(seen).toHaveLength(30);
    expect(await namesIn(database)).toEqual([]);
  });

  it('refuses a statement that comes after its end, where nothing would undo it', async () => {
    const late = await database.undone(
      async ({ durable }) =>
        () =>
          durable.query(insert, ['late']),
    );
    await expect(late()).rejects.toThrow('ended');
    expect(await namesIn(database)).toEqual([]);
  });

  it('keeps what counts attempts', async () => {
    await database.undone(({ asyncCommit }) => asyncCommit.query(insert, ['attempt']));
    expect(await namesIn(database)).toEqual(['attempt']);
    await database.durable.query('TRUNCATE planted');
  });
});
