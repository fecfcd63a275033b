import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { withLocks } from './apply-migration.ts';
import { fitSchema } from './fit-schema.ts';
import { migrate, settle } from './migrate.ts';
import { type Migration, migrationOf, readMigrations } from './migrations.ts';

let database: TestDatabase;
let client: pg.Client;
let present: Migration[];

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  present = await readMigrations();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

/** What a later version has: the present migrations and these. */
const upgrade = (own: string, ...added: Migration[]) => ({ own, migrations: [...present, ...added] });

const stored = async () => {
  const { rows } = await client.query('SELECT "schema", "minVersion", "version" FROM "Installation"');
  return rows[0];
};

const seen = (kind: string, version: string, minutesAgo: number) =>
  client.query(
    `INSERT INTO "Process" ("id", "kind", "host", "version", "schema", "startedAt", "seenAt")
     VALUES (gen_random_uuid(), $1, 'a', $2, 'x', now(), now() - $3 * interval '1 minute')`,
    [kind, version, minutesAgo],
  );

const table = migrationOf('2099_table', 'CREATE TABLE "Later" ("id" uuid PRIMARY KEY, "n" int)');
const index = migrationOf(
  '2099_table_index',
  '-- kind: index\nCREATE UNIQUE INDEX CONCURRENTLY "Later_n" ON "Later" ("n");\n',
);
const backfill = migrationOf(
  '2099_zfill',
  '-- kind: backfill\n-- version: 0.2.0\n-- table: Later\nUPDATE "Later" SET "n" = coalesce("n", 0) + 1000000 WHERE "id" > $1 AND "id" <= $2',
);
const contract = migrationOf(
  '2099_zz_contract',
  '-- kind: contract\n-- version: 0.2.0\nALTER TABLE "Later" DROP COLUMN "n"',
);

describe('a migration says what it is', () => {
  it.each([
    ['-- kind: other', 'there is no kind other'],
    ['-- kind: contract', 'have a line "-- version: 1.2.3"'],
    ['-- kind: index\n-- version: 1.2.3', 'and no other kind'],
    ['-- kind: backfill\n-- version: 1.2.3', 'has a line "-- table: Name"'],
  ])('%j is refused', (head, message) => {
    expect(() => migrationOf('1_x', `${head}\nSELECT 1`)).toThrow(message);
  });

  it('one without a line is an expansion', () => {
    expect(migrationOf('1_x', '-- The first.\nSELECT 1').kind).toBe('expand');
  });
});

