import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { newId } from '../lib/index.ts';
import { apply } from './apply-migration.ts';
import { applySqlFiles } from './apply-sql-files.ts';
import { migrate, prepare } from './migrate.ts';
import { inTransaction } from './migration-steps.ts';
import { readMigrations } from './migrations.ts';
import { readSqlFiles } from './sql-files.ts';

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await prepare(client);
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

/** Applies the migrations whose names are in this range: what a database has before one of them, or gets by it. */
async function migrateOver(after: string, before: string): Promise<void> {
  for (const migration of await readMigrations())
    if (migration.name > after && migration.name < before)
      await inTransaction(client, () => apply(client, migration));
}

async function project(): Promise<string> {
  const id = newId();
  await client.query(`INSERT INTO "Project" ("id", "name", "updatedAt") VALUES ($1, 'P', now())`, [id]);
  return id;
}

it('present segments get slugs as new ones do: the oldest of equal ones keeps it, and the upgrade names whose events change', async () => {
  await migrateOver('', '20261128110000');
  const projectId = await project();
  const names = [
    'VIP',
    'Клиенты 2026',
    'V.I.P.',
    'VIP 2',
    'Партнёры 2026',
    '🎉',
    'Ünïq हिन्दी',
    'Client\u00a0X',
  ];
  const ids = names.map(() => newId());
  for (const [index, name] of names.entries())
    await client.query(
      `INSERT INTO "Segment" ("id", "projectId", "name", "trackMembership", "createdAt", "updatedAt")
       VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second', now())`,
      [ids[index], projectId, name, name !== 'Партнёры 2026', index],
    );
  const told: string[] = [];
  client.on('notice', ({ message = '' }) => told.push(message));
  await migrateOver('20261128110000', '20261128110001');
  const { rows } = await client.query<{ slug: string }>('SELECT "slug" FROM "Segment" ORDER BY "createdAt"');
  expect(rows.map(({ slug }) => slug)).toEqual([
    'vip',
    'клиенты-2026',
    'vip-3',
    'vip-2',
    'партнёры-2026',
    ids[5],
    'ünïq-हिन्दी',
    'client-x',
  ]);
  expect(told.filter((each) => each.startsWith('segment '))).toHaveLength(3);
  expect(told.join()).toContain('its events are now segment.клиенты-2026.entry');
  expect(told.join()).toContain('before segment.2026.entry');
});

it('the table of events becomes its own first slice, without being read: files, triggers and prepared statements go on', async () => {
  await migrateOver('', '20261212100000');
  await inTransaction(client, async () => applySqlFiles(client, await readSqlFiles()));
  const projectId = await project();
  const insert = {
    name: 'insert-event',
    text: `INSERT INTO "Event" ("id", "projectId", "kind", "name") VALUES (uuid7(), $1, 'CUSTOM', 'seen')`,
    values: [projectId],
  };
  const read = {
    name: 'read-events',
    text: 'SELECT "id" FROM "Event" WHERE "projectId" = $1 ORDER BY "createdAt", "id"',
    values: [projectId],
  };
  for (let n = 0; n < 10; n += 1) await client.query(insert);
  const before = await client.query<{ id: string }>(read);
  const fileOf = async (table: string) =>
    (await client.query('SELECT pg_relation_filenode($1::regclass) AS file', [`"${table}"`])).rows[0]?.file;
  const objects = async () =>
    (await client.query('SELECT "kind", "name", "table", "digest" FROM "_SqlObject" ORDER BY 1, 2, 3')).rows;
  const [file, known] = [await fileOf('Event'), await objects()];

  const told: string[] = [];
  client.on('notice', ({ message = '' }) => told.push(message));
  await client.query('SET client_min_messages = debug1');
  await migrateOver('20261212', '20261213');
  await client.query('RESET client_min_messages');
  // PostgreSQL says when it reads a table to attach it.
  expect(told.filter((message) => message.startsWith('verifying table'))).toEqual([]);
  expect(told.join()).toContain(
    'partition constraint for table "Event_1" is implied by existing constraints',
  );
  await migrate(database.url);
  expect(await fileOf('Event_1')).toBe(file);
  expect(await objects()).toEqual(known);
  expect((await client.query(read)).rows).toEqual(before.rows);
  await client.query(insert);
  expect((await client.query(read)).rows).toHaveLength(11);
  const counts = () => client.query('SELECT sum("count")::int AS count FROM "EventCount"');
  expect((await counts()).rows).toEqual([{ count: 11 }]);
  await client.query('DELETE FROM "Event" WHERE "id" = $1', [before.rows[0]?.id]);
  expect((await counts()).rows).toEqual([{ count: 10 }]);
  const { rows: triggers } = await client.query<{ table: string }>(
    `SELECT DISTINCT tgrelid::regclass::text AS "table" FROM pg_trigger WHERE tgname LIKE 'Event\\_%' AND NOT tgisinternal`,
  );
  expect(triggers).toEqual([{ table: '"Event"' }]);
});
