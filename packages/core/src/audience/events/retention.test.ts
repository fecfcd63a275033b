import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dropSlices } from '../../base/slices/drop-slices.ts';
import { cutAt, dayMs, events, idAt } from '../../base/slices/slices.fixture.ts';
import { limitOf } from '../../base/slices/slices.rules.ts';
import { readSlices } from '../../base/slices/slices.store.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { deleteEvents, getEventStats, listEventFigures, searchEvents, sweepEvents } from './index.ts';

const days = 400;
const now = new Date();
const daysAgo = (count: number): Date => new Date(now.getTime() - count * dayMs);

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices({ env: { EVENT_DAYS: String(days) } });
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const prisma = () => test.services.database.prisma;
const store = async (name: string, id: Date, createdAt = id): Promise<string> => {
  const row = { id: idAt(id), projectId: project.id, kind: 'CUSTOM' as const, name, createdAt };
  await prisma().event.create({ data: row });
  return row.id;
};
const stored = async () => {
  const rows = await prisma().event.findMany({ where: { projectId: project.id }, select: { id: true } });
  return rows.map(({ id }) => id).sort();
};
const sweep = async (services = test.services) => {
  let removed = 0;
  for (let last = 1; last > 0; removed += last) last = await sweepEvents(services, now, 3);
  return removed;
};

describe('old events in a slice with newer ones', () => {
  it('are removed in pieces, those of an import with new ids too, whatever their project', async () => {
    for (let n = 0; n < 8; n += 1) await store('old', daysAgo(401 + n));
    await store('old', now, daysAgo(500));
    const kept = [await store('new', daysAgo(399)), await store('new', daysAgo(500), daysAgo(10))].sort();
    const first = project;
    project = await createTestProject(test.services);
    await store('old', daysAgo(450));
    expect(await sweepEvents(test.services, now, 3)).toBe(3);
    expect(await sweep()).toBe(7);
    expect(await stored()).toEqual([]);
    project = first;
    expect(await stored()).toEqual(kept);
  });

  it('stay for ever without EVENT_DAYS', async () => {
    const id = await store('old', daysAgo(5_000));
    const { config } = test.services;
    expect(await sweep({ ...test.services, config: { ...config, EVENT_DAYS: undefined } })).toBe(0);
    expect(await stored()).toEqual([id]);
  });
});

describe('what is known of removed events', () => {
  it('is how many there were, by name and day, until they are deleted by name', async () => {
    await store('old', daysAgo(500));
    await store('old', daysAgo(501));
    await store('both', daysAgo(500));
    await store('both', daysAgo(1));
    await sweep();
    expect((await searchEvents.run(project.ctx, {})).data).toHaveLength(1);
    expect((await searchEvents.run(project.ctx, {})).total).toBe(4);
    const lastDay = `${daysAgo(500).toISOString().slice(0, 10)}T00:00:00.000Z`;
    expect(await listEventFigures.run(project.ctx, {})).toMatchObject([
      { name: 'both', count: 2, lastSeenAt: daysAgo(1).toISOString() },
      { name: 'old', count: 2, lastSeenAt: lastDay },
    ]);
    const period = { startDate: daysAgo(600).toISOString(), endDate: now.toISOString() };
    expect(await getEventStats.run(project.ctx, period)).toEqual([
      { name: 'both', count: 2 },
      { name: 'old', count: 2 },
    ]);
    expect(await deleteEvents.run(project.ctx, { eventName: 'old' })).toEqual({ deletedCount: 0 });
    expect(await listEventFigures.run(project.ctx, {})).toMatchObject([{ name: 'both', count: 2 }]);
  });
});

/** What can happen to the table; time passes from one to the next. */
const happening = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('insert' as const),
      late: fc.integer({ min: 0, max: 600 }),
      name: fc.constantFrom('a', 'b'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('cut' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('drop' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('sweep' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('delete' as const), name: fc.constantFrom('a', 'b') }),
  },
);

it('slices answer as one plain table does, but that old rows may be gone, and are gone 30 days later', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 40 }), async (happenings) => {
      await prisma().$executeRaw`DELETE FROM "Event"`;
      project = await createTestProject(test.services);
      const rows = new Map<string, { name: string; createdAt: Date }>();
      const [last] = (await readSlices(prisma(), 'Event')).slice(-1);
      const begin = Math.max(
        now.getTime(),
        last?.from ? Number.parseInt(last.from.replace('-', '').slice(0, 12), 16) : 0,
      );
      let time = begin;
      const isOld = ({ createdAt }: { createdAt: Date }, grace = 0) =>
        createdAt.getTime() < time - (days + grace) * dayMs;
      for (const one of happenings) {
        time += 15 * dayMs;
        const at = new Date(time);
        if (one.what === 'insert') {
          const createdAt = new Date(time - one.late * dayMs);
          rows.set(await store(one.name, at, createdAt), { name: one.name, createdAt });
        } else if (one.what === 'cut') await cutAt(test.services.database, at);
        else if (one.what === 'drop') await dropSlices(test.services.database, events, limitOf(days, at));
        else if (one.what === 'sweep') while ((await sweepEvents(test.services, at, 100)) > 0);
        else {
          await prisma().event.deleteMany({ where: { projectId: project.id, name: one.name } });
          for (const [id, row] of rows) if (row.name === one.name) rows.delete(id);
        }
        const present = await prisma().$queryRaw<{ id: string; name: string }[]>`
          SELECT "id"::text AS "id", "name" FROM "Event" WHERE "projectId" = ${project.id}::uuid ORDER BY "createdAt" DESC, "id" DESC`;
        const ids = new Set(present.map(({ id }) => id));
        const expected = [...rows]
          .filter(([id, row]) => ids.has(id) || !isOld(row))
          .sort(
            ([oneId, one], [otherId, other]) =>
              other.createdAt.getTime() - one.createdAt.getTime() || (oneId < otherId ? 1 : -1),
          );
        expect(present).toEqual(expected.map(([id, { name }]) => ({ id, name })));
        for (const id of rows.keys()) if (!ids.has(id)) rows.delete(id);
      }
      const at = new Date(time);
      await dropSlices(test.services.database, events, limitOf(days, at));
      while ((await sweepEvents(test.services, at, 100)) > 0);
      const left = await prisma().event.findMany({ where: { projectId: project.id } });
      expect(left.filter((row) => isOld(row, 31))).toEqual([]);
    }),
    { numRuns: runs(25) },
  );
}, 300_000);
