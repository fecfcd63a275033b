import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { updateProject } from '../../people/projects/index.ts';
import {
  createTestProject,
  createTestServices,
  refuseWrites,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { waitForLock } from '../../testing/wait-for-lock.ts';
import { deleteContact } from '../contacts/index.ts';
import {
  computeIfDue,
  computeSegment,
  createSegment,
  createSegmentWheel,
  deleteSegment,
  refreshTouched,
  turnWheel,
  updateSegment,
} from './index.ts';
import type { SegmentInput } from './segments.schema.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
}, 120_000);
afterAll(() => test.close());
beforeEach(async () => {
  // Of all projects: the wheel is one.
  await test.services.database.prisma.segmentDue.deleteMany();
  project = await createTestProject(test.services);
});

const prisma = () => test.services.database.prisma;
const turn = () => turnWheel(test.services);
const tree = (...filters: object[]) => ({ logic: 'AND', groups: [{ filters }] });
const newOnes = { field: 'createdAt', operator: 'within', value: 1, unit: 'hours' };
const oldOnes = { field: 'createdAt', operator: 'olderThan', value: 1, unit: 'hours' };
const untilSoon = { field: 'data.until', operator: 'laterThan', value: 0, unit: 'minutes' };
const hourMs = 3_600_000;

const make = async (name: string, condition: object, more: object = {}): Promise<string> => {
  const input = { name, condition, trackMembership: true, ...more } as unknown as SegmentInput;
  return (await createSegment.run(project.ctx, input)).id;
};
const compute = (id: string) => computeSegment.run(project.ctx, { id });

