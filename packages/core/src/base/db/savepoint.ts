import type { SqlDb } from './plain-transaction.ts';

/** Runs `work` so that its failure undoes the changes of `work` alone. `db` must be a transaction. */
export async function inSavepoint<T>(db: Pick<SqlDb, '$executeRaw'>, work: () => Promise<T>): Promise<T> {
  await db.$executeRaw`SAVEPOINT "work"`;
  try {
    const result = await work();
    await db.$executeRaw`RELEASE SAVEPOINT "work"`;
    return result;
  } catch (error) {
    await db.$executeRaw`ROLLBACK TO SAVEPOINT "work"`;
    throw error;
  }
}
