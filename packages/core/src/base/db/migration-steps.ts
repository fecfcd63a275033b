import type { Client } from 'pg';

export async function inTransaction<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A connection that broke has ended the transaction by itself.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** An error of PostgreSQL does not say which file it is about. */
export async function describing(what: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