async function presentMs(): Promise<number> {
  const [row] = await prisma().$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS "now"`;
  return row?.now.getTime() ?? 0;
}

/** A contact that moves in this many milliseconds, an hour after its creation. */
async function contact(inMs: number, data: Record<string, string> = {}): Promise<string> {
  const id = newId();
  const createdAt = new Date((await presentMs()) - hourMs + inMs);
  await prisma().contact.create({
    data: { id, projectId: project.id, email: `${id}@people.test`, createdAt, data },
  });
  return id;
}

async function events(): Promise<{ name: string; contactId: string | null; createdAt: Date }[]> {
  return prisma().event.findMany({
    where: { projectId: project.id, name: { startsWith: 'segment.' } },
    select: { name: true, contactId: true, createdAt: true },
    orderBy: { id: 'asc' },
  });
}
const names = async (): Promise<string[]> => (await events()).map(({ name }) => name);
const moments = () =>
  prisma().segmentDue.findMany({ where: { projectId: project.id }, orderBy: { at: 'asc' } });
/** Turns the wheel until it has followed a number of moments. */
async function turnUntil(count: number): Promise<void> {
  let followed = 0;
  await expect
    .poll(async () => (followed += await turn()), { timeout: 60_000 })
    .toBeGreaterThanOrEqual(count);
}

describe('time alone', () => {
  it('moves a contact out of one segment and into another, with one event each, and none early', async () => {
    const [fresh, settled] = [await make('Fresh', tree(newOnes)), await make('Settled', tree(oldOnes))];
    const id = await contact(600);
    await compute(fresh);
    await compute(settled);
    const due = await moments();
    expect(due.map(({ contactId }) => contactId)).toEqual([id, id]);
    expect(await names()).toEqual(['segment.fresh.entry']);
    await turn();
    expect(await names()).toEqual(['segment.fresh.entry']);
    await turnUntil(2);
    const [, ...moved] = await events();
    expect(moved.map(({ name }) => name).toSorted()).toEqual(['segment.fresh.exit', 'segment.settled.entry']);
    for (const { createdAt } of moved)
      expect(createdAt.getTime()).toBeGreaterThanOrEqual(due[0]?.at.getTime() ?? 0);
    expect(await moments()).toEqual([]);
    await turn();
    expect(await names()).toHaveLength(3);
    const counts = await prisma().segment.findMany({
      where: { projectId: project.id },
      orderBy: { slug: 'asc' },
    });
    expect(counts.map(({ memberCount }) => memberCount)).toEqual([0, 1]);
  });

  it('moves who was followed into a segment after it was computed, by a change or an event', async () => {
    const id = await make('Open', tree(untilSoon));
    const seen = await make(
      'Seen',
      tree({ field: 'event.seen', operator: 'triggeredWithin', value: 1, unit: 'hours' }),
    );
    await compute(id);
    await compute(seen);
    const ada = await contact(0, { until: new Date((await presentMs()) + 1_500).toISOString() });
    const at = new Date((await presentMs()) - hourMs + 1_500);
    await prisma().event.create({
      data: {
        id: newId(),
        projectId: project.id,
        contactId: ada,
        kind: 'CUSTOM',
        name: 'seen',
        createdAt: at,
      },
    });
    await refreshTouched(test.services, project.id);
    expect((await names()).toSorted()).toEqual(['segment.open.entry', 'segment.seen.entry']);
    await turnUntil(2);
    expect((await names()).toSorted().filter((name) => name.endsWith('exit'))).toEqual([
      'segment.open.exit',
      'segment.seen.exit',
    ]);
  });

  it('moves by the condition of an untracked segment, and carries on to the segments that read a moved one', async () => {
    const inner = await make('Inner', tree(newOnes), { trackMembership: false });
    const outer = await make('Outer', tree({ field: `segment.${inner}`, operator: 'notMemberOfSegment' }));
    const reader = await make('Reader', tree({ field: `segment.${outer}`, operator: 'memberOfSegment' }));
    await contact(400);
    await compute(outer);
    await compute(reader);
    await turnUntil(1);
    await refreshTouched(test.services, project.id);
    expect(await names()).toEqual(['segment.outer.entry', 'segment.reader.entry']);
  });

  it('has no moments for conditions that it does not change, nor for those that lie far ahead', async () => {
    await contact(600);
    await compute(await make('Pro', tree({ field: 'data.plan', operator: 'equals', value: 'pro' })));
    await compute(await make('Old', tree({ ...oldOnes, value: 1_000 })));
    await compute(
      await make('Pro and new', tree(newOnes, { field: 'data.plan', operator: 'equals', value: 'pro' })),
    );
    expect(await moments()).toEqual([]);
  });

  it('is that of the database, whatever the clock of the process says', async () => {
    const id = await make('Fresh', tree(newOnes));
    await contact(60_000);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * hourMs });
    try {
      await compute(id);
      await turn();
      await refreshTouched(test.services, project.id);
    } finally {
      vi.useRealTimers();
    }
    expect(await names()).toEqual(['segment.fresh.entry']);
    expect(await moments()).toHaveLength(1);
  });
});

describe('the wheel', () => {
  it('follows each moment once, however many processes turn it', async () => {
    const id = await make('Fresh', tree(newOnes));
    const ids = await Promise.all(Array.from({ length: 30 }, () => contact(1_000)));
    await compute(id);
    expect(await names()).toHaveLength(30);
    let followed = 0;
    await expect
      .poll(
        async () => {
          for (const count of await Promise.all([turn(), turn(), turn()])) followed += count;
          return followed;
        },
        { timeout: 60_000 },
      )
      .toBe(30);
    const exits = (await events()).filter(({ name }) => name === 'segment.fresh.exit');
    expect(exits.map(({ contactId }) => contactId).toSorted()).toEqual(ids.toSorted());
  });

  it('keeps the moments of a process that is killed while it follows them', async () => {
    const { database } = test.services;
    const id = await make('Fresh', tree(newOnes));
    await contact(300);
    await compute(id);
    await expect.poll(presentMs).toBeGreaterThan((await moments())[0]?.at.getTime() ?? 0);
    let killed: Promise<unknown> = Promise.resolve();
    await prisma().$transaction(
      async (db) => {
        await db.$queryRaw`SELECT FROM "SegmentMembership" WHERE "segmentId" = ${id}::uuid FOR UPDATE`;
        killed = turn().catch(() => undefined);
        await waitForLock(database);
        await database.durable.query(
          `SELECT pg_terminate_backend("pid") FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        await killed;
      },
      { timeout: 30_000 },
    );
    expect(await names()).toEqual(['segment.fresh.entry']);
    expect(await moments()).toHaveLength(1);
    expect(await turn()).toBe(1);
    expect(await names()).toEqual(['segment.fresh.entry', 'segment.fresh.exit']);
  });

  it('follows what became due while no process turned it', async () => {
    const id = await make('Fresh', tree(newOnes));
    await contact(200);
    await compute(id);
    const [due] = await moments();
    await expect.poll(presentMs).toBeGreaterThan((due?.at.getTime() ?? 0) + 500);
    const wheel = createSegmentWheel(test.services);
    wheel.start();
    await expect.poll(names, { timeout: 60_000 }).toEqual(['segment.fresh.entry', 'segment.fresh.exit']);
    await wheel.stop();
  });

  it('is filled for the next day by a pass, which also moves contacts whose moments are not stored', async () => {
    const id = await make('Fresh', tree(newOnes));
    await contact(300);
    await compute(id);
    const { nextComputeAt } = await prisma().segment.findUniqueOrThrow({ where: { id } });
    const aheadMs = (nextComputeAt?.getTime() ?? 0) - Date.now();
    expect(aheadMs).toBeGreaterThan(0);
    expect(aheadMs).toBeLessThanOrEqual(24 * hourMs + 60_000);
    await expect.poll(presentMs).toBeGreaterThan((await moments())[0]?.at.getTime() ?? 0);
    await prisma().segmentDue.deleteMany({ where: { projectId: project.id } });
    expect(await turn()).toBe(0);
    await prisma().segment.update({ where: { id }, data: { nextComputeAt: new Date() } });
    expect(await computeIfDue(test.services, id)).toMatchObject({ removed: 1 });
    expect(await names()).toEqual(['segment.fresh.entry', 'segment.fresh.exit']);
  });

  it('goes on with a pass where it was, and computes the segment whole if it changed meanwhile', async () => {
    const id = await make('Settled', tree(oldOnes));
    const ids = [await contact(-hourMs), await contact(-60_000), await contact(-30_000)];
    await prisma().segment.update({
      where: { id },
      data: { computedAt: new Date(), seenSeq: 1, nextComputeAt: new Date() },
    });
    const [first] = await prisma().contact.findMany({ where: { id: ids[0] ?? '' } });
    await prisma().segment.update({
      where: { id },
      data: { passedAt: first?.createdAt, passedId: first?.id },
    });
    expect(await computeIfDue(test.services, id)).toEqual({ added: 2, removed: 0, total: 2 });
    expect((await events()).map(({ contactId }) => contactId).toSorted()).toEqual(ids.slice(1).toSorted());
    const passed = await prisma().segment.findUniqueOrThrow({ where: { id } });
    expect(passed).toMatchObject({ passedAt: null, passedId: null, memberCount: 2 });
    expect(await computeIfDue(test.services, id)).toBeNull();

    await prisma().segment.update({
      where: { id },
      data: { passedAt: first?.createdAt, passedId: first?.id, nextComputeAt: new Date(), wakeSeq: 2 },
    });
    expect(await computeIfDue(test.services, id)).toEqual({ added: 1, removed: 0, total: 3 });
    expect(await prisma().segment.findUniqueOrThrow({ where: { id } })).toMatchObject({ passedId: null });
  });

  it('leaves a segment alone that another transaction writes, and does not wait for it', async () => {
    const id = await make('Fresh', tree(newOnes));
    await contact(200);
    await compute(id);
    await expect.poll(presentMs).toBeGreaterThan((await moments())[0]?.at.getTime() ?? 0);
    await prisma().$transaction(async (db) => {
      await db.$queryRaw`SELECT FROM "Segment" WHERE "id" = ${id}::uuid FOR NO KEY UPDATE`;
      expect(await turn()).toBe(0);
    });
    expect(await turn()).toBe(1);
  });

  it('follows the condition that a segment has when a moment comes', async () => {
    const id = await make('Fresh', tree(newOnes));
    const [staying] = [await contact(300, { plan: 'pro' }), await contact(300)];
    await compute(id);
    await updateSegment.run(project.ctx, {
      id,
      condition: tree({ field: 'data.plan', operator: 'equals', value: 'pro' }),
    });
    await turnUntil(2);
    const active = await prisma().segmentMembership.findMany({ where: { segmentId: id, exitedAt: null } });
    expect(active.map(({ contactId }) => contactId)).toEqual([staying]);
    await computeIfDue(test.services, id);
    expect(await names()).toEqual(['segment.fresh.entry', 'segment.fresh.entry', 'segment.fresh.exit']);
    expect(await moments()).toEqual([]);
  });

  it('leaves a segment that cannot be computed to its computations, and holds up no other', async () => {
    const spoiled = await make('Spoiled', tree(newOnes));
    const sound = await make('Sound', tree(newOnes, { field: 'data.plan', operator: 'notExists' }));
    await contact(300, { plan: 'pro' });
    await compute(spoiled);
    await contact(300);
    await compute(sound);
    await expect.poll(presentMs).toBeGreaterThan((await moments()).at(-1)?.at.getTime() ?? 0);
    await prisma().segment.update({ where: { id: spoiled }, data: { failedReason: 'computation_failed' } });
    await turn();
    expect(await names()).toEqual(['segment.spoiled.entry', 'segment.sound.entry', 'segment.sound.exit']);
    expect(await moments()).toEqual([]);
  });

  it('has a segment computed whole for which a statement fails', async () => {
    const id = await make('Fresh', tree(newOnes));
    await contact(200);
    await compute(id);
    await expect.poll(presentMs).toBeGreaterThan((await moments())[0]?.at.getTime() ?? 0);
    const allow = await refuseWrites(test.services, 'SegmentMembership', 'UPDATE');
    await turn();
    await allow();
    expect((await prisma().segment.findUniqueOrThrow({ where: { id } })).stale).toBe(true);
    expect(await computeIfDue(test.services, id)).toMatchObject({ removed: 1 });
    expect(await names()).toEqual(['segment.fresh.entry', 'segment.fresh.exit']);
  });
});

