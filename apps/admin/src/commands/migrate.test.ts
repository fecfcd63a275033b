import { openPool } from '@postrider/core/base/db';
import { createEmptyDatabase, createTestDatabase } from '@postrider/core/testing/test-database.ts';
import { expect, it } from 'vitest';
import { runAdmin } from '../run-admin.ts';

async function admin(url: string, ...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runAdmin(['migrate', ...args], {
    env: () => {
      throw new Error('migrate needs the database alone');
    },
    environment: () => ({ DATABASE_URL: url }),
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, out, err };
}

async function change(url: string, statement: string): Promise<void> {
  const pool = openPool({ connectionString: url, max: 1 });
  await pool.query(statement);
  await pool.end();
}

it('an empty database has everything pending, gets it, and then nothing is', async () => {
  const database = await createEmptyDatabase();
  const before = await admin(database.url, '--check');
  expect(before.code).toBe(10);
  expect(before.out.length).toBeGreaterThan(60);
  expect(before.out[0]).toMatch(/^20261127090000_first\texpand\t/);
  const sql = await admin(database.url, '--sql');
  expect(sql.code).toBe(10);
  expect(sql.out[0]).toMatch(/^-- 20261127090000_first\n[\s\S]*CREATE TABLE "Project"/);
  const applied = await admin(database.url);
  expect(applied).toMatchObject({ code: 0, err: [] });
  expect(applied.out).toContain('20261127090000_first');
  expect(await admin(database.url, '--check')).toEqual({ code: 0, out: ['nothing is pending'], err: [] });
  expect(await admin(database.url)).toEqual({ code: 0, out: ['nothing is pending'], err: [] });
  await database.drop();
});

it('a migration that is pending has its kind, locks, rows and time', async () => {
  const database = await createTestDatabase();
  await change(database.url, `DELETE FROM "_Migration" WHERE "name" = '20261206110000_schema_fit'`);
  expect((await admin(database.url, '--check')).out).toEqual([
    '20261206110000_schema_fit\texpand\tACCESS EXCLUSIVE on Installation\t0 rows\t< 1 s',
  ]);
  const failed = await admin(database.url);
  expect(failed.code).toBe(1);
  expect(failed.err[0]).toContain('migration 20261206110000_schema_fit: column "schema" of relation');
  await database.drop();
});

it('a database that this version cannot use is impossible', async () => {
  const database = await createTestDatabase();
  await change(database.url, `UPDATE "Installation" SET "minVersion" = '9.1.0'`);
  for (const args of [['--check'], []])
    expect(await admin(database.url, ...args)).toMatchObject({
      code: 1,
      err: [expect.stringContaining('This database was migrated by 9.1; ')],
    });
  await database.drop();
});

it('without a database it says so', async () => {
  expect(await admin('')).toMatchObject({ code: 2, err: ['DATABASE_URL is not set.'] });
});
