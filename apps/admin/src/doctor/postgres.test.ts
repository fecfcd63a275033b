import { openPool } from '@postrider/core/base/db';
import { runOn } from '@postrider/core/testing/template-database.ts';
import {
  createDatabaseOnOwnServer,
  createEmptyDatabase,
  createTestDatabase,
  type OwnServerDatabase,
} from '@postrider/core/testing/test-database.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diagnose, found, soundEnv, troubles } from './diagnose.fixture.ts';

const groups = ['postgres'] as const;

let own: OwnServerDatabase;
/** as the superuser of the same database */
let superUrl: string;

beforeAll(async () => {
  own = await createDatabaseOnOwnServer();
  superUrl = own.url;
});
afterAll(() => own.drop());

const env = (DATABASE_URL = own.url) => ({ ...soundEnv, DATABASE_URL });
/** What a finding is about, changed and changed back. */
async function planted<T>(plant: string[], remove: string[], look: () => Promise<T>): Promise<T> {
  for (const statement of plant) await runOn(superUrl, statement);
  try {
    return await look();
  } finally {
    for (const statement of remove) await runOn(superUrl, statement);
  }
}

it('a sound database has no finding above advice', async () => {
  const findings = await diagnose(env(), { groups: ['configuration', 'postgres', 'queues'] });
  expect(troubles(findings)).toEqual([]);
});

it('a database that is away is one failure, and nothing else is judged', async () => {
  const findings = await diagnose(env('postgres://joe:secret-of-joe@127.0.0.1:1/x'), {
    groups: ['postgres', 'queues'],
  });
  expect(found(findings, 'postgres.reachable')).toMatchObject([
    { verdict: 'failure', subject: '127.0.0.1:1/x', cause: expect.stringContaining('No server listens') },
  ]);
  expect(
    findings.filter(({ check, verdict }) => check !== 'postgres.reachable' && verdict !== 'unknown'),
  ).toEqual([]);
});

describe('why the connection fails is said', () => {
  it.each([
    ['a wrong password', (url: URL) => (url.password = 'wrong-password'), /user and password/],
    ['an unknown database', (url: URL) => (url.pathname = '/missing'), /no database of this name/],
    ['an unknown host', (url: URL) => (url.host = 'missing.invalid:5432'), /host of DATABASE_URL|DNS server/],
  ])('%s', async (_, change, cause) => {
    const url = new URL(own.url);
    change(url);
    const [finding] = found(await diagnose(env(url.href), { groups }), 'postgres.reachable');
    expect(finding).toMatchObject({ verdict: 'failure', cause: expect.stringMatching(cause) });
  });
});

