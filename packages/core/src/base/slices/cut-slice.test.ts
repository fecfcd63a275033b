import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { postgresVersions } from '../../testing/test-database.ts';
import { firstIdOf, newId, timeOf } from '../lib/index.ts';
import { cutSlice, giveUpLateCuts } from './cut-slice.ts';
import { cutAt, events, hourMs, idAt, isOver, stoppedAfter } from './slices.fixture.ts';
import { aheadMs, giveUpMs, nextName, slicedTables } from './slices.rules.ts';
import { cutAtLimit, findCut, limitSlice, readSlices, validateLimits } from './slices.store.ts';

const budgetMs = 60_000;

describe.each(await postgresVersions())('a cut (PostgreSQL %s)', (postgres) => {
  let test: TestServices;
  let project: TestProject;
  beforeAll(async () => {
    test = await createTestServices({ postgres });
    project = await createTestProject(test.services);
  });
  afterAll(() => test.close());

  const prisma = () => test.services.database.prisma;
  const slices = () => readSlices(prisma(), 'Event');
  const lastSlice = async () => {
    const last = (await slices()).at(-1);
    if (!last) throw new Error('there is no slice');
    return last;
  };
  const store = (id = newId()) =>
    prisma().event.create({ data: { id, projectId: project.id, kind: 'CUSTOM', name: 'seen' } });
  const count = () => prisma().event.count({ where: { projectId: project.id } });
  /** Which slice a row is in. */
  const sliceOf = async (id: string) => {
    const [row] = await prisma().$queryRaw<
      { name: string }[]
    >`SELECT tableoid::regclass::text AS "name" FROM "Event" WHERE "id" = ${id}::uuid`;
    return row?.name.replaceAll('"', '');
  };
  /** Each test is later than the one before, so that its ids are in the last slice. */
  let now = new Date();
  beforeEach(async () => {
    now = new Date(now.getTime() + 10 * hourMs);
    await prisma().$executeRaw`DELETE FROM "Event"`;
  });

  it('of a slice that is not full does nothing', async () => {
    await store(idAt(now));
    const [table] = slicedTables;
    if (!table) throw new Error('no table has slices');
    const before = await slices();
    expect(await cutSlice(test.services.database, table, now, budgetMs)).toBe('none');
    expect(await slices()).toEqual(before);
  });

  it('leaves all rows where they are, and rows of an hour later get a slice of their own, with the same indexes and settings', async () => {
    const old = idAt(now);
    await store(old);
    const before = await lastSlice();
    await cutAt(test.services.database, now);
    const [closed, open] = (await slices()).slice(-2);
    expect(closed).toMatchObject({ name: before.name, from: before.from, to: open?.from });
    expect(open).toMatchObject({ to: null, before: null, analysisRows: 10_000 });
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
    expect(whole).toEqual({ indexes: 12, invalid: 0 });
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
      expect(await cutAtLimit(prisma(), 'Event', last, limit, nextName('Event', names))).toBe(true);
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
        cutSlice(stoppedAfter(test.services.database, statements), events, now, budgetMs),
      );
      await store(idAt(now));
      stored += 1;
      if (!over) {
        kills += 1;
        // A kill after the last statement of the transaction undoes it: nothing was cut.
        expect(await cutSlice(test.services.database, events, now, budgetMs)).toBe('cut');
      }
      expect(await slices()).toHaveLength(before.length + 1);
      expect(await findCut(prisma(), 'Event')).toBeNull();
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
        await test.services.database.grouped.query(
          `INSERT INTO "Event" ("id", "projectId", "kind", "name") SELECT $1::uuid, $2, 'CUSTOM', 'seen' ON CONFLICT ("id") DO NOTHING`,
          [idAt(now), project.id],
        );
        stored += 1;
        await count();
      }
    };
    const writers = [writer(), writer(), writer()];
    for (let cut = 0; cut < 3; cut += 1)
      await cutAt(test.services.database, new Date(now.getTime() + cut * hourMs));
    isCut = true;
    await Promise.all(writers);
    expect(await count()).toBe(stored);
    now = new Date(now.getTime() + 3 * hourMs);
  });

  it('waits while ids of a time to come are there, which are stored as before', async () => {
    await store(idAt(new Date(now.getTime() + 2 * hourMs)));
    expect(await cutSlice(test.services.database, events, now, budgetMs)).toBe('blocked');
    await store(idAt(new Date(now.getTime() + 3 * hourMs)));
    await cutAt(test.services.database, new Date(now.getTime() + 3 * hourMs));
  });

  it('is given up when such an id came before its limit, and has no limit then', async () => {
    await store(idAt(new Date(now.getTime() + hourMs)));
    await limitSlice(prisma(), await lastSlice(), firstIdOf(new Date(now.getTime() + hourMs)));
    expect(await cutSlice(test.services.database, events, now, budgetMs)).toBe('blocked');
    await store(idAt(new Date(now.getTime() + hourMs)));
    await cutAt(test.services.database, new Date(now.getTime() + hourMs));
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
    expect(await cutSlice(test.services.database, events, now, budgetMs)).toBe('blocked');
    await clock(2 * hourMs);
    await cutAt(test.services.database, now);
    await prisma().process.deleteMany();
  });

  it('that does not get its locks is tried again, and others do not wait for it meanwhile', async () => {
    const before = await slices();
    await prisma().$transaction(
      async (holder) => {
        await holder.event.count();
        expect(await cutSlice(test.services.database, events, now, 1_000)).toBe('waits');
        await store(idAt(now));
      },
      { timeout: 60_000 },
    );
    expect(await slices()).toHaveLength(before.length);
    await cutAt(test.services.database, now);
  });

  it('whose boundary has come near is made at a later one', async () => {
    const near = firstIdOf(new Date(now.getTime() + giveUpMs - 1_000));
    await limitSlice(prisma(), await lastSlice(), near);
    await cutAt(test.services.database, now);
    expect((await lastSlice()).from?.localeCompare(near)).toBe(1);
  });

  it('that was not finished is given up by any other process before its boundary', async () => {
    const limit = (ms: number) => firstIdOf(new Date(Date.now() + ms));
    await prisma().$executeRaw`DELETE FROM "Event"`;
    const last = await lastSlice();
    await limitSlice(prisma(), { ...last, from: null }, limit(hourMs / 2));
    await giveUpLateCuts(test.services.database);
    expect(await findCut(prisma(), 'Event')).not.toBeNull();
    await prisma().$executeRawUnsafe(`ALTER TABLE "${last.name}" DROP CONSTRAINT "${last.name}_before"`);
    await limitSlice(prisma(), { ...last, from: null }, limit(giveUpMs / 3));
    await giveUpLateCuts(test.services.database);
    expect(await findCut(prisma(), 'Event')).toBeNull();
  });
});
