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

/** Tables that became tables of slices, what stores a row for a project, and what a trigger has told of the rows that are stored. */
const tablesOfSlices = [
  {
    table: 'Event',
    migration: '20261212100000_event_slices',
    insert: `INSERT INTO "Event" ("id", "projectId", "kind", "name") VALUES (uuid7(), $1, 'CUSTOM', 'seen')`,
    told: async () => {
      const { rows } = await client.query('SELECT sum("count")::int AS count FROM "EventCount"');
      return rows[0]?.count;
    },
  },
  {
    table: 'WebhookDelivery',
    migration: '20261213100000_webhook_delivery_slices',
    insert: `INSERT INTO "WebhookDelivery" ("id", "projectId", "endpointId", "type", "data") VALUES (uuid7(), $1, $1, 'event.seen', '{}')`,
    told: null,
  },
];

it.each(tablesOfSlices)(
  'the table $table becomes its own first slice, without being read: files, triggers and prepared statements go on',
  async ({ table, migration, insert: text, told: tell }) => {
    await migrateOver('', migration);
    await inTransaction(client, async () => applySqlFiles(client, await readSqlFiles()));
    const projectId = await project();
    const insert = { name: 'insert', text, values: [projectId] };
    const read = {
      name: 'read',
      text: `SELECT "id" FROM "${table}" WHERE "projectId" = $1 ORDER BY "createdAt", "id"`,
      values: [projectId],
    };
    for (let n = 0; n < 10; n += 1) await client.query(insert);
    const before = await client.query<{ id: string }>(read);
    const fileOf = async (relation: string) =>
      (await client.query('SELECT pg_relation_filenode($1::regclass) AS file', [`"${relation}"`])).rows[0]
        ?.file;
    const objects = async () =>
      (await client.query('SELECT "kind", "name", "table", "digest" FROM "_SqlObject" ORDER BY 1, 2, 3'))
        .rows;
    const triggersOf = async () => {
      const { rows } = await client.query<{ name: string; table: string }>(
        `SELECT tgname AS "name", tgrelid::regclass::text AS "table" FROM pg_trigger
       WHERE tgrelid IN (SELECT oid FROM pg_class WHERE relname ~ '^${table}(_[0-9]+)?$') AND NOT tgisinternal ORDER BY 1, 2`,
      );
      return rows;
    };
    const indexesOf = async (relation: string) =>
      (await client.query('SELECT FROM pg_index WHERE indrelid = $1::regclass', [`"${relation}"`])).rowCount;
    const [file, known, triggers, indexes] = [
      await fileOf(table),
      await objects(),
      await triggersOf(),
      await indexesOf(table),
    ];
    expect(triggers.length).toBeGreaterThan(0);

    const told: string[] = [];
    client.on('notice', ({ message = '' }) => told.push(message));
    await client.query('SET client_min_messages = debug1');
    await migrateOver(migration.slice(0, 14), `${migration}~`);
    await client.query('RESET client_min_messages');
    // PostgreSQL says when it reads a table to attach it, and when it builds an index.
    expect(told.filter((message) => message.startsWith('verifying table'))).toEqual([]);
    expect(told.filter((message) => message.startsWith(`building index "${table}_1`))).toEqual([]);
    expect(told.join()).toContain(
      `partition constraint for table "${table}_1" is implied by existing constraints`,
    );
    expect(await fileOf(`${table}_1`)).toBe(file);
    expect(await indexesOf(`${table}_1`)).toBe(indexes);
    expect(await indexesOf(table)).toBe(indexes);
    await migrate(database.url);
    expect(await objects()).toEqual(known);
    expect(await triggersOf()).toEqual(triggers);
    expect((await client.query(read)).rows).toEqual(before.rows);
    await client.query(insert);
    expect((await client.query(read)).rows).toHaveLength(11);
    expect(await tell?.()).toBe(tell ? 11 : undefined);
    await client.query(`DELETE FROM "${table}" WHERE "id" = $1`, [before.rows[0]?.id]);
    expect(await tell?.()).toBe(tell ? 10 : undefined);
  },
);
