import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import {
  countNames,
  deleteEvents,
  getDailyEvents,
  getEventStats,
  getEventUsage,
  listContactEvents,
  listEventFigures,
  listEventNames,
  listEvents,
  recordEvent,
  searchEvents,
  setEventInterests,
  trackEvent,
} from './index.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const track = (event: string, email = 'a@people.test', data?: object) =>
  trackEvent.runRaw(project.publicCtx, { email, event, data });
const record = (input: object, request: object = {}) =>
  recordEvent.run({ ...project.ctx, request: { ...project.ctx.request, ...request } }, input);
const age = (name: string, days: number) =>
  test.services.database.durable.query(
    `WITH moved AS (DELETE FROM "Event" WHERE "projectId" = $1 AND "name" = $2 RETURNING *)
     INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "createdAt")
     SELECT "id", "projectId", "kind", "name", "data", "contactId", now() - $3::int * interval '1 day' FROM moved`,
    [project.id, name, days],
  );

describe('recording an event', () => {
  it('by the body of /v1/track upserts the contact and uses up the key', async () => {
    const body = { email: 'A@people.test', event: 'paid', data: { plan: 'pro', none: null } };
    const request = { idempotencyKey: 'k', label: 'POST /events/track', successStatus: 201 };
    const event = await record(body, request);
    expect(event).toMatchObject({
      name: 'paid',
      data: { plan: 'pro', none: null },
      projectId: project.id,
      contactId: expect.any(String),
      emailId: null,
    });
    await expect(record(body, request)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      details: { originalRequest: 'POST /events/track', originalStatusCode: 201 },
    });
    expect((await listEvents.run(project.ctx, {})).events).toEqual([
      { ...event, contact: { id: event.contactId, email: 'a@people.test' } },
    ]);
  });

  it('by name works with or without a contact, and changes no contact', async () => {
    const { contact } = await track('seen');
    const data = { a: null, b: '', list: [1] };
    expect(
      await record({ name: ' paid ', contactId: contact, data: { ...data, id: 'reserved' } }),
    ).toMatchObject({
      name: 'paid',
      contactId: contact,
      data,
    });
    expect(await record({ name: 'paid' })).toMatchObject({ contactId: null, data: null });
    expect(
      await test.services.database.prisma.contact.findMany({ where: { projectId: project.id } }),
    ).toMatchObject([{ data: {} }]);
  });

  it('is queued for dispatch only if it has a contact', async () => {
    await setEventInterests(test.services.database.prisma, project.id, newId(), ['paid']);
    const { contact } = await track('seen');
    await record({ name: 'paid' });
    const { id } = await record({ name: 'paid', contactId: contact });
    const waiting = await test.services.database.prisma.eventDispatch.findMany({
      where: { projectId: project.id },
    });
    expect(waiting.map(({ eventId }) => eventId)).toEqual([id]);
  });

  it.each([
    [{ name: 'x'.repeat(256) }, 'name', 'too_big'],
    [{ name: 5 }, 'name', 'invalid_type'],
    [{ name: 'x', contactId: 'y' }, 'contactId', 'invalid_string'],
    [{ name: 'x', data: [] }, 'data', 'invalid_type'],
    [{ name: 'x', data: { a: 'x'.repeat(65_536) } }, 'data', 'too_big'],
    [{ name: 'email.sent' }, 'name', 'reserved_event'],
    [{ email: 'a@people.test' }, 'event', 'required'],
    [{ event: 'x', name: 'x' }, 'email', 'required'],
    [{ email: 'a@people.test', event: 'segment.a.exit' }, 'event', 'reserved_event'],
  ])('is refused: %#', async (input, field, code) => {
    await expect(record(input)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field, code }],
    });
    expect((await listEvents.run(project.ctx, {})).events).toEqual([]);
  });

  it('is refused for a contact of another project', async () => {
    const foreign = await createTestProject(test.services);
    const theirs = await trackEvent.run(foreign.publicCtx, { email: 'a@people.test', event: 'x' });
    for (const contactId of [newId(), theirs.contact]) {
      await expect(record({ name: 'x', contactId })).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' });
    }
  });
});

