import { openPool } from '@postrider/core/base/db';
import { createTestDatabase, type TestDatabase } from '@postrider/core/testing/test-database.ts';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { diagnose, found, soundEnv } from './diagnose.fixture.ts';

const groups = ['versions'] as const;

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool({ connectionString: database.url, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => pool.query('DELETE FROM "Process"'));

interface Planted {
  kind: string;
  host: string;
  version: string;
  apartMs?: number;
  secondsAgo?: number;
}

const runs = ({ kind, host, version, apartMs = 0, secondsAgo = 0 }: Planted): Promise<unknown> =>
  pool.query(
    `INSERT INTO "Process" ("id", "kind", "host", "version", "schema", "apartMs", "startedAt", "seenAt")
     VALUES (gen_random_uuid(), $1, $2, $3, (SELECT max("name") FROM "_Migration"), $4, now(), now() - $5 * interval '1 second')`,
    [kind, host, version, apartMs, secondsAgo],
  );

const look = () => diagnose({ ...soundEnv, DATABASE_URL: database.url }, { groups });

it('processes of one version, with clocks that agree, are no finding; nor is it one that none runs', async () => {
  expect((await look()).map(({ verdict }) => verdict)).toEqual(['ok', 'ok']);
  await runs({ kind: 'api', host: 'a', version: '0.1.0' });
  await runs({ kind: 'worker', host: 'b', version: '0.1.0', apartMs: 150 });
  expect((await look()).map(({ verdict }) => verdict)).toEqual(['ok', 'ok']);
});

it('several versions at once are a warning, which names their processes; a process that ended long ago is none', async () => {
  await runs({ kind: 'api', host: 'a', version: '0.2.0' });
  await runs({ kind: 'worker', host: 'b', version: '0.1.0' });
  const [finding] = found(await look(), 'versions.processes');
  expect(finding).toMatchObject({
    verdict: 'warning',
    found: expect.stringContaining('0.1.0 (worker on b)'),
  });
  await pool.query(`UPDATE "Process" SET "seenAt" = now() - interval '1 minute' WHERE "host" = 'b'`);
  expect(found(await look(), 'versions.processes')).toMatchObject([{ verdict: 'ok' }]);
});

it('a process that cannot use the schema is a failure', async () => {
  await runs({ kind: 'api', host: 'a', version: '0.2.0' });
  await runs({ kind: 'worker', host: 'b', version: '0.1.0' });
  await pool.query(`UPDATE "Installation" SET "minVersion" = '0.2.0'`);
  const findings = await diagnose(
    { ...soundEnv, DATABASE_URL: database.url },
    { groups: ['versions', 'postgres'] },
  );
  await pool.query(`UPDATE "Installation" SET "minVersion" = NULL`);
  expect(found(findings, 'versions.processes')).toMatchObject([
    { verdict: 'failure', subject: 'worker on b', found: expect.stringContaining('0.1 cannot use it') },
  ]);
  expect(found(findings, 'postgres.schema')).toMatchObject([
    { verdict: 'failure', found: expect.stringContaining('migrated by 0.2; 0.1 cannot use it') },
  ]);
});

it.each([
  [5_000, 'failure', 'behind'],
  [-5_000, 'failure', 'ahead of'],
  [-900, 'warning', 'ahead of'],
])('the clock of a process that is %s ms apart', async (apartMs, verdict, said) => {
  await runs({ kind: 'api', host: 'a', version: '0.1.0' });
  await runs({ kind: 'delivery', host: 'b', version: '0.1.0', apartMs });
  expect(found(await look(), 'versions.clocks')).toMatchObject([
    { verdict, subject: 'delivery on b', found: expect.stringContaining(said) },
  ]);
});
