import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { apply as applyMigration } from './apply-migration.ts';
import { applySqlFiles } from './apply-sql-files.ts';
import { findPending, migrate, prepare } from './migrate.ts';
import { inTransaction } from './migration-steps.ts';
import { type Migration, migrationOf, readMigrations } from './migrations.ts';
import type { SqlObject } from './sql-files.ts';

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const one = (object: Partial<SqlObject> & Pick<SqlObject, 'name' | 'statement'>): SqlObject => ({
  kind: 'function',
  table: '',
  file: 'some.sql',
  ...object,
});
const numberIs = (value: string, type = 'int'): SqlObject =>
  one({
    name: 'number',
    statement: `CREATE FUNCTION number() RETURNS ${type} LANGUAGE sql AS $$ SELECT ${value} $$;`,
  });
const apply = (objects: SqlObject[], digest: string, history: string[] = []) =>
  inTransaction(client, () => applySqlFiles(client, { objects, digest, history: [...history, digest] }));
const applyPending = async (migration: Migration): Promise<string[]> => {
  const pending = await findPending(client, [migration]);
  for (const one of pending) await inTransaction(client, () => applyMigration(client, one));
  return pending.map(({ name }) => name);
};
const answer = async (): Promise<unknown> => (await client.query('SELECT number() AS n')).rows[0].n;

it('several processes migrate one database at once: one does the work', async () => {
  const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url)));
  const [{ name: first } = { name: '' }] = await readMigrations();
  expect(applied.filter((names) => names.includes(first))).toHaveLength(1);
  expect(applied.filter((names) => names.length === 0)).toHaveLength(2);
  expect(await migrate(database.url)).toEqual([]);
});

it('a function is replaced by its later form, also when it returns something else', async () => {
  await prepare(client);
  expect(await apply([numberIs('1')], 'a')).toEqual(['function number']);
  expect(await answer()).toBe(1);
  expect(await apply([numberIs('1')], 'a')).toEqual([]);
  await apply([numberIs('2')], 'b', ['a']);
  expect(await answer()).toBe(2);
  await apply([numberIs("'three'", 'text')], 'c', ['a', 'b']);
  expect(await answer()).toBe('three');
});

it('a function may call one of a later file', async () => {
  await prepare(client);
  const caller = one({
    name: 'caller',
    statement: 'CREATE FUNCTION caller() RETURNS int LANGUAGE sql AS $$ SELECT number() $$;',
  });
  await apply([caller, numberIs('1')], 'a');
  expect((await client.query('SELECT caller() AS n')).rows[0].n).toBe(1);
});

it('functions and triggers whose files are gone are removed, and the tables stay', async () => {
  await prepare(client);
  await client.query('CREATE TABLE "T" ("n" int)');
  const stamp = one({
    name: 'stamp',
    statement: 'CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;',
  });
  const trigger = one({
    kind: 'trigger',
    name: 'T_stamp',
    table: 'T',
    statement: 'CREATE TRIGGER "T_stamp" AFTER INSERT ON "T" FOR EACH ROW EXECUTE FUNCTION stamp();',
  });
  await apply([trigger, stamp, numberIs('1')], 'a');
  expect(await apply([numberIs('1')], 'b', ['a'])).toEqual(['function stamp', 'trigger T_stamp on T']);
  const { rows } = await client.query(
    `SELECT (SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal) + (SELECT count(*) FROM pg_proc WHERE proname = 'stamp') AS n`,
  );
  expect(Number(rows[0].n)).toBe(0);
  await client.query('INSERT INTO "T" VALUES (1)');
});

it('an earlier version leaves a database of a later one as it is', async () => {
  await prepare(client);
  await apply([numberIs('1')], 'a');
  await apply([numberIs('2')], 'b', ['a']);
  expect(await apply([numberIs('1')], 'a')).toEqual([]);
  expect(await answer()).toBe(2);
});

it('a mistake in a file of SQL names the file, and changes nothing', async () => {
  await prepare(client);
  await apply([numberIs('1')], 'a');
  const broken = one({ name: 'broken', statement: 'CREATE FUNCTION broken() RETURNS nothing;' });
  await expect(apply([numberIs('2'), broken], 'b', ['a'])).rejects.toThrow('some.sql: function broken: ');
  expect(await answer()).toBe(1);
});

it('a migration that was applied and has changed since is an error', async () => {
  await prepare(client);
  const migration = migrationOf('1_first', 'CREATE TABLE "T" ("n" int)');
  expect(await applyPending(migration)).toEqual(['1_first']);
  await expect(applyPending({ ...migration, sql: 'CREATE TABLE "T" ("n" bigint)' })).rejects.toThrow(
    'the migration 1_first has changed since it was applied',
  );
});

it('a migration that fails changes nothing, and is applied by the next start', async () => {
  await prepare(client);
  const failing = migrationOf('1_first', 'CREATE TABLE "T" ("n" int); SELECT 1 / 0');
  await expect(applyPending(failing)).rejects.toThrow('migration 1_first: division by zero');
  expect(await applyPending({ ...failing, sql: 'CREATE TABLE "T" ("n" int)' })).toEqual(['1_first']);
});

const project = '00000000-0000-7000-8000-000000000001';

/** What a version before had written about its migrations. */
async function setUpByFormerVersion(last: string): Promise<void> {
  const [first] = await readMigrations();
  await client.query(first?.sql ?? '');
  await client.query('CREATE FUNCTION of_former_version() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$');
  await client.query(
    'CREATE TABLE _prisma_migrations ("migration_name" text, "finished_at" timestamptz DEFAULT now())',
  );
  await client.query('INSERT INTO _prisma_migrations VALUES ($1)', [last]);
}

it('a database of the former series of migrations is taken over: its counts of emails become figures, and what has no file is removed', async () => {
  await setUpByFormerVersion('20261126231000_order_of_events');
  await client.query(`INSERT INTO "EmailCount" ("id", "projectId", "sourceType", "at", "sent", "delivered", "opened", "clicked", "bounced", "complained")
    SELECT gen_random_uuid(), '${project}', 'CAMPAIGN', '2026-03-01T10:15:00Z', 3, 2, 1, 0, 0, 0 FROM generate_series(1, 2)`);
  const [{ name: first } = { name: '' }] = await readMigrations();
  const applied = await migrate(database.url);
  expect(applied).not.toContain(first);
  expect(applied).toContain('function of_former_version');
  expect(await migrate(database.url)).toEqual([]);
  const { rows } = await client.query(
    `SELECT "unit", "at", "key", "sent", "delivered" FROM "Figure" WHERE "projectId" = '${project}' ORDER BY "unit"`,
  );
  const sums = { key: 'CAMPAIGN', sent: 6, delivered: 4 };
  expect(rows).toEqual([
    { unit: 'quarter', at: new Date('2026-03-01T10:15:00Z'), ...sums },
    { unit: 'day', at: new Date('2026-03-01T00:00:00Z'), ...sums },
  ]);
});

it('a database of an earlier version than the last of that series is refused, and stays as it is', async () => {
  await setUpByFormerVersion('20261122140000_delivery_batches');
  await expect(migrate(database.url)).rejects.toThrow('this database was set up by an earlier version');
  const { rowCount } = await client.query('SELECT FROM _prisma_migrations');
  expect(rowCount).toBe(1);
});
