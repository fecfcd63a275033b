import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { holdAdvisoryLock, slicesLock } from '../db/index.ts';
import { migrate } from '../db/migrate.ts';
import { type Migration, migrationOf, readMigrations } from '../db/migrations.ts';
import { firstIdOf } from '../lib/index.ts';
import { hourMs, idAt, insertRow } from './slices.fixture.ts';
import { findCut, limitSlice, readSlices, validateLimits } from './slices.store.ts';
import { tendSlices } from './tend-slices.ts';

let test: TestServices;
let project: TestProject;
let index: Migration;
beforeEach(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  index = migrationOf(
    '2099_index',
    '-- kind: index\nCREATE INDEX CONCURRENTLY "Event_emailId" ON "Event" ("emailId");\n',
  );
});
afterEach(() => test.close());

const prisma = () => test.services.database.prisma;
const build = async () =>
  migrate(test.databaseUrl, { own: '0.2.0', migrations: [...(await readMigrations()), index] });
const indexes = async () => {
  const { rows } = await test.services.database.durable.query<{ name: string; isValid: boolean }>(
    `SELECT relname AS "name", indisvalid AS "isValid" FROM pg_index JOIN pg_class ON oid = indexrelid WHERE relname ~ 'emailId$' ORDER BY 1`,
  );
  return rows;
};
const sliceNames = async () => (await readSlices(prisma(), 'Event')).map(({ name }) => name);

/** Begins a cut of the only slice; the next run of `tendSlices` would end it. */
async function beginCut(): Promise<void> {
  const slice = async () => {
    const [last] = await readSlices(prisma(), 'Event');
    if (!last) throw new Error('there is no slice');
    return last;
  };
  await limitSlice(prisma(), await slice(), firstIdOf(new Date(Date.now() + hourMs)));
  expect(await validateLimits(prisma(), await slice())).toBe(true);
}

it('the index of a table in slices waits while a process cuts or drops them', async () => {
  const lock = holdAdvisoryLock(test.databaseUrl, slicesLock);
  expect(await lock.isHeld()).toBe(true);
  const building = build();
  const { durable } = test.services.database;
  await expect
    .poll(async () => {
      const { rowCount } = await durable.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'postrider migrate' AND query LIKE '%hashtextextended%'`,
      );
      return rowCount;
    })
    .toBe(1);
  expect(await indexes()).toEqual([]);
  await lock.release();
  expect(await building).toEqual(['2099_index']);
});

it('no slice is cut while an index is built, and a cut that was begun is given up', async () => {
  await beginCut();
  // The end of a build waits for snapshots that are older than it.
  const holder = new pg.Client({ connectionString: test.databaseUrl });
  await holder.connect();
  await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await holder.query('SELECT count(*) FROM "Project"');
  const building = build();
  try {
    await expect.poll(indexes).toContainEqual({ name: 'Event_1_emailId', isValid: false });
    expect(await findCut(prisma(), 'Event')).toBeNull();
    expect(await tendSlices(test.services)).toBe(false);
    expect(await sliceNames()).toEqual(['Event_1']);
    await prisma().$executeRaw(insertRow('Event', project.id, idAt(new Date()), new Date()));
  } finally {
    await holder.query('COMMIT');
    await holder.end();
  }
  expect(await building).toEqual(['2099_index']);
  expect(await indexes()).toEqual([
    { name: 'Event_1_emailId', isValid: true },
    { name: 'Event_emailId', isValid: true },
  ]);
});

it('the same cut is made where no index is built', async () => {
  await beginCut();
  await tendSlices(test.services);
  expect(await sliceNames()).toEqual(['Event_1', 'Event_2']);
});
