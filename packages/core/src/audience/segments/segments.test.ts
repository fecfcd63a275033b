import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
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
  addSegmentMembers,
  computeIfDue,
  computeSegment,
  createSegment,
  deleteSegment,
  getSegment,
  listSegmentContacts,
  refreshSegment,
  refreshTouched,
  removeSegmentMembers,
  updateSegment,
} from './index.ts';
import { slugOf } from './segments.rules.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
}, 120_000);
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const where = (field: string, operator: string, value?: unknown) => ({
  logic: 'AND',
  groups: [{ filters: [{ field, operator, ...(value === undefined ? {} : { value }) }] }],
});
const isPro = where('data.plan', 'equals', 'pro');

async function contact(plan: string): Promise<string> {
  const id = newId();
  await test.services.database.prisma.contact.create({
    data: { id, projectId: project.id, email: `${id}@people.test`, data: { plan } },
  });
  return id;
}

const make = (input: object) => createSegment.run(project.ctx, { name: 'VIP Customers!', ...input });
const eventNames = async (): Promise<string[]> =>
  (
    await test.services.database.prisma.event.findMany({
      where: { projectId: project.id, name: { startsWith: 'segment.' } },
      orderBy: { id: 'asc' },
    })
  ).map(({ name }) => name);
/** Runs `writing`; `meanwhile` runs when it has found its members, but not committed them. */
async function during(writing: () => Promise<unknown>, meanwhile: () => Promise<unknown>): Promise<void> {
  const { database } = test.services;
  let written: Promise<unknown> = Promise.resolve();
  await database.durable.query(`
    CREATE OR REPLACE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NULL; END $$;
    CREATE OR REPLACE TRIGGER wait_for_test AFTER INSERT ON "SegmentMembership" EXECUTE FUNCTION wait_for_test()`);
  await database.prisma.$transaction(
    async (db) => {
      await db.$queryRaw`SELECT 1 FROM (SELECT pg_advisory_xact_lock(4711)) AS locked`;
      written = writing();
      await waitForLock(database);
      await meanwhile();
    },
    { timeout: 20_000 },
  );
  await written;
  await database.durable.query('DROP TRIGGER wait_for_test ON "SegmentMembership"');
}
const tracesOf = async (contactId: string) => ({
  members: await test.services.database.prisma.segmentMembership.count({ where: { contactId } }),
  events: await test.services.database.prisma.event.count({ where: { contactId } }),
});

describe('erasing a contact while a segment is written', () => {
  it('leaves no membership and no event of a computation behind', async () => {
    const { id } = await make({ condition: isPro, trackMembership: true });
    const [gone, staying] = [await contact('pro'), await contact('pro')];
    await during(
      () => computeSegment.run(project.ctx, { id }),
      () => deleteContact.run(project.ctx, { id: gone }),
    );
    expect(await tracesOf(gone)).toEqual({ members: 0, events: 0 });
    expect(await tracesOf(staying)).toEqual({ members: 1, events: 1 });
    expect((await getSegment.run(project.ctx, { id })).memberCount).toBe(1);
  });

  it.each([
    ['following changes', async () => refreshTouched(test.services, project.id)],
    [
      'adding by hand',
      async (gone: string) => {
        const { id } = await make({ type: 'STATIC', trackMembership: true });
        await addSegmentMembers.run(project.ctx, { id, emails: [`${gone}@people.test`] });
      },
    ],
  ])('waits for %s, which then leaves nothing behind', async (_, writing) => {
    await make({ condition: isPro, trackMembership: true });
    const gone = await contact('pro');
    let erased: Promise<unknown> = Promise.resolve();
    await during(
      () => writing(gone),
      async () => {
        erased = deleteContact.run(project.ctx, { id: gone });
      },
    );
    await erased;
    expect(await tracesOf(gone)).toEqual({ members: 0, events: 0 });
  });
});

const setPlan = (id: string, plan: string) =>
  test.services.database.prisma.contact.update({ where: { id }, data: { data: { plan } } });

it.each([
  ['VIP Customers!', 'vip-customers'],
  ['  a -- b_C ', 'a-b_c'],
  ['Ünïq', 'nq'],
  ['日本', 'the-id'],
])('the slug of %j is %s', (name, slug) => {
  expect(slugOf({ id: 'the-id', name })).toBe(slug);
});