describe('an index', () => {
  it('is built although another session writes to its table and holds its locks for a while', async () => {
    await migrate(database.url, upgrade('0.2.0', table));
    const writer = new pg.Client({ connectionString: database.url });
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query('INSERT INTO "Later" VALUES (gen_random_uuid(), 1)');
    const building = migrate(database.url, upgrade('0.2.0', table, index));
    await expect
      .poll(async () => (await client.query(`SELECT FROM pg_class WHERE relname = 'Later_n'`)).rowCount)
      .toBe(1);
    await client.query('INSERT INTO "Later" VALUES (gen_random_uuid(), 2)');
    await writer.query('COMMIT');
    await writer.end();
    expect(await building).toEqual(['2099_table_index']);
  });

  it('that a former attempt left invalid is made again', async () => {
    await migrate(database.url, upgrade('0.2.0', table));
    await client.query(`INSERT INTO "Later" SELECT gen_random_uuid(), 1 FROM generate_series(1, 2)`);
    await expect(migrate(database.url, upgrade('0.2.0', table, index))).rejects.toThrow(
      'migration 2099_table_index: could not create unique index',
    );
    await client.query('DELETE FROM "Later"');
    expect(await migrate(database.url, upgrade('0.2.0', table, index))).toEqual(['2099_table_index']);
    const { rows } = await client.query(
      `SELECT "indisvalid" FROM pg_index WHERE indexrelid = '"Later_n"'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  it('of a table in slices is built slice by slice, goes on where it was interrupted, and is dropped', async () => {
    const [create, drop] = [
      '-- kind: index\nCREATE INDEX CONCURRENTLY "Event_emailId" ON "Event" ("emailId") WHERE "emailId" IS NOT NULL;\n',
      '-- kind: index\nDROP INDEX CONCURRENTLY IF EXISTS "Event_emailId";\n',
    ].map((sql, index) => migrationOf(`2099_${index}`, sql)) as [Migration, Migration];
    await client.query('CREATE INDEX "Event_1_emailId" ON "Event_1" ("emailId") WHERE "emailId" IS NOT NULL');
    const indexes = async () => {
      const { rows } = await client.query(
        `SELECT indexrelid::regclass::text AS "name", indisvalid AS "isValid" FROM pg_index WHERE indexrelid::regclass::text ~ 'emailId"$' ORDER BY 1`,
      );
      return rows;
    };
    expect(await migrate(database.url, upgrade('0.2.0', create))).toEqual(['2099_0']);
    expect(await indexes()).toEqual([
      { name: '"Event_1_emailId"', isValid: true },
      { name: '"Event_emailId"', isValid: true },
    ]);
    expect(await migrate(database.url, upgrade('0.2.0', create, drop))).toEqual(['2099_1']);
    expect(await indexes()).toEqual([]);
  });

  it('is built while other processes wait to migrate', async () => {
    const all = [1, 2, 3].map(() => migrate(database.url, upgrade('0.2.0', table, index)));
    expect((await Promise.all(all)).flat()).toEqual(['2099_table', '2099_table_index']);
  });
});

describe('locks', () => {
  const work = () => client.query('ALTER TABLE "Project" ADD COLUMN "x" int');
  const patience = { timeoutMs: 100, tries: 3, pauseMs: 50 };

  it('are waited for only briefly, so that statements behind the migration go on, and tried again', async () => {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE "Project" IN ACCESS SHARE MODE');
    const migrating = withLocks(client, 'migration x', work, { ...patience, tries: 1_000 });
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    for (let look = 0; look < 10; look += 1) {
      const began = performance.now();
      await reader.query('SELECT count(*) FROM "Project"');
      expect(performance.now() - began).toBeLessThan(20_000);
    }
    await reader.end();
    await holder.query('COMMIT');
    await holder.end();
    await migrating;
  });

  it('that are never free are an error that names the migration', async () => {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE "Project" IN ACCESS SHARE MODE');
    await expect(withLocks(client, 'migration x', work, patience)).rejects.toThrow(
      'migration x did not get its locks in 3 tries',
    );
    await holder.end();
  });
});

describe('a backfill', () => {
  it('follows in pieces while the version runs, and goes on where it was interrupted', async () => {
    const later = upgrade('0.2.0', table, backfill);
    expect(await migrate(database.url, later)).toEqual(['2099_table']);
    await client.query(`INSERT INTO "Later" SELECT gen_random_uuid(), 0 FROM generate_series(1, 11000)`);
    const filled = async () =>
      (await client.query('SELECT count(*) AS n FROM "Later" WHERE "n" = 1000000')).rows[0].n;
    let pieces = 0;
    expect(await settle(database.url, later, () => pieces++ < 1)).toEqual({
      applied: [],
      left: [{ name: '2099_zfill', reason: 'it goes on with the next start' }],
    });
    expect(await filled()).toBe(5_000);
    expect(await settle(database.url, later)).toEqual({ applied: ['2099_zfill'], left: [] });
    expect(await filled()).toBe(11_000);
    expect(await settle(database.url, later)).toEqual({ applied: [], left: [] });
  });

  it('is done by one process at a time', async () => {
    const later = upgrade('0.2.0', table, backfill);
    await migrate(database.url, later);
    const settled = await Promise.all([1, 2, 3].map(() => settle(database.url, later)));
    expect(settled.filter(({ applied }) => applied.length > 0)).toHaveLength(1);
  });
});

describe('a contraction', () => {
  it('waits until no process of an earlier version was seen for 5 minutes, and then excludes that version', async () => {
    const later = upgrade('0.2.0', table, contract);
    await seen('worker', '0.1.0', 4);
    await seen('api', '0.2.0', 0);
    await migrate(database.url, later);
    expect(await stored()).toEqual({ schema: '2099_table', minVersion: null, version: '0.2.0' });
    expect((await settle(database.url, later)).left).toEqual([
      {
        name: '2099_zz_contract',
        reason: 'worker on a of version 0.1.0 was seen within the last 5 minutes',
      },
    ]);
    // The version before goes on until then, and may be started again.
    expect(await migrate(database.url, upgrade('0.1.0'))).toEqual([]);
    await client.query(
      `UPDATE "Process" SET "seenAt" = "seenAt" - interval '2 minutes' WHERE "version" = '0.1.0'`,
    );
    expect((await settle(database.url, later)).applied).toEqual(['2099_zz_contract']);
    expect(await stored()).toEqual({ schema: '2099_zz_contract', minVersion: '0.2.0', version: '0.2.0' });
    await expect(migrate(database.url, upgrade('0.1.0'))).rejects.toThrow(
      'This database was migrated by 0.2; 0.1 cannot use it. Start 0.2, or restore a backup from before it.',
    );
  });

  it('does not wait when it is told not to', async () => {
    const later = upgrade('0.2.0', table, contract);
    await seen('worker', '0.1.0', 0);
    await migrate(database.url, later);
    expect((await settle(database.url, { ...later, isForced: true })).applied).toEqual(['2099_zz_contract']);
  });

  it('of a minor version that was left out stops the upgrade, and names that version', async () => {
    await migrate(database.url, upgrade('0.1.0'));
    await expect(migrate(database.url, upgrade('0.3.0', table, contract))).rejects.toThrow(
      /^This database was not used by 0\.2 yet, which 0\.3 follows\. Start 0\.2 /,
    );
    expect(await stored()).toMatchObject({ version: '0.1.0', minVersion: null });
  });

  it('that the version before has left is applied first, unless processes from before it run', async () => {
    await migrate(database.url, upgrade('0.2.0', table, contract));
    await seen('worker', '0.1.0', 0);
    await expect(migrate(database.url, upgrade('0.3.0', table, contract))).rejects.toThrow(
      'waits for processes of earlier versions to end: worker on a of version 0.1.0',
    );
    await client.query('DELETE FROM "Process"');
    expect(await migrate(database.url, upgrade('0.3.0', table, contract))).toEqual(['2099_zz_contract']);
    expect(await stored()).toMatchObject({ version: '0.3.0', minVersion: '0.2.0' });
  });
});

it('a version that is two minor versions behind is refused, also before a contraction', async () => {
  await migrate(database.url, upgrade('0.3.0', table));
  await expect(migrate(database.url, upgrade('0.1.0'))).rejects.toThrow('migrated by 0.3; 0.1 cannot use it');
  expect(await migrate(database.url, upgrade('0.2.0'))).toEqual([]);
});

describe('with MIGRATE=manual', () => {
  const begin = () => fitSchema({ url: database.url, mode: 'manual', log: pino({ level: 'silent' }) });

  it('a process starts on the schema of its version, and says what to run on an older one', async () => {
    await begin();
    await client.query(`DELETE FROM "_Migration" WHERE "name" = $1`, [present.at(-1)?.name]);
    await expect(begin()).rejects.toThrow(
      'The database does not have the schema of this version. Run: npm run admin -- migrate',
    );
  });

  it('a process does not start on a database that it cannot use', async () => {
    await client.query(`UPDATE "Installation" SET "minVersion" = '9.0.0'`);
    await expect(begin()).rejects.toThrow('This database was migrated by 9.0; ');
  });
});
