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
import { deleteContact, getContactBulkJob } from '../contacts/index.ts';
import {
  addMatchingMembers,
  addSegmentMembers,
  computeIfDue,
  computeSegment,
  createSegment,
  deleteSegment,
  getSegment,
  getSegmentUsage,
  listSegmentContacts,
  refreshSegment,
  refreshTouched,
  removeSegmentMembers,
  runContactChange,
  updateSegment,
} from './index.ts';
import { addMatchingBatch } from './run-contact-change.ts';
import { firstSlug, isSlug } from './segments.rules.ts';

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
    { timeout: 60_000 },
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
  ['V.I.P.', 'vip'],
  ['U\u0308NÏQ', 'ünïq'],
  ['Клиенты 2026', 'клиенты-2026'],
  ['日本の顧客', '日本の顧客'],
  ['हिन्दी', 'हिन्दी'],
  ['a'.repeat(100), 'a'.repeat(100)],
  ['🎉 !', 'the-id'],
])('the slug of %j is %s', (name, slug) => {
  expect(firstSlug({ id: 'the-id', name })).toBe(slug);
  expect(isSlug(slug)).toBe(true);
});

it.each(['', 'VIP', 'a b', '-a', 'a-', 'a--b', 'a.b', 'U\u0308'])('%j is no slug', (text) => {
  expect(isSlug(text)).toBe(false);
});

describe('the slug of a segment', () => {
  const named = (name: string) => make({ name, condition: isPro, trackMembership: true });
  const slugOf = async (id: string) => (await getSegment.run(project.ctx, { id })).slug;
  const workflowOn = (eventName: string) =>
    test.services.database.prisma.workflow.create({
      data: { id: newId(), projectId: project.id, name: 'Greets', reads: [`event.${eventName}`] },
    });

  it('is its own in the project, so that two segments never share their events', async () => {
    await contact('pro');
    const segments = [];
    for (const name of ['Клиенты 2026', 'Партнёры 2026', 'VIP', 'V.I.P.', 'vip', 'VIP 2'])
      segments.push(await named(name));
    expect(segments.map(({ slug }) => slug)).toEqual([
      'клиенты-2026',
      'партнёры-2026',
      'vip',
      'vip-2',
      'vip-3',
      'vip-2-2',
    ]);
    for (const { id } of segments) await computeIfDue(test.services, id);
    expect(new Set(await eventNames()).size).toBe(6);
    const other = await createTestProject(test.services);
    expect((await createSegment.run(other.ctx, { name: 'VIP', type: 'STATIC' })).slug).toBe('vip');
  });

  it('is given to one of several segments that are created at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => make({ name: 'Same', type: 'STATIC' })));
    expect(made.map(({ slug }) => slug).toSorted()).toEqual(
      ['same', ...[2, 3, 4, 5, 6, 7, 8].map((n) => `same-${n}`)].toSorted(),
    );
  });

  it('has room for its number in a name of full length', async () => {
    const made = [];
    for (let n = 0; n < 12; n += 1) made.push(await make({ name: '字'.repeat(100), type: 'STATIC' }));
    expect(made[1]?.slug).toBe(`${'字'.repeat(98)}-2`);
    expect(made[11]?.slug).toBe(`${'字'.repeat(97)}-12`);
  });

  it('stays when the segment gets another name, which its workflows would miss', async () => {
    const { id } = await named('Trial');
    await updateSegment.run(project.ctx, { id, name: 'Trial users' });
    expect(await slugOf(id)).toBe('trial');
    await contact('pro');
    await computeIfDue(test.services, id);
    expect(await eventNames()).toEqual(['segment.trial.entry']);
  });

  it('changes by PATCH alone: in the form of a slug, free, and while nothing refers to its events', async () => {
    const { id } = await named('One');
    await named('Two');
    const change = (slug: string) => updateSegment.run(project.ctx, { id, slug });
    await expect(change('Two Words')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(change('two')).rejects.toMatchObject({ code: 'CONFLICT' });
    const { id: workflowId } = await workflowOn('segment.one.entry');
    const usedBy = { workflows: [{ id: workflowId, name: 'Greets' }] };
    await expect(change('first')).rejects.toMatchObject({ code: 'CONFLICT', details: { usedBy } });
    expect((await change('one')).slug).toBe('one');
    await test.services.database.prisma.workflow.delete({ where: { id: workflowId } });
    expect((await change('first')).slug).toBe('first');
  });

  it('in use keeps the segment from being deleted, and usage lists by what', async () => {
    const { id } = await named('Used');
    const { prisma } = test.services.database;
    const workflow = await workflowOn('segment.used.exit');
    const filter = await make({
      name: 'Reads it',
      condition: where('event.segment.used.entry', 'triggered'),
    });
    const endpoint = await prisma.webhookEndpoint.create({
      data: {
        id: newId(),
        projectId: project.id,
        url: 'https://hooks.test/secret',
        types: ['segment.used.entry'],
        secretCipher: '',
      },
    });
    const usage = {
      usedInSegments: [{ id: filter.id, name: 'Reads it' }],
      usedInCampaigns: [],
      usedInWorkflows: [{ id: workflow.id, name: 'Greets' }],
      usedInGoals: [],
      usedInWebhookEndpoints: [{ id: endpoint.id, name: 'hooks.test' }],
    };
    const usageOf = () => getSegmentUsage.run(project.ctx, { id });
    expect(await usageOf()).toEqual({ ...usage, canDelete: false });
    const remove = () => deleteSegment.run(project.ctx, { id });
    await expect(remove()).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { usedBy: { webhookEndpoints: usage.usedInWebhookEndpoints, segments: usage.usedInSegments } },
    });
    await prisma.webhookEndpoint.delete({ where: { id: endpoint.id } });
    await prisma.workflow.delete({ where: { id: workflow.id } });
    await deleteSegment.run(project.ctx, { id: filter.id });
    expect(await usageOf()).toMatchObject({ canDelete: true });
    await remove();
    const other = await createTestProject(test.services);
    await expect(getSegmentUsage.run(other.ctx, { id })).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
  });
});

