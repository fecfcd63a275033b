import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { postgresVersions } from '../../testing/test-database.ts';
import { Prisma } from '../db/index.ts';
import { firstIdOf, newId, timeOf } from '../lib/index.ts';
import { cutSlice, giveUpLateCuts, isFull } from './cut-slice.ts';
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
import { aheadMs, giveUpMs, nextName, slicedTable } from './slices.rules.ts';
import { cutAtLimit, findCut, limitSlice, readSlices, validateLimits } from './slices.store.ts';

const budgetMs = 60_000;

const cases = (await postgresVersions()).flatMap((postgres) =>
  slicedNames.map((name) => [name, postgres] as const),
);

describe.each(cases)('a cut of %s (PostgreSQL %s)', (name, postgres) => {
  const table = alwaysFull(name);
  let test: TestServices;
  let project: TestProject;
  beforeAll(async () => {
    test = await createTestServices({ postgres });
    project = await createTestProject(test.services);
  });
  afterAll(() => test.close());

  const prisma = () => test.services.database.prisma;
  const slices = () => readSlices(prisma(), name);
  const lastSlice = async () => {
    const last = (await slices()).at(-1);
    if (!last) throw new Error('there is no slice');
    return last;
  };
  const store = (id = newId(), db: Pick<ReturnType<typeof prisma>, '$executeRaw'> = prisma()) =>
    db.$executeRaw(insertRow(name, project.id, id, new Date()));
  const count = async () => (await storedRows(prisma(), name)).length;
  const deleteAll = () => prisma().$executeRaw`DELETE FROM ${Prisma.raw(`"${name}"`)}`;
  /** Which slice a row is in. */
  const sliceOf = async (id: string) => {
    const [row] = await prisma().$queryRaw<
      { name: string }[]
    >`SELECT tableoid::regclass::text AS "name" FROM ${Prisma.raw(`"${name}"`)} WHERE "id" = ${id}::uuid`;
    return row?.name.replaceAll('"', '');
  };
  /** Each test is later than the one before, so that its ids are in the last slice. */
  let now = new Date();
  beforeEach(async () => {
    now = new Date(now.getTime() + 10 * hourMs);
    await deleteAll();
  });

  it('of a slice that is not full does nothing', async () => {
    await store(idAt(now));
    const before = await slices();
    expect(await cutSlice(test.services.database, slicedTable(name), now, budgetMs)).toBe('none');
    expect(await slices()).toEqual(before);
  });

  it('leaves all rows where they are, and rows of an hour later get a slice of their own, with the same indexes and settings', async () => {
    const old = idAt(now);
    await store(old);
    const before = await lastSlice();
    await cutAt(test.services.database, now, table);
    const [closed, open] = (await slices()).slice(-2);
    expect(closed).toMatchObject({ name: before.name, from: before.from, to: open?.from });
    expect(open).toMatchObject({
      ...{ to: null, before: null },
      analysisRows: table.settings['autovacuum_analyze_threshold'] ?? 0,
    });
    expect(timeOf(open?.from ?? '').getTime() - now.getTime()).toBeGreaterThanOrEqual(aheadMs);
    const [soon, later] = [
      idAt(new Date(now.getTime() + hourMs / 2)),
      idAt(new Date(now.getTime() + 2 * hourMs)),
    ];
    await store(soon);
    await store(later);
    expect([await sliceOf(old), await sliceOf(soon), await sliceOf(later)]).toEqual([
      closed?.name,
      closed?.name,
      open?.name,
    ]);
    const [whole] = await prisma().$queryRaw<{ indexes: number; invalid: number }[]>`
      SELECT count(*)::int AS "indexes", count(*) FILTER (WHERE NOT i.indisvalid)::int AS "invalid" FROM pg_index i
      JOIN pg_inherits p ON p.inhrelid = i.indexrelid WHERE i.indrelid IN (${`"${closed?.name}"`}::regclass, ${`"${open?.name}"`}::regclass)`;
    const [own] = await prisma().$queryRaw<{ indexes: number }[]>`
      SELECT count(*)::int AS "indexes" FROM pg_index WHERE indrelid = ${`"${name}"`}::regclass`;
    expect(own?.indexes).toBeGreaterThan(1);
    expect(whole).toEqual({ indexes: 2 * (own?.indexes ?? 0), invalid: 0 });
  });

  it('reads the rows once, while they are read and written, and not while it holds locks', async () => {
    const scans = async (slice: string) => {
      await Promise.all(
        Array.from({ length: 20 }, () => prisma().$executeRaw`SELECT pg_stat_force_next_flush()`),
      );
      const [row] = await prisma().$queryRaw<
        { scans: number }[]
      >`SELECT seq_scan::int AS "scans" FROM pg_stat_user_tables WHERE relname = ${slice}`;
      return row?.scans;
    };
    // The first slice of all has no lower bound; later ones have.
    for (const at of [now, new Date(now.getTime() + 2 * hourMs)]) {
      await store(idAt(at));
      const limit = firstIdOf(new Date(at.getTime() + hourMs));
      expect(await limitSlice(prisma(), await lastSlice(), limit)).toBe(true);
      expect(await validateLimits(prisma(), await lastSlice())).toBe(true);
      const last = await lastSlice();
      const before = await scans(last.name);
      const names = (await slices()).map(({ name }) => name);
      expect(before).toBeGreaterThan(0);
      expect(await cutAtLimit(prisma(), table, last, limit, nextName(name, names))).toBe(true);
      expect(await scans(last.name)).toBe(before);
    }
  });

  it('goes on after a kill between any two statements, and no statement fails meanwhile', async () => {
    let kills = 0;
    let stored = 0;
    for (let statements = 1; ; statements += 1) {
      now = new Date(now.getTime() + 3 * hourMs);
      const before = await slices();
      const over = await isOver(
        cutSlice(stoppedAfter(test.services.database, statements), table, now, budgetMs),
      );
      await store(idAt(now));
      stored += 1;
      if (!over) {
        kills += 1;
        // A kill after the last statement of the transaction undoes it: nothing was cut.
        expect(await cutSlice(test.services.database, table, now, budgetMs)).toBe('cut');
      }
      expect(await slices()).toHaveLength(before.length + 1);
      expect(await findCut(prisma(), name)).toBeNull();
      expect(await count()).toBe(stored);
      if (over) break;
    }
    expect(kills).toBeGreaterThan(8);
  });

  it('lets all statements succeed that are under way', async () => {
    let stored = 0;
    let isCut = false;
    const writer = async () => {
      while (!isCut) {
        const insert = insertRow(name, project.id, idAt(now), now);
        await test.services.database.grouped.query(
          `${insert.text} ON CONFLICT ("id") DO NOTHING`,
          insert.values,
        );
        stored += 1;
        await count();
      }
    };
    const writers = [writer(), writer(), writer()];
    for (let cut = 0; cut < 3; cut += 1)
      await cutAt(test.services.database, new Date(now.getTime() + cut * hourMs), table);
    isCut = true;
    await Promise.all(writers);
    expect(await count()).toBe(stored);
    now = new Date(now.getTime() + 3 * hourMs);
  });

  it('waits while ids of a time to come are there, which are stored as before', async () => {
    await store(idAt(new Date(now.getTime() + 2 * hourMs)));
    expect(await cutSlice(test.services.database, table, now, budgetMs)).toBe('blocked');
    await store(idAt(new Date(now.getTime() + 3 * hourMs)));
    await cutAt(test.services.database, new Date(now.getTime() + 3 * hourMs), table);
  });

  it('is given up when such an id came before its limit, and has no limit then', async () => {
    await store(idAt(new Date(now.getTime() + hourMs)));
    await limitSlice(prisma(), await lastSlice(), firstIdOf(new Date(now.getTime() + hourMs)));
    expect(await cutSlice(test.services.database, table, now, budgetMs)).toBe('blocked');
    await store(idAt(new Date(now.getTime() + hourMs)));
    await cutAt(test.services.database, new Date(now.getTime() + hourMs), table);
  });

  it('waits while a process has a clock that is ahead', async () => {
    const id = newId();
    const process = { id, kind: 'api', host: 'a', version: '1.0.0', schema: 's', startedAt: new Date() };
    const clock = (apartMs: number) =>
      prisma().process.upsert({
        where: { id },
        create: { ...process, apartMs, seenAt: new Date() },
        update: { apartMs, seenAt: new Date() },
      });
    await clock(-2 * hourMs);
    expect(await cutSlice(test.services.database, table, now, budgetMs)).toBe('blocked');
    await clock(2 * hourMs);
    await cutAt(test.services.database, now, table);
    await prisma().process.deleteMany();
  });

  it('waits for processes of a version from before there were slices, which name rows by their place', async () => {
    const id = newId();
    const process = { id, kind: 'worker', host: 'a', version: '1.0.0', startedAt: new Date() };
    const seen = (schema: string, seenAt: Date) =>
      prisma().process.upsert({
        where: { id },
        create: { ...process, schema, seenAt },
        update: { schema, seenAt },
      });
    const older = '20261210100000_email_tally';
    await seen(older, new Date());
    expect(await cutSlice(test.services.database, table, now, budgetMs)).toBe('blocked');
    await seen(older, new Date(Date.now() - hourMs));
    await cutAt(test.services.database, now, table);
    await prisma().process.deleteMany();
  });

  it('that does not get its locks is tried again, and others do not wait for it meanwhile', async () => {
    const before = await slices();
    await prisma().$transaction(
      async (holder) => {
        await storedRows(holder, name);
        expect(await cutSlice(test.services.database, table, now, 1_000)).toBe('waits');
        await store(idAt(now));
      },
      { timeout: 60_000 },
    );
    expect(await slices()).toHaveLength(before.length);
    await cutAt(test.services.database, now, table);
  });

  it('whose boundary has come near is made at a later one', async () => {
    const near = firstIdOf(new Date(now.getTime() + giveUpMs - 1_000));
    await limitSlice(prisma(), await lastSlice(), near);
    await cutAt(test.services.database, now, table);
    expect((await lastSlice()).from?.localeCompare(near)).toBe(1);
  });

  it('that was not finished is given up by any other process before its boundary', async () => {
    const limit = (ms: number) => firstIdOf(new Date(Date.now() + ms));
    await deleteAll();
    const last = await lastSlice();
    await limitSlice(prisma(), { ...last, from: null }, limit(hourMs / 2));
    await giveUpLateCuts(test.services.database);
    expect(await findCut(prisma(), name)).not.toBeNull();
    await prisma().$executeRawUnsafe(`ALTER TABLE "${last.name}" DROP CONSTRAINT "${last.name}_before"`);
    await limitSlice(prisma(), { ...last, from: null }, limit(giveUpMs / 3));
    await giveUpLateCuts(test.services.database);
    expect(await findCut(prisma(), name)).toBeNull();
  });
});

it('a slice of webhook deliveries is also cut when it has a million and its ids are of a week, give or take some hours', () => {
  const table = slicedTable('WebhookDelivery');
  const week = (days: number, rows: number, bytes = 0) =>
    isFull({ rows, bytes, from: firstIdOf(new Date(0)) }, table, new Date(days * dayMs));
  expect([week(6, 5_000_000), week(6.6, 1_000_001), week(90, 1_000_000)]).toEqual([false, true, false]);
  expect([week(1, 20_000_001), week(1, 1, 17 * 1_073_741_824)]).toEqual([true, true]);
  // The first one has no beginning.
  expect(isFull({ rows: 1_000_001, bytes: 0, from: null }, table, new Date())).toBe(true);
});
