import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import {
  createEmptyDatabase,
  createTestDatabase,
  createTestDatabaseOn,
  postgresVersions,
} from './test-database.ts';

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

const TABLES = "SELECT count(*)::int FROM pg_tables WHERE schemaname = 'public'";

const versions = await postgresVersions();

describe('a test database', () => {
  it.each(versions)('is migrated and belongs to one file alone (PostgreSQL %s)', async (version) => {
    const one = await createTestDatabaseOn(version);
    const other = await createTestDatabase();
    await ask(one.url, 'CREATE TABLE only_here (id int)');
    expect(await ask(one.url, TABLES)).not.toEqual([0]);
    expect(await ask(other.url, "SELECT to_regclass('only_here') IS NULL")).toEqual([true]);
    await one.drop();
    await other.drop();
    await expect(ask(one.url, 'SELECT 1')).rejects.toThrow();
  });

  it('can be created empty, to test the migrations', async () => {
    const empty = await createEmptyDatabase();
    expect(await ask(empty.url, TABLES)).toEqual([0]);
    await empty.drop();
  });
});
