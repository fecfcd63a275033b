import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { postgresVersions } from '../../testing/test-database.ts';
import { firstIdOf } from '../lib/index.ts';
import { dropSlices, slicesToSweep } from './drop-slices.ts';
import { cutAt, dayMs, events, hourMs, idAt, isOver, stoppedAfter } from './slices.fixture.ts';
import { limitSlice, readSlices } from './slices.store.ts';
import { tendSlices } from './tend-slices.ts';

const now = new Date();
const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs);
const limit = daysAgo(400);

describe.each(await postgresVersions())('slices of expired rows (PostgreSQL %s)', (postgres) => {
  let test: TestServices;
  let project: TestProject;
  beforeEach(async () => {
    test = await createTestServices({ postgres, env: { EVENT_DAYS: '400' } });
    project = await createTestProject(test.services);
  }, 60_000);
  afterEach(() => test.close());

  const prisma = () => test.services.database.prisma;
  const names = async () => (await readSlices(prisma(), 'Event')).map(({ name }) => name);
  const store = (id: Date, createdAt = id) =>
    prisma().event.create({
      data: { id: idAt(id), projectId: project.id, kind: 'CUSTOM', name: 'seen', createdAt },
    });
  const ages = async () => {
    const rows = await prisma().event.findMany({ orderBy: { createdAt: 'desc' } });
    return rows.map(({ createdAt }) => Math.round((now.getTime() - createdAt.getTime()) / dayMs));
  };
  /** Slices with rows of these days, the oldest first, and an empty last one. */
  const fill = async (...slices: number[][]) => {
    for (const days of slices) {
      for (const day of days) await store(daysAgo(day));
      await cutAt(test.services.database, daysAgo(Math.min(...days)));
    }
  };
  const drop = (database: Parameters<typeof dropSlices>[0] = test.services.database) =>
    dropSlices(database, events, limit);

  it('are dropped, the others stay, and so does the last one', async () => {
    await fill([900, 800], [700], [500, 390], [10]);
    expect(await drop()).toBe(2);
    expect(await names()).toEqual(['Event_3', 'Event_4', 'Event_5']);
    expect(await ages()).toEqual([10, 390, 500]);
    expect(await drop()).toBe(0);
  });

  it('carry the rows over that are newer than their ids, without telling of them again', async () => {
    await fill([900], [10]);
    for (let n = 0; n < 3; n += 1) await store(daysAgo(901), daysAgo(399));
    const counts = () => prisma().eventCount.aggregate({ _sum: { count: true } });
    const before = await counts();
    expect(await drop()).toBe(1);
    expect(await ages()).toEqual([10, 399, 399, 399]);
    expect(await counts()).toEqual(before);
  });

  it('are none while very many rows are not old, whatever their ids say', async () => {
    await fill([900], [10]);
    await prisma().$executeRaw`
      INSERT INTO "Event" ("id", "projectId", "name")
      SELECT overlay(${idAt(daysAgo(901))}::text placing lpad(to_hex(n), 6, '0') from 25)::uuid, ${project.id}::uuid, 'seen' FROM generate_series(1, 1001) n`;
    expect(await drop()).toBe(0);
    await prisma()
      .$executeRaw`DELETE FROM "Event" WHERE "id" = (SELECT "id" FROM "Event" WHERE "createdAt" > ${limit} ORDER BY "id" LIMIT 1)`;
    expect(await drop()).toBe(1);
  });

  it('leave their ids to the next one: a clock that is years behind stores its rows', async () => {
    await fill([900], [10]);
    await drop();
    await store(daysAgo(5_000), now);
    expect(await ages()).toEqual([0, 10]);
    const [first] = await readSlices(prisma(), 'Event');
    expect(first).toMatchObject({ name: 'Event_2', from: null });
    // It can become the last one and be cut again.
    await cutAt(test.services.database, now);
    expect(await names()).toEqual(['Event_2', 'Event_3', 'Event_4']);
  });

  it('are dropped by the next run after a kill between any two statements, and no statement fails meanwhile', async () => {
    let kills = 0;
    for (let statements = 1; ; statements += 1) {
      const day = 10_000 - statements * 10;
      await fill([day, day - 1]);
      const over = await isOver(drop(stoppedAfter(test.services.database, statements)));
      await store(daysAgo(day + 1), now);
      await prisma().event.deleteMany({ where: { createdAt: now } });
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
      `SELECT FROM pg_class WHERE relname ~ '^Event_[0-9]+$'`,
    );
    expect(rows).toHaveLength(1);
  });

  it('give rows that came at the last moment to the first one that stays, without telling of them again', async () => {
    await fill([900], [10]);
    const stored = await store(daysAgo(900), now);
    const counts = () => prisma().eventCount.aggregate({ _sum: { count: true } });
    const before = await counts();
    // As a process does that is killed after the rows of a slice were read, and before it was dropped.
    await prisma()
      .$executeRaw`UPDATE "Event" SET "createdAt" = ${daysAgo(900)} WHERE "id" = ${stored.id}::uuid`;
    let left = 1;
    while (await isOver(drop(stoppedAfter(test.services.database, left))).then((over) => !over)) {
      const { rows } = await test.services.database.durable.query(
        `SELECT FROM pg_class WHERE relname = 'Event_1' AND NOT relispartition`,
      );
      if (rows.length > 0) break;
      left += 1;
    }
    await prisma().$executeRaw`UPDATE "Event_1" SET "createdAt" = ${now} WHERE "id" = ${stored.id}::uuid`;
    expect(await drop()).toBe(1);
    expect(await ages()).toEqual([0, 10]);
    expect(await counts()).toEqual(before);
  });

  it('wait for a cut to end', async () => {
    await fill([900]);
    const last = (await readSlices(prisma(), 'Event')).at(-1);
    if (!last) throw new Error('there is no slice');
    await limitSlice(prisma(), last, firstIdOf(new Date(now.getTime() + hourMs)));
    expect(await drop()).toBe(0);
  });

  it('are swept unless they will be dropped within 30 days', async () => {
    await fill([900], [500, 371], [430, 360], [10]);
    expect(await slicesToSweep(test.services.database, 'Event', limit)).toEqual([
      'Event_3',
      'Event_4',
      'Event_5',
    ]);
  });

  it('are dropped by the daily run, by EVENT_DAYS, which also keeps the statistics of the whole', async () => {
    await fill([900], [390]);
    await prisma().$executeRaw`
      INSERT INTO "Event" ("id", "projectId", "name") SELECT uuid7(), ${project.id}::uuid, 'seen' FROM generate_series(1, 10500)`;
    await prisma().$executeRawUnsafe('ANALYZE "Event_3"');
    expect(await tendSlices(test.services)).toBe(false);
    const kept = await readSlices(prisma(), 'Event');
    expect(kept.map(({ name, analysisRows }) => [name, analysisRows])).toEqual([
      ['Event_2', 10_000],
      ['Event_3', 50_000],
    ]);
    const [whole] = await prisma().$queryRaw<
      { rows: number }[]
    >`SELECT reltuples::int AS "rows" FROM pg_class WHERE relname = 'Event'`;
    expect(whole).toEqual({ rows: 10_501 });
  });

  it('are kept without EVENT_DAYS, and the run of another process is left alone', async () => {
    await fill([5_000], [4_000]);
    const { config, database, log } = test.services;
    const forEver = { database, log, config: { ...config, EVENT_DAYS: undefined } };
    expect(await tendSlices(forEver)).toBe(false);
    expect(await names()).toHaveLength(3);
    const [first, second] = [tendSlices(test.services), tendSlices(test.services)];
    await Promise.all([first, second]);
    expect(await names()).toHaveLength(1);
  });
});
