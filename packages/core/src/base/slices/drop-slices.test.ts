import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { postgresVersions } from '../../testing/test-database.ts';
import { Prisma } from '../db/index.ts';
import { firstIdOf } from '../lib/index.ts';
import { dropSlices, slicesToSweep } from './drop-slices.ts';
import {
  alwaysFull,
  cutAt,
  dayMs,
  hourMs,
  idAt,
  insertRow,
  isOver,
  slicedNames,
  stoppedAfter,
  storedRows,
} from './slices.fixture.ts';
import { keptDays, laterAnalysisRows } from './slices.rules.ts';
import { findDetached, limitSlice, readSlices } from './slices.store.ts';
import { finishDropsOf, tendSlices } from './tend-slices.ts';

const now = new Date();
const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs);
const limit = daysAgo(400);

const cases = (await postgresVersions()).flatMap((postgres) =>
  // Each test has a server of its own where it is not the usual version: one table is enough there.
  slicedNames.flatMap((name, index) =>
    postgres === 'embedded' || index === 0 ? [[name, postgres] as const] : [],
  ),
);

describe.each(cases)('slices of expired rows of %s (PostgreSQL %s)', (name, postgres) => {
  const table = alwaysFull(name);
  const kept = keptDays(name, { EVENT_DAYS: 400 });
  /** The nth slice. */
  const slice = (n: number) => `${name}_${n}`;
  let test: TestServices;
  let project: TestProject;
  beforeEach(async () => {
    test = await createTestServices({ postgres, env: { EVENT_DAYS: '400' } });
    project = await createTestProject(test.services);
  }, 60_000);
  afterEach(() => test.close());

  const prisma = () => test.services.database.prisma;
  const names = async () => (await readSlices(prisma(), name)).map((each) => each.name);
  const store = async (idTime: Date, at = idTime): Promise<string> => {
    const id = idAt(idTime);
    await prisma().$executeRaw(insertRow(name, project.id, id, at));
    return id;
  };
  /** Stores the last row again and again, with other ids. */
  const copies = (count: number) =>
    prisma().$executeRawUnsafe(
      `INSERT INTO "${name}" SELECT r.* FROM (SELECT * FROM "${name}" ORDER BY "createdAt" DESC LIMIT 1) l JOIN "${name}" e ON e."id" = l."id",
         generate_series(1, $1::int) n, jsonb_populate_record(e, jsonb_build_object('id', overlay(e."id"::text placing lpad(to_hex(n), 6, '0') from 25))) r`,
      count,
    );
  /** Takes the first slice out of the table, as a process does that is killed before it drops it. */
  const leaveDetached = async () => {
    for (let left = 1; ; left += 1) {
      if (await isOver(drop(stoppedAfter(test.services.database, left)))) throw new Error('it was dropped');
      if ((await findDetached(prisma(), name)).length > 0) return;
    }
  };
  /** The count of events, which a trigger raises once for each row that is stored. */
  const told = () => prisma().eventCount.aggregate({ _sum: { count: true } });
  const setTime = (relation: string, id: string, at: Date) =>
    prisma()
      .$executeRaw`UPDATE ${Prisma.raw(`"${relation}"`)} SET "createdAt" = ${at} WHERE "id" = ${id}::uuid`;
  const ages = async () => {
    const rows = await storedRows(prisma(), name);
    return rows.map(({ createdAt }) => Math.round((now.getTime() - createdAt.getTime()) / dayMs));
  };
  /** Slices with rows of these days, the oldest first, and an empty last one. */
  const fill = async (...slices: number[][]) => {
    for (const days of slices) {
      for (const day of days) await store(daysAgo(day));
      await cutAt(test.services.database, daysAgo(Math.min(...days)), table);
    }
  };
  const drop = (database: Parameters<typeof dropSlices>[0] = test.services.database) =>
    dropSlices(database, table, limit);

  it('are dropped, the others stay, and so does the last one', async () => {
    await fill([900, 800], [700], [500, 390], [10]);
    expect(await drop()).toBe(2);
    expect(await names()).toEqual([slice(3), slice(4), slice(5)]);
    expect(await ages()).toEqual([10, 390, 500]);
    expect(await drop()).toBe(0);
  });

  it('carry the rows over that are newer than their ids, without telling of them again', async () => {
    await fill([900], [10]);
    for (let n = 0; n < 3; n += 1) await store(daysAgo(901), daysAgo(399));
    const before = await told();
    expect(await drop()).toBe(1);
    expect(await ages()).toEqual([10, 399, 399, 399]);
    expect(await told()).toEqual(before);
  });

  it('are none while very many rows are not old, whatever their ids say', async () => {
    await fill([900], [10]);
    const id = await store(daysAgo(901), now);
    await copies(1_000);
    expect(await drop()).toBe(0);
    await prisma().$executeRawUnsafe(`DELETE FROM "${name}" WHERE "id" = '${id}'`);
    expect(await drop()).toBe(1);
  });

  it('leave their ids to the next one: a clock that is years behind stores its rows', async () => {
    await fill([900], [10]);
    await drop();
    await store(daysAgo(5_000), now);
    expect(await ages()).toEqual([0, 10]);
    const [first] = await readSlices(prisma(), name);
    expect(first).toMatchObject({ name: slice(2), from: null });
    // It can become the last one and be cut again.
    await cutAt(test.services.database, now, table);
    expect(await names()).toEqual([slice(2), slice(3), slice(4)]);
  });

  it('are dropped by the next run after a kill between any two statements, and no statement fails meanwhile', async () => {
    let kills = 0;
    for (let statements = 1; ; statements += 1) {
      const day = 10_000 - statements * 10;
      await fill([day, day - 1]);
      const over = await isOver(drop(stoppedAfter(test.services.database, statements)));
      await store(daysAgo(day + 1), now);
      await prisma().$executeRawUnsafe(`DELETE FROM "${name}" WHERE "createdAt" > $1`, limit);
      if (!over) {
        kills += 1;
        await drop();
      }
      expect(await ages()).toEqual([]);
      expect(await names()).toHaveLength(1);
      if (over) break;
    }
    expect(kills).toBeGreaterThan(10);
    const { rows } = await test.services.database.durable.query(
      `SELECT FROM pg_class WHERE relname ~ '^${name}_[0-9]+$'`,
    );
    expect(rows).toHaveLength(1);
  });

  it('give rows that came at the last moment to the first one that stays, without telling of them again', async () => {
    await fill([900], [10]);
    const stored = await store(daysAgo(900), now);
    const before = await told();
    // As a process does that is killed after the rows of a slice were read, and before it was dropped.
    await setTime(name, stored, daysAgo(900));
    await leaveDetached();
    await setTime(slice(1), stored, now);
    expect(await finishDropsOf(test.services, now)).toBe(1);
    expect(await ages()).toEqual([0, 10]);
    expect(await told()).toEqual(before);
    expect(await finishDropsOf(test.services, now)).toBe(0);
  });

  it('wait for a cut to end', async () => {
    await fill([900]);
    const last = (await readSlices(prisma(), name)).at(-1);
    if (!last) throw new Error('there is no slice');
    await limitSlice(prisma(), last, firstIdOf(new Date(now.getTime() + hourMs)));
    expect(await drop()).toBe(0);
  });

  it('are swept unless they will be dropped within a month, or a week', async () => {
    const { sharedDays } = table;
    await fill([900], [500, 401 - sharedDays], [430, 399 - sharedDays], [10]);
    expect(await slicesToSweep(test.services.database, name, limit)).toEqual([slice(3), slice(4), slice(5)]);
  });

  it('are dropped by the daily run, by how long their rows are kept, which also keeps the statistics of the whole', async () => {
    await fill([900], [(kept ?? 0) - 10]);
    await store(now);
    await copies(10_500);
    await prisma().$executeRawUnsafe(`ANALYZE "${slice(3)}"`);
    expect(await tendSlices(test.services)).toBe(false);
    const left = await readSlices(prisma(), name);
    const first = table.settings['autovacuum_analyze_threshold'];
    expect(left.map((each) => [each.name, each.analysisRows])).toEqual([
      [slice(2), first ?? 0],
      [slice(3), first === undefined ? 0 : laterAnalysisRows],
    ]);
    const [whole] = await prisma().$queryRaw<
      { rows: number }[]
    >`SELECT reltuples::int AS "rows" FROM pg_class WHERE relname = ${name}`;
    expect(whole).toEqual({ rows: 10_502 });
  });

  it.runIf(keptDays(name, {}) === undefined)('are kept for ever where nothing says how long', async () => {
    await fill([5_000], [4_000]);
    const { config, database, log } = test.services;
    const forEver = { database, log, config: { ...config, EVENT_DAYS: undefined } };
    expect(await tendSlices(forEver)).toBe(false);
    expect(await names()).toHaveLength(3);
  });

  it('are left alone by a run while another process has one', async () => {
    await fill([5_000], [4_000]);
    const [first, second] = [tendSlices(test.services), tendSlices(test.services)];
    await Promise.all([first, second]);
    expect(await names()).toHaveLength(1);
  });

  it('are left alone while an index of the whole is not finished, which would be built under the locks of a drop', async () => {
    await fill([5_000], [4_000]);
    await prisma().$executeRawUnsafe(`CREATE INDEX "unfinished" ON ONLY "${name}" ("projectId", "id")`);
    expect(await tendSlices(test.services)).toBe(false);
    expect(await names()).toHaveLength(3);
    await prisma().$executeRawUnsafe('DROP INDEX "unfinished"');
    await tendSlices(test.services);
    expect(await names()).toHaveLength(1);
  });
});