describe('adding the contacts that match a condition', () => {
  const start = async (id: string, condition: object = isPro) =>
    (await addMatchingMembers.run(project.ctx, { id, condition })).jobId;
  const run = async (jobId: string): Promise<void> => {
    while (await runContactChange(test.services, jobId));
  };
  const jobOf = (jobId: string) => getContactBulkJob.run(project.ctx, { jobId });

  it('adds those of the whole project to a static segment, each once and with its event', async () => {
    const { id } = await make({ type: 'STATIC', trackMembership: true });
    const ada = await contact('pro');
    await addSegmentMembers.run(project.ctx, { id, emails: [`${ada}@people.test`] });
    await test.services.database.durable.query(
      `INSERT INTO "Contact" ("id", "projectId", "email", "data")
       SELECT uuid7(), $1, n || '@a.test', jsonb_build_object('plan', CASE n % 2 WHEN 0 THEN 'pro' ELSE 'free' END) FROM generate_series(1, 12000) n`,
      [project.id],
    );
    const jobId = await start(id);
    const more = () => test.services.database.prisma.$transaction((db) => addMatchingBatch(db, jobId));
    expect(await more()).toBe(true);
    // A worker that dies before its commit leaves the position as it was.
    await expect(
      test.services.database.prisma.$transaction(async (db) => {
        await addMatchingBatch(db, jobId);
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    expect(await jobOf(jobId)).toMatchObject({ state: 'active', progress: 41, result: null });
    await run(jobId);
    expect(await jobOf(jobId)).toMatchObject({
      state: 'completed',
      result: { operation: 'add', added: 6_000, unchangedCount: 1, failureCount: 0 },
    });
    expect((await getSegment.run(project.ctx, { id })).memberCount).toBe(6_001);
    expect((await eventNames()).length).toBe(6_001);
    await run(jobId);
    expect((await eventNames()).length).toBe(6_001);
  });

  it('is refused for a dynamic segment, a segment of another project, and a condition that names one', async () => {
    const dynamic = await make({ name: 'D', condition: isPro });
    const { id } = await make({ type: 'STATIC' });
    const other = await createTestProject(test.services);
    const theirs = await createSegment.run(other.ctx, { name: 'T', type: 'STATIC' });
    await expect(start(dynamic.id)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(start(theirs.id)).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
    await expect(start(id, where(`segment.${theirs.id}`, 'memberOfSegment'))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ code: 'unknown_segment', field: 'condition.groups.0.filters.0.field' }],
    });
  });

  it('fails with a reason when the segment is deleted meanwhile', async () => {
    const { id } = await make({ type: 'STATIC' });
    const jobId = await start(id);
    await deleteSegment.run(project.ctx, { id });
    await run(jobId);
    expect(await jobOf(jobId)).toMatchObject({ state: 'failed', failedReason: 'The segment was deleted' });
  });
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