describe('reading events', () => {
  it('lists the newest first, by name, by contact, and never the activity feed', async () => {
    const { contact } = await track('seen');
    await track('paid', 'b@people.test');
    await track('seen', 'a@people.test', { n: 2 });
    const activity = { id: newId(), projectId: project.id, kind: 'ACTIVITY' as const, name: 'campaign.sent' };
    await test.services.database.prisma.event.create({ data: activity });
    const namesOf = async (query: object) =>
      (await listEvents.run(project.ctx, query)).events.map(({ name }) => name);
    expect(await namesOf({})).toEqual(['seen', 'paid', 'seen']);
    expect(await namesOf({ eventName: 'paid' })).toEqual(['paid']);
    expect(await namesOf({ limit: '1' })).toEqual(['seen']);
    const { events } = await listContactEvents.run(project.ctx, { contactId: contact });
    expect(events.map(({ data }) => data)).toEqual([{ n: 2 }, null]);
    await expect(listContactEvents.run(project.ctx, { contactId: newId() })).rejects.toMatchObject({
      code: 'CONTACT_NOT_FOUND',
    });
  });

  it('counts by name: the most frequent first, then by name; stats of a period', async () => {
    for (const name of ['b', 'a', 'c', 'c', 'old']) await track(name);
    await age('old', 40);
    expect(await listEventNames.run(project.ctx, {})).toEqual({ eventNames: ['c', 'a', 'b', 'old'] });
    const stats = (query: object = {}) => getEventStats.run(project.ctx, query);
    expect(await stats()).toEqual([
      { name: 'c', count: 2 },
      { name: 'a', count: 1 },
      { name: 'b', count: 1 },
    ]);
    const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    expect(await stats({ startDate: day(50), endDate: day(30) })).toEqual([{ name: 'old', count: 1 }]);
    await expect(stats({ startDate: 'soon' })).rejects.toMatchObject({
      errors: [{ field: 'startDate', code: 'invalid_date' }],
    });
    await expect(stats({ startDate: day(1), endDate: day(2) })).rejects.toMatchObject({
      errors: [{ code: 'invalid_range' }],
    });
  });
});

describe('the events page of the dashboard', () => {
  const figures = () => listEventFigures.run(project.ctx, {});

  it('has the number and the latest time of each name', async () => {
    for (const name of ['b', 'a', 'b', 'old']) await track(name);
    await age('old', 40);
    await test.services.database.prisma.event.create({
      data: { id: newId(), projectId: project.id, kind: 'SYSTEM', name: 'email.sent' },
    });
    const [newest] = (await listEvents.run(project.ctx, { eventName: 'b' })).events;
    expect(await figures()).toEqual([
      { name: 'b', count: 2, lastSeenAt: newest?.createdAt, isOwn: false },
      { name: 'a', count: 1, lastSeenAt: expect.any(String), isOwn: false },
      { name: 'email.sent', count: 1, lastSeenAt: expect.any(String), isOwn: true },
      { name: 'old', count: 1, lastSeenAt: expect.any(String), isOwn: false },
    ]);
  });

  it('counts each of the last 30 days, today included', async () => {
    for (const name of ['a', 'b', 'b', 'yesterday', 'old']) await track(name);
    await age('yesterday', 1);
    await age('old', 31);
    const daily = (query: object = {}) => getDailyEvents.run(project.ctx, query);
    const all = await daily();
    expect(all).toHaveLength(30);
    expect(all.slice(-2).map(({ count }) => count)).toEqual([1, 3]);
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(4);
    expect((await daily({ eventName: 'b' })).at(-1)).toEqual({
      day: new Date().toISOString().slice(0, 10),
      count: 2,
    });
  });

  it('lists all events page by page, by name and by address', async () => {
    for (let n = 1; n <= 5; n += 1)
      await track('seen', n % 2 === 0 ? 'b@people.test' : 'a@people.test', { n });
    await track('paid');
    const page = (query: object) => searchEvents.run(project.ctx, query);
    const read: unknown[] = [];
    let cursor: string | null | undefined;
    do {
      const { data, cursor: next, total } = await page({ eventName: 'seen', limit: 2, cursor });
      expect(total).toBe(cursor === undefined ? 5 : 0);
      read.push(...data.map((event) => event.data?.['n']));
      cursor = next;
    } while (cursor !== null);
    expect(read).toEqual([5, 4, 3, 2, 1]);
    const ofOne = await page({ eventName: 'seen', contact: 'B@People.test ' });
    expect(ofOne.data.map(({ contact }) => contact?.email)).toEqual(['b@people.test', 'b@people.test']);
    expect(ofOne.total).toBe(2);
    expect(await page({ contact: 'nobody@people.test' })).toMatchObject({ data: [], total: 0 });
  });

  it('contains nothing of another project', async () => {
    const foreign = await createTestProject(test.services);
    await trackEvent.run(foreign.publicCtx, { email: 'a@people.test', event: 'theirs' });
    expect(await figures()).toEqual([]);
    expect((await searchEvents.run(project.ctx, { contact: 'a@people.test' })).total).toBe(0);
    expect((await getDailyEvents.run(project.ctx, {})).every(({ count }) => count === 0)).toBe(true);
  });
});

