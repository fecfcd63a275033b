import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '../../base/db/index.ts';
import { onOtherDatabase } from '../../base/lib/index.ts';

/** A database on the same server that is there while `work` runs. Needs the right to create databases. */
export async function withScratchDatabase<T>(
  { durable }: Database,
  serverUrl: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const name = `postrider_scratch_${randomBytes(6).toString('hex')}`;
  await durable.query(`CREATE DATABASE "${name}" TEMPLATE template0`);
  try {
    return await work(onOtherDatabase(serverUrl, name));
  } finally {
    await durable.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  }
}

/** Opens a database for a few statements. */
export async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(url, { connections: 2 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