describe('no moments are left', () => {
  it.each([
    ['of a deleted segment', (id: string) => deleteSegment.run(project.ctx, { id })],
    [
      'of one that is tracked no longer',
      (id: string) => updateSegment.run(project.ctx, { id, trackMembership: false }),
    ],
    [
      'of a deleted contact',
      (_: string, contactId: string) => deleteContact.run(project.ctx, { id: contactId }),
    ],
  ])('%s', async (_, remove) => {
    const id = await make('Settled', tree(oldOnes));
    const contactId = await contact(60_000);
    await compute(id);
    expect(await moments()).toHaveLength(1);
    await remove(id, contactId);
    expect(await moments()).toEqual([]);
  });

  it('of a project that was removed meanwhile, as soon as they are due', async () => {
    const id = await make('Settled', tree(oldOnes));
    await contact(200);
    await compute(id);
    const [due] = await moments();
    await prisma().contact.deleteMany({ where: { projectId: project.id } });
    await prisma().project.delete({ where: { id: project.id } });
    await expect.poll(presentMs).toBeGreaterThan(due?.at.getTime() ?? 0);
    await turn();
    expect(await moments()).toEqual([]);
  });
});

describe('a tracked segment is computed', () => {
  const nextIn = async (id: string): Promise<number> => {
    const { nextComputeAt } = await prisma().segment.findUniqueOrThrow({ where: { id } });
    return (nextComputeAt?.getTime() ?? 0) - Date.now();
  };

  it('every five minutes where it reads what no event reports', async () => {
    const id = await make('Left', tree({ field: 'email.unsubscribed', operator: 'occurred' }));
    await compute(id);
    expect(await nextIn(id)).toBeLessThanOrEqual(300_000);
  });

  it('soon after the time zone of its project has changed', async () => {
    const id = await make('Born today', tree({ field: 'data.on', operator: 'onDay', value: 0 }));
    await compute(id);
    const owner = await project.userCtx('OWNER');
    await updateProject.run(owner, { id: project.id, timeZone: 'Asia/Tokyo' });
    expect(await nextIn(id)).toBeLessThanOrEqual(1_000);
  });
});