describe('a tracked segment', () => {
  it('emits one event for each entry and exit, and returns what the call changed', async () => {
    const [ada] = await Promise.all([contact('pro'), contact('free')]);
    const { id, memberCount } = await make({ condition: isPro, trackMembership: true });
    expect(memberCount).toBe(1);
    expect(await computeIfDue(test.services, id)).toEqual({ added: 1, removed: 0, total: 1 });
    expect(await computeIfDue(test.services, id)).toBeNull();
    await setPlan(ada, 'free');
    expect(await computeSegment.run(project.ctx, { id })).toEqual({ added: 0, removed: 1, total: 0 });
    expect(await computeSegment.run(project.ctx, { id })).toEqual({ added: 0, removed: 0, total: 0 });
    expect(await eventNames()).toEqual(['segment.vip-customers.entry', 'segment.vip-customers.exit']);
  });

  it('follows a changed contact, and so does a tracked segment that reads it', async () => {
    const inner = await make({ condition: isPro, trackMembership: true });
    const outer = await make({
      name: 'Outer',
      condition: where(`segment.${inner.id}`, 'memberOfSegment'),
      trackMembership: true,
    });
    for (const { id } of [inner, outer]) await computeIfDue(test.services, id);
    const ada = await contact('free');
    await setPlan(ada, 'pro');
    while ((await refreshTouched(test.services, project.id)).touched > 0);
    expect((await eventNames()).sort()).toEqual(['segment.outer.entry', 'segment.vip-customers.entry']);
    expect((await getSegment.run(project.ctx, { id: outer.id })).memberCount).toBe(1);
  });

  it('computed twice concurrently enters no contact twice', async () => {
    await Promise.all([contact('pro'), contact('pro')]);
    const { id } = await make({ condition: isPro, trackMembership: true });
    const runs = await Promise.all([1, 2, 3].map(() => computeSegment.run(project.ctx, { id })));
    expect(runs.reduce((sum, { added }) => sum + added, 0)).toBe(2);
    expect(await eventNames()).toHaveLength(2);
  });

  it('waits for the events that it reads, those of untracked segments in it included', async () => {
    const inner = await make({ condition: where('event.signup', 'triggered') });
    const outer = await make({
      condition: where(`segment.${inner.id}`, 'memberOfSegment'),
      trackMembership: true,
    });
    const interests = async () =>
      (await test.services.database.prisma.eventInterest.findMany({ where: { sourceId: outer.id } })).map(
        ({ name }) => name,
      );
    expect(await interests()).toEqual(['signup']);
    await updateSegment.run(project.ctx, { id: inner.id, condition: where('email.opened', 'triggered') });
    expect(await interests()).toEqual(['email.open']);
    await updateSegment.run(project.ctx, { id: outer.id, trackMembership: false });
    expect(await interests()).toEqual([]);
  });

  it('drops its rows without events when tracking is turned off', async () => {
    await contact('pro');
    const { id } = await make({ condition: isPro, trackMembership: true });
    await computeIfDue(test.services, id);
    await updateSegment.run(project.ctx, { id, trackMembership: false });
    expect(await eventNames()).toEqual(['segment.vip-customers.entry']);
    expect(await test.services.database.prisma.segmentMembership.count({ where: { segmentId: id } })).toBe(0);
    await expect(computeSegment.run(project.ctx, { id })).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('a static segment', () => {
  it('adds and removes members by address', async () => {
    const { id } = await make({ type: 'STATIC', trackMembership: true, condition: 'ignored' });
    const added = await addSegmentMembers.run(project.ctx, {
      id,
      emails: ['New@People.test', 'new@people.test', 'nonsense'],
      createMissing: true,
      subscribed: false,
    });
    expect(added).toEqual({ added: 1, created: 1, notFound: ['nonsense'] });
    expect(
      await addSegmentMembers.run(project.ctx, { id, emails: ['new@people.test', 'No@People.test'] }),
    ).toEqual({ added: 1, created: 0, notFound: ['No@People.test'] });
    const page = await listSegmentContacts.run(project.ctx, { id });
    expect(page).toMatchObject({
      total: 1,
      totalPages: 1,
      data: [{ email: 'new@people.test', subscribed: false }],
    });
    expect(await removeSegmentMembers.run(project.ctx, { id, emails: ['NEW@people.test', 'x'] })).toEqual({
      removed: 1,
    });
    expect(await refreshSegment.run(project.ctx, { id })).toEqual({ memberCount: 0 });
    expect(await eventNames()).toEqual(['segment.vip-customers.entry', 'segment.vip-customers.exit']);
  });
});

describe('refused requests', () => {
  it('cycles, unknown segments and removal of a segment in use', async () => {
    const inner = await make({ condition: isPro });
    const outer = await make({ condition: where(`segment.${inner.id}`, 'notMemberOfSegment') });
    const field = 'condition.groups.0.filters.0.field';
    await expect(
      updateSegment.run(project.ctx, {
        id: inner.id,
        condition: where(`segment.${outer.id}`, 'memberOfSegment'),
      }),
    ).rejects.toMatchObject({ errors: [{ field, code: 'circular_reference' }] });
    await expect(make({ condition: where(`segment.${newId()}`, 'memberOfSegment') })).rejects.toMatchObject({
      errors: [{ field, code: 'unknown_segment' }],
    });
    await expect(deleteSegment.run(project.ctx, { id: inner.id })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await deleteSegment.run(project.ctx, { id: outer.id });
    await deleteSegment.run(project.ctx, { id: inner.id });
    await expect(getSegment.run(project.ctx, { id: inner.id })).rejects.toMatchObject({
      code: 'SEGMENT_NOT_FOUND',
    });
  });

  it('members of a dynamic segment, computing a static one, and segments of other projects', async () => {
    const dynamic = await make({ condition: isPro });
    const fixed = await make({ type: 'STATIC' });
    const conflict = { code: 'CONFLICT' };
    await expect(
      addSegmentMembers.run(project.ctx, { id: dynamic.id, emails: ['a@b.test'] }),
    ).rejects.toMatchObject(conflict);
    await expect(
      removeSegmentMembers.run(project.ctx, { id: dynamic.id, emails: ['a@b.test'] }),
    ).rejects.toMatchObject(conflict);
    await expect(computeSegment.run(project.ctx, { id: fixed.id })).rejects.toMatchObject(conflict);
    const { ctx } = await createTestProject(test.services);
    for (const operation of [
      getSegment,
      updateSegment,
      deleteSegment,
      listSegmentContacts,
      computeSegment,
      refreshSegment,
    ])
      await expect(operation.run(ctx, { id: fixed.id })).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
  });

  it('an invalid condition, except for a static segment, which accepts any', async () => {
    const dynamic = await make({ condition: isPro });
    const fixed = await make({ type: 'STATIC' });
    await expect(updateSegment.run(project.ctx, { id: dynamic.id, condition: {} })).rejects.toMatchObject({
      errors: [{ field: 'condition.logic' }, { field: 'condition.groups' }],
    });
    await expect(make({ condition: {} })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await updateSegment.run(project.ctx, { id: fixed.id, condition: {}, name: 'B' })).toMatchObject({
      name: 'B',
      condition: null,
    });
  });
});

describe('a segment that cannot be computed', () => {
  const failing = async (input: object = {}) => {
    const { id } = await make({ condition: isPro, ...input });
    await computeIfDue(test.services, id);
    return id;
  };
  const read = async (id: string) => {
    const { failedReason, memberCount } = await getSegment.run(project.ctx, { id });
    return { failedReason, memberCount };
  };
  /** Stores a condition that no request may have: its date is beyond those of PostgreSQL. */
  const spoil = (id: string) =>
    test.services.database.prisma.segment.update({
      where: { id },
      data: { condition: where('createdAt', 'within', -8_000_000), wakeSeq: { increment: 1 } },
    });

  it.each([true, false])(
    'shows the reason with its last members until it can be computed again (tracked: %s)',
    async (trackMembership) => {
      await contact('pro');
      const id = await failing({ trackMembership });
      await spoil(id);
      await computeIfDue(test.services, id);
      expect(await read(id)).toEqual({ failedReason: 'computation_failed', memberCount: 1 });
      expect(await computeIfDue(test.services, id)).toBeNull();

      await updateSegment.run(project.ctx, { id, condition: isPro });
      await computeIfDue(test.services, id);
      expect(await read(id)).toEqual({ failedReason: null, memberCount: 1 });
    },
  );

  it('delays no other segment of the project, and is retried at its regular time', async () => {
    const spoiled = await failing({ trackMembership: true, name: 'Spoiled' });
    const sound = await failing({ trackMembership: true, name: 'Sound' });
    await spoil(spoiled);
    await contact('pro');
    for (let pass = 0; pass < 3; pass += 1) await refreshTouched(test.services, project.id);
    expect(await read(sound)).toEqual({ failedReason: null, memberCount: 1 });
    expect(await read(spoiled)).toEqual({ failedReason: 'computation_failed', memberCount: 0 });

    await test.services.database.prisma.segment.update({
      where: { id: spoiled },
      data: { condition: isPro, nextComputeAt: new Date() },
    });
    await computeIfDue(test.services, spoiled);
    expect(await read(spoiled)).toEqual({ failedReason: null, memberCount: 1 });
    expect(await eventNames()).toEqual(['segment.sound.entry', 'segment.spoiled.entry']);
  });

  it('because of a trigger shows the reason too', async () => {
    const id = await failing({ trackMembership: true });
    await contact('pro');
    await test.services.database.prisma.segment.update({ where: { id }, data: { stale: true } });
    const allow = await refuseWrites(test.services, 'SegmentMembership', 'INSERT');
    await refreshTouched(test.services, project.id);
    await allow();
    expect(await read(id)).toEqual({ failedReason: 'computation_failed', memberCount: 0 });
  });

  it('because of a lost connection shows no reason, and fails so that its caller retries', async () => {
    const id = await failing();
    await test.services.database.prisma.segment.update({ where: { id }, data: { stale: true } });
    const away = {
      ...test.services,
      database: {
        ...test.services.database,
        prisma: Object.assign(Object.create(test.services.database.prisma), {
          $transaction: () => Promise.reject(Object.assign(new Error('terminated'), { code: '57P01' })),
        }),
      },
    };
    await expect(computeIfDue(away, id)).rejects.toThrow('terminated');
    expect(await read(id)).toEqual({ failedReason: null, memberCount: 0 });
  });
});