it('a database that takes no writes', async () => {
  const name = new URL(own.url).pathname.slice(1);
  const maintenance = own.url.replace(/\/[^/]*$/, '/postgres');
  await runOn(maintenance, `ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
  const findings = await diagnose(env(), { groups });
  await runOn(maintenance, `ALTER DATABASE "${name}" RESET default_transaction_read_only`);
  expect(found(findings, 'postgres.reachable')).toMatchObject([
    { verdict: 'failure', found: expect.stringContaining('no writes') },
  ]);
});

it('a version that is too old', async () => {
  const findings = await diagnose(env(), { groups, limits: { oldestPostgres: 99 } });
  expect(found(findings, 'postgres.version')).toMatchObject([{ verdict: 'failure' }]);
});

it('an encoding other than UTF8', async () => {
  await runOn(superUrl, `CREATE DATABASE latin ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`);
  const url = new URL(own.url);
  url.pathname = '/latin';
  const findings = await diagnose(env(url.href), { groups });
  expect(found(findings, 'postgres.encoding')).toMatchObject([
    { verdict: 'failure', found: expect.stringContaining('SQL_ASCII') },
  ]);
});

describe('a user without rights', () => {
  const asJoe = (): string => {
    const url = new URL(own.url);
    url.username = 'joe';
    url.password = 'secret-of-joe';
    return url.href;
  };
  beforeAll(() => runOn(superUrl, `CREATE ROLE joe LOGIN PASSWORD 'secret-of-joe'`));

  it('cannot create tables, nor use and change those that are there', async () => {
    const findings = await diagnose(env(asJoe()), { groups });
    expect(found(findings, 'postgres.rights')).toMatchObject([
      { verdict: 'failure', found: expect.stringContaining('may not create') },
      { verdict: 'failure', found: expect.stringContaining('may not read and write') },
    ]);
  });

  it('owns none of the tables that it may use', async () => {
    const findings = await planted(
      ['GRANT ALL ON SCHEMA public TO joe', 'GRANT ALL ON ALL TABLES IN SCHEMA public TO joe'],
      ['REVOKE ALL ON SCHEMA public FROM joe', 'REVOKE ALL ON ALL TABLES IN SCHEMA public FROM joe'],
      () => diagnose(env(asJoe()), { groups }),
    );
    expect(found(findings, 'postgres.rights')).toMatchObject([
      { verdict: 'failure', found: expect.stringContaining('belong to postgres') },
    ]);
  });

  it('may not install extensions', async () => {
    await runOn(superUrl, 'CREATE DATABASE bare TEMPLATE template0');
    const url = new URL(asJoe());
    url.pathname = '/bare';
    const findings = await diagnose(env(url.href), { groups });
    expect(found(findings, 'postgres.extensions')).toMatchObject([
      { verdict: 'failure', action: expect.stringContaining('CREATE EXTENSION pg_trgm;') },
    ]);
  });

  it('has fewer connections than the processes need', async () => {
    const findings = await planted(
      ['ALTER ROLE joe CONNECTION LIMIT 12'],
      ['ALTER ROLE joe CONNECTION LIMIT -1'],
      () => diagnose(env(asJoe()), { groups }),
    );
    expect(found(findings, 'postgres.connections')).toMatchObject([
      { verdict: 'failure', found: expect.stringContaining('12 are allowed (the limit of the user)') },
    ]);
  });
});

it('fewer connections than many delivery processes need', async () => {
  const findings = await diagnose({ ...env(), MAIL_WORKERS: '30' }, { groups });
  expect(found(findings, 'postgres.connections')).toMatchObject([
    { verdict: 'failure', action: expect.stringContaining('max_connections') },
  ]);
});

it('connections that other databases of the server have', async () => {
  const other = openPool({ connectionString: own.url.replace(/\/[^/]*$/, '/postgres'), max: 30 });
  try {
    const clients = await Promise.all(Array.from({ length: 30 }, () => other.connect()));
    const findings = await diagnose({ ...env(), MAIL_WORKERS: '6' }, { groups });
    for (const client of clients) client.release();
    expect(found(findings, 'postgres.connections')).toMatchObject([
      { verdict: 'warning', found: expect.stringContaining('other databases of this server have 30') },
    ]);
  } finally {
    await other.end();
  }
});

it('a server that writes nothing to the disk in time, as that of tests', async () => {
  const database = await createTestDatabase();
  const findings = await diagnose(env(database.url), { groups });
  await database.drop();
  expect(found(findings, 'postgres.durability').map(({ subject, verdict }) => [subject, verdict])).toEqual([
    ['fsync', 'failure'],
    ['full_page_writes', 'warning'],
    ['synchronous_commit', 'failure'],
  ]);
});

describe('the schema', () => {
  it('is missing', async () => {
    const database = await createEmptyDatabase();
    const findings = await diagnose(env(database.url), { groups: ['postgres', 'queues'] });
    await database.drop();
    expect(found(findings, 'postgres.schema')).toMatchObject([
      { verdict: 'warning', found: expect.stringContaining('no tables') },
    ]);
    expect(found(findings, 'queues.email')).toMatchObject([{ verdict: 'unknown' }]);
  });

  it('lacks a migration', async () => {
    const [{ name, digest } = { name: '', digest: '' }] = await ask<{ name: string; digest: string }>(
      'SELECT "name", "digest" FROM "_Migration" ORDER BY "name" DESC LIMIT 1',
    );
    const findings = await planted(
      [`DELETE FROM "_Migration" WHERE "name" = '${name}'`],
      [`INSERT INTO "_Migration" ("name", "digest") VALUES ('${name}', '${digest}')`],
      () => diagnose(env(), { groups }),
    );
    expect(found(findings, 'postgres.schema')).toMatchObject([
      { verdict: 'warning', found: expect.stringContaining(name) },
    ]);
  });

  it('is that of a later version', async () => {
    const findings = await planted(
      [`INSERT INTO "_Migration" ("name", "digest") VALUES ('20990101000000_later', 'x')`],
      [`DELETE FROM "_Migration" WHERE "name" = '20990101000000_later'`],
      () => diagnose(env(), { groups }),
    );
    expect(found(findings, 'postgres.schema')).toMatchObject([
      { verdict: 'warning', found: expect.stringContaining('20990101000000_later of a later version') },
    ]);
  });

  it('was made by migrations that differ', async () => {
    const findings = await planted(
      [`UPDATE "_Migration" SET "digest" = 'x' || "digest" WHERE "name" LIKE '%_first'`],
      [`UPDATE "_Migration" SET "digest" = substr("digest", 2) WHERE "name" LIKE '%_first'`],
      () => diagnose(env(), { groups }),
    );
    expect(found(findings, 'postgres.schema')).toMatchObject([
      { verdict: 'failure', found: expect.stringContaining('_first') },
    ]);
  });
});

it.each([
  [0.5, 'ok'],
  [0.1, 'warning'],
  [0.02, 'failure'],
])('a disk of which %s is free: %s', async (free, verdict) => {
  const findings = await diagnose(env(), { groups, freeShare: async () => free });
  expect(found(findings, 'postgres.disk')).toMatchObject([{ verdict }]);
});

it('transaction ids near the wraparound', async () => {
  const findings = await diagnose(env(), { groups, limits: { wraparound: 0 } });
  expect(found(findings, 'postgres.wraparound')).toMatchObject([{ verdict: 'failure' }]);
});

it('a transaction that stays open, and whose it is', async () => {
  const pool = openPool({ connectionString: own.url, max: 1, application_name: 'report of joe' });
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query(`SELECT 'secret of the statement'`);
  const findings = await diagnose(env(), { groups, limits: { transactionSeconds: 0 } });
  await client.query('ROLLBACK');
  client.release();
  await pool.end();
  const said = found(findings, 'postgres.transactions').find(({ found }) => found.includes('report of joe'));
  expect(said).toMatchObject({ verdict: 'warning', found: expect.stringContaining('idle in transaction') });
  expect(JSON.stringify(findings)).not.toContain('secret of the statement');
});

it('a table with much more room than its rows need', async () => {
  const findings = await planted(
    [
      'CREATE TABLE "Bloated" ("id" int, "text" text)',
      `INSERT INTO "Bloated" SELECT n, repeat('x', 200) FROM generate_series(1, 20000) n`,
      'DELETE FROM "Bloated" WHERE "id" % 10 <> 0',
      'VACUUM ANALYZE "Bloated"',
    ],
    ['DROP TABLE "Bloated"'],
    () => diagnose(env(), { groups, limits: { bloatBytes: 1_000_000 } }),
  );
  expect(found(findings, 'postgres.bloat')).toMatchObject([{ verdict: 'warning', subject: 'table Bloated' }]);
});

it('a table that is full has no bloat', async () => {
  const findings = await planted(
    [
      'CREATE TABLE "Full" ("id" int, "text" text) WITH (fillfactor = 50)',
      `INSERT INTO "Full" SELECT n, repeat('x', 200) FROM generate_series(1, 20000) n`,
      'VACUUM ANALYZE "Full"',
    ],
    ['DROP TABLE "Full"'],
    () => diagnose(env(), { groups, limits: { bloatBytes: 1_000_000 } }),
  );
  expect(found(findings, 'postgres.bloat')).toMatchObject([{ verdict: 'ok' }]);
});

it('a table that autovacuum has left behind', async () => {
  const findings = await planted(
    [
      'CREATE TABLE "Behind" ("id" int) WITH (autovacuum_enabled = false)',
      'INSERT INTO "Behind" SELECT generate_series(1, 1000)',
      'DELETE FROM "Behind"; SELECT pg_stat_force_next_flush()',
    ],
    ['DROP TABLE "Behind"'],
    () => diagnose(env(), { groups, limits: { deadRows: 500 } }),
  );
  expect(found(findings, 'postgres.autovacuum')).toMatchObject([
    { verdict: 'warning', subject: 'table Behind' },
  ]);
});

it('autovacuum that is off', async () => {
  const findings = await planted(
    ['ALTER SYSTEM SET autovacuum = off', 'SELECT pg_reload_conf()'],
    ['ALTER SYSTEM RESET autovacuum', 'SELECT pg_reload_conf()'],
    async () => {
      await expect
        .poll(() => ask<{ autovacuum: string }>('SHOW autovacuum'))
        .toEqual([{ autovacuum: 'off' }]);
      return diagnose(env(), { groups });
    },
  );
  expect(found(findings, 'postgres.autovacuum')).toMatchObject([
    { verdict: 'warning', subject: 'autovacuum' },
  ]);
});

it('a replication slot that nothing reads', async () => {
  const findings = await planted(
    [`SELECT pg_create_physical_replication_slot('forgotten', true)`],
    [`SELECT pg_drop_replication_slot('forgotten')`],
    () => diagnose(env(), { groups }),
  );
  expect(found(findings, 'postgres.slots')).toMatchObject([
    { verdict: 'warning', action: expect.stringContaining(`pg_drop_replication_slot('forgotten')`) },
  ]);
});

it.each([
  [-5_000, 'failure', 'ahead of'],
  [5_000, 'failure', 'behind'],
  [900, 'warning', 'behind'],
])('a clock that is %s ms apart', async (apart, verdict, said) => {
  const findings = await diagnose(env(), { groups, clock: () => Date.now() + apart });
  expect(found(findings, 'postgres.clock')).toMatchObject([
    { verdict, found: expect.stringContaining(said) },
  ]);
});

async function ask<Row extends object>(statement: string): Promise<Row[]> {
  const pool = openPool({ connectionString: superUrl, max: 1 });
  try {
    return (await pool.query<Row>(statement)).rows;
  } finally {
    await pool.end();
  }
}