describe('an event’s name', () => {
  const usage = (eventName: string) => getEventUsage.run(project.ctx, { eventName });
  const remove = (eventName: string) => deleteEvents.run(project.ctx, { eventName });

  it('is deleted with all its events while nothing uses it', async () => {
    await track('paid');
    await track('paid', 'b@people.test');
    await track('kept');
    expect(await usage('paid')).toEqual({
      usedInSegments: [],
      usedInCampaigns: [],
      usedInWorkflows: [],
      usedInGoals: [],
      totalCount: 2,
      uniqueContacts: 2,
      canDelete: true,
    });
    expect(await remove('paid')).toEqual({ deletedCount: 2 });
    expect(await remove('paid')).toEqual({ deletedCount: 0 });
    expect(await listEventNames.run(project.ctx, {})).toEqual({ eventNames: ['kept'] });
    expect(await usage('never')).toMatchObject({ totalCount: 0, uniqueContacts: 0, canDelete: true });
  });

  it('cannot be deleted while a workflow, its wait step or a segment uses it', async () => {
    const { prisma } = test.services.database;
    const trigger = { id: newId(), name: 'By trigger' };
    const waiting = { id: newId(), name: 'By wait' };
    const segment = { id: newId(), name: 'By condition' };
    const projectId = project.id;
    await prisma.workflow.create({ data: { ...trigger, projectId, reads: ['event.paid'] } });
    await prisma.workflow.create({ data: { ...waiting, projectId } });
    await prisma.workflowStep.create({
      data: {
        id: newId(),
        projectId,
        workflowId: waiting.id,
        type: 'WAIT_FOR_EVENT',
        name: 'Wait',
        reads: ['event.paid'],
      },
    });
    await prisma.segment.create({
      data: { ...segment, slug: 'paying', projectId, reads: ['event.paid', 'email.open'] },
    });
    expect(await usage('paid')).toMatchObject({
      usedInSegments: [segment],
      usedInWorkflows: [trigger, waiting],
      canDelete: false,
    });
    await expect(remove('paid')).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await usage('email.open')).toMatchObject({ usedInSegments: [segment], canDelete: false });
  });

  it('of a system event cannot be deleted', async () => {
    for (const name of ['email.open', 'contact.subscribed', 'segment.vip.entry']) {
      await expect(remove(name)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      expect((await usage(name)).canDelete).toBe(false);
    }
  });
});

describe('counts of names', () => {
  it('agree with the events, whatever the period, after events were added and removed', async () => {
    const { durable, prisma } = test.services.database;
    // Seven days around two midnights (UTC), so that edges fall on, before and after them.
    const start = Date.parse('2026-03-01T18:00:00.000Z');
    const instant = fc.integer({ min: 0, max: 28 }).map((n) => new Date(start + n * 6 * 3_600_000));
    const stored = fc.record({
      at: instant,
      name: fc.constantFrom('a', 'b', 'campaign.sent'),
    });
    const bound = fc.option(
      fc.tuple(instant, fc.constantFrom(-1, 0, 1)).map(([at, ms]) => new Date(at.getTime() + ms)),
      { nil: undefined },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(stored, { minLength: 1, maxLength: 30 }),
        fc.nat({ max: 9 }),
        fc.array(fc.tuple(bound, bound), { minLength: 4, maxLength: 4 }),
        async (events, removed, periods) => {
          const { id: projectId } = await createTestProject(test.services);
          const rows = events.map((event) => ({ id: newId(), ...event }));
          await prisma.event.createMany({
            data: rows.map(({ id, at, name }) => ({
              ...{ id, projectId, name, createdAt: at },
              kind: name === 'campaign.sent' ? 'ACTIVITY' : 'CUSTOM',
            })),
          });
          const gone = rows.slice(0, removed).map(({ id }) => id);
          await durable.query('DELETE FROM "Event" WHERE "id" = ANY($1::uuid[])', [gone]);
          const left = rows.filter(({ id, name }) => !gone.includes(id) && name !== 'campaign.sent');
          for (const [from, to] of periods) {
            const within = left.filter(({ at }) => (!from || at >= from) && (!to || at <= to));
            const counts = await countNames(prisma, projectId, { from, to });
            expect(Object.fromEntries(counts.map(({ name, count }) => [name, count]))).toEqual(
              Object.fromEntries(
                [...Map.groupBy(within, ({ name }) => name)].map(([name, { length }]) => [name, length]),
              ),
            );
          }
        },
      ),
      { numRuns: runs(8) },
    );
  });
});
