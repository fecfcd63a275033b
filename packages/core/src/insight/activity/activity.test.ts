import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { upsertContact } from '../../audience/contacts/index.ts';
import { trackEvent } from '../../audience/events/index.ts';
import { insertExecution } from '../../automation/workflows/executions.store.ts';
import { endExecutions, writeSet } from '../../automation/workflows/runtime/set.store.ts';
import { plainTransaction } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { sendingCampaign, waitingMail } from '../../testing/mail.ts';
import {
  countRecentActivity,
  getActivityStats,
  groupActivity,
  listActivity,
  listActivityTypes,
  listUpcomingActivity,
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

interface Stored {
  name: string;
  kind?: 'CUSTOM' | 'SYSTEM' | 'ACTIVITY';
  data?: Record<string, string | number | boolean | null>;
  contactId?: string;
  emailId?: string;
  createdAt?: Date;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms);

/** Stores events, one minute apart unless they have a time, the last one now. @returns their ids */
async function store(...events: Stored[]): Promise<string[]> {
  const rows = events.map((event, index) => ({
    id: newId(),
    projectId: project.id,
    kind: 'SYSTEM' as const,
    createdAt: ago((events.length - 1 - index) * minuteMs),
    ...event,
  }));
  await test.services.database.prisma.event.createMany({ data: rows });
  return rows.map(({ id }) => id);
}

const feed = async (input: Parameters<typeof listActivity.run>[1] = {}) =>
  (await listActivity.run(project.ctx, input)).data;
const typesOf = async (input: Parameters<typeof listActivity.run>[1] = {}) =>
  (await feed(input)).map(({ type }) => type);

async function mail(campaignId: string | null = null) {
  const [email] = await waitingMail(test.services, project.id, { count: 1, campaignId });
  if (!email) throw new Error('one email was asked for');
  return email;
}

describe('an item of the feed', () => {
  it('of a custom event has its name and data, and the contact', async () => {
    const { contact, event } = await trackEvent.run(project.publicCtx, {
      email: 'ada@people.test',
      event: 'bought',
      data: { plan: 'pro' },
    });
    expect(await feed()).toEqual([
      {
        id: event,
        type: 'event.triggered',
        timestamp: expect.any(String),
        contactId: contact,
        contactEmail: 'ada@people.test',
        metadata: { eventId: event, eventName: 'bought', eventData: { plan: 'pro' } },
      },
    ]);
  });

  it('of an email has what the email is, and an id of email and type', async () => {
    const campaignId = await sendingCampaign(test.services, project.id);
    const { id, contactId, to } = await mail(campaignId);
    await store({ name: 'email.sent', emailId: id, contactId, data: { subject: 'Hello Ada' } });
    expect(await feed()).toEqual([
      {
        id: `${id}_sent`,
        type: 'email.sent',
        timestamp: expect.any(String),
        contactId,
        contactEmail: to,
        metadata: {
          emailId: id,
          subject: 'Hello Ada',
          from: 'sender@mail.test',
          fromName: null,
          replyTo: null,
          toName: null,
          sourceType: 'CAMPAIGN',
          campaignId,
          campaignName: 'Test campaign',
        },
      },
    ]);
  });

  it('is one per email and type, however often it was opened, clicked or failed', async () => {
    const { id: emailId, contactId } = await mail();
    const of = { emailId, contactId };
    await test.services.database.prisma.email.update({
      where: { id: emailId },
      data: { opens: 3, clicks: 2, error: '550 unknown' },
    });
    await store(
      { ...of, name: 'email.failed', kind: 'ACTIVITY', data: { error: '421 later' } },
      { ...of, name: 'email.failed', kind: 'ACTIVITY', data: { error: '550 unknown' } },
      { ...of, name: 'email.open', data: { isFirstOpen: true } },
      { ...of, name: 'email.open', data: { isFirstOpen: false } },
      { ...of, name: 'email.click', data: { isFirstClick: true } },
      { ...of, name: 'email.click', data: { isFirstClick: false } },
      { ...of, name: 'email.bounce' },
      { ...of, name: 'email.bounce' },
      { ...of, name: 'email.skipped', kind: 'ACTIVITY', data: { reason: 'unsubscribed' } },
    );
    const items = await feed();
    expect(items.map(({ id }) => id)).toEqual(
      ['skipped', 'bounced', 'clicked', 'opened', 'failed'].map((type) => `${emailId}_${type}`),
    );
    expect(items.map(({ metadata }) => metadata)).toMatchObject([
      { reason: 'unsubscribed' },
      { error: '550 unknown' },
      { totalClicks: 2 },
      { totalOpens: 3 },
      { error: '421 later' },
    ]);
    expect(await countRecentActivity.run(project.ctx, { minutes: 60 })).toEqual({ count: 5 });
  });

  it('has the type of what happened', async () => {
    await store(
      { name: 'contact.subscribed', data: { reason: 'api' } },
      { name: 'segment.vips.entry', data: { segmentId: newId() } },
      { name: 'campaign.sent', kind: 'ACTIVITY', data: { campaignId: newId(), sentCount: 3 } },
      { name: 'campaign.sent', kind: 'CUSTOM' },
    );
    expect((await feed()).map(({ type, metadata }) => [type, Object.keys(metadata).sort()])).toEqual([
      ['event.triggered', ['eventData', 'eventId', 'eventName']],
      ['campaign.sent', ['campaignId', 'sentCount']],
      ['event.triggered', ['eventData', 'eventId', 'eventName']],
      ['contact.subscribed', ['reason']],
    ]);
  });
});

describe('the feed', () => {
  it('can be narrowed to types, all of which are valid as a filter', async () => {
    await store(
      { name: 'bought', kind: 'CUSTOM' },
      { name: 'contact.subscribed' },
      { name: 'segment.vips.exit' },
    );
    expect(await typesOf({ types: 'contact.subscribed' })).toEqual(['contact.subscribed']);
    expect(await typesOf({ types: 'contact.subscribed, event.triggered,event.triggered' })).toHaveLength(3);
    expect(await typesOf({ types: '' })).toHaveLength(3);
    const { types } = await listActivityTypes.run(project.ctx, {});
    for (const type of types) await feed({ types: type });
    expect(await typesOf({ types: 'email.received,campaign.scheduled' })).toEqual([]);
  });

  it('400 BAD_REQUEST: an unknown type', async () => {
    await expect(feed({ types: 'email.sent,email.lost' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('422 invalid_date and invalid_range', async () => {
    await expect(feed({ startDate: '2026-02-30' })).rejects.toMatchObject({
      errors: [{ field: 'startDate', code: 'invalid_date' }],
    });
    await expect(feed({ startDate: '2026-02-02', endDate: '2026-02-01' })).rejects.toMatchObject({
      errors: [{ field: 'endDate', code: 'invalid_range' }],
    });
  });

  it('can be narrowed to a contact', async () => {
    const { id: contactId } = await upsertContact.run(project.ctx, { email: 'ada@people.test' });
    await store({ name: 'bought', kind: 'CUSTOM' }, { name: 'seen', kind: 'CUSTOM', contactId });
    expect(
      (await feed({ contactId, types: 'event.triggered' })).map(({ metadata }) => metadata['eventName']),
    ).toEqual(['seen']);
    expect(await feed({ contactId: newId() })).toEqual([]);
  });

  it('covers the last 30 days unless dates are given', async () => {
    await store(
      { name: 'old', kind: 'CUSTOM', createdAt: ago(31 * dayMs) },
      { name: 'new', kind: 'CUSTOM', createdAt: ago(29 * dayMs) },
    );
    const names = async (input: Parameters<typeof listActivity.run>[1]) =>
      (await feed(input)).map(({ metadata }) => metadata['eventName']);
    expect(await names({})).toEqual(['new']);
    expect(await names({ startDate: ago(60 * dayMs).toISOString() })).toEqual(['new', 'old']);
    expect(await names({ endDate: ago(30 * dayMs).toISOString() })).toEqual(['old']);
  });

  it('includes the whole day that it ends with, in the time zone of the project', async () => {
    const at = new Date('2026-03-10T22:30:00.000Z');
    const { id } = await createTestProject(test.services);
    await test.services.database.prisma.event.create({
      data: { id: newId(), projectId: id, name: 'late', kind: 'CUSTOM', createdAt: at },
    });
    const days = async (timeZone: string, period: { startDate: string; endDate: string }) => {
      const ctx = { ...project.ctx, project: { ...project.project, id, timeZone } };
      return (await listActivity.runRaw(ctx, period)).data.length;
    };
    const tenth = { startDate: '2026-03-10', endDate: '2026-03-10' };
    const eleventh = { startDate: '2026-03-11', endDate: '2026-03-11' };
    expect([await days('UTC', tenth), await days('UTC', eleventh)]).toEqual([1, 0]);
    expect([await days('Europe/Athens', tenth), await days('Europe/Athens', eleventh)]).toEqual([0, 1]);
    const instants = { startDate: '2026-03-10', endDate: '2026-03-10T22:00:00Z' };
    expect(await days('UTC', instants)).toBe(0);
  });

  it.each([{}, { types: 'event.triggered,contact.subscribed' }])(
    'is read page by page: %j',
    async (filter) => {
      const createdAt = ago(minuteMs);
      await store(
        ...Array.from({ length: 4 }, () => ({ name: 'same time', kind: 'CUSTOM' as const, createdAt })),
        { name: 'contact.subscribed', createdAt },
        { name: 'later', kind: 'CUSTOM' },
      );
      const all = (await feed(filter)).map(({ id }) => id);
      expect(all).toHaveLength(6);
      const ids: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await listActivity.run(project.ctx, { ...filter, limit: 2, ...(cursor && { cursor }) });
        expect(page.hasMore).toBe(page.cursor !== null);
        ids.push(...page.data.map(({ id }) => id));
        cursor = page.cursor;
      }
      expect(ids).toEqual(all);
    },
  );

  it('contains nothing of another project', async () => {
    await store({ name: 'bought', kind: 'CUSTOM' });
    project = await createTestProject(test.services);
    expect(await feed()).toEqual([]);
    expect(await countRecentActivity.run(project.ctx, {})).toEqual({ count: 0 });
  });

  it('is read over an index for rare types, not by a scan of the history', async () => {
    const { prisma } = test.services.database;
    await prisma.$executeRaw`
      INSERT INTO "Event" ("id", "projectId", "kind", "name", "createdAt")
      SELECT uuid7(), ${project.id}::uuid, 'SYSTEM', 'email.sent', now() - n * interval '1 second' FROM generate_series(1, 20000) n`;
    await prisma.$executeRaw`ANALYZE "Event"`;
    const before = await readsOf('Event');
    expect(await typesOf({ types: 'event.triggered,contact.subscribed,campaign.sent' })).toEqual([]);
    expect((await readsOf('Event')) - before).toBeLessThan(1_000);
  });
});

/** Rows that scans of a table have read so far, on all connections. */
async function readsOf(table: string): Promise<number> {
  const { prisma } = test.services.database;
  // Connections report their reads at most once a second, unless they are asked to.
  await Promise.all(Array.from({ length: 20 }, () => prisma.$executeRaw`SELECT pg_stat_force_next_flush()`));
  const [row] = await prisma.$queryRaw<{ reads: number }[]>`
    SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS "reads" FROM pg_stat_user_tables
    WHERE relid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = quote_ident(${table})::regclass)`;
  if (typeof row?.reads !== 'number') throw new Error(`${table} has no statistics`);
  return row.reads;
}

async function workflow(): Promise<{ workflowId: string; delay: string; wait: string }> {
  const { prisma } = test.services.database;
  const workflowId = newId();
  const step = { projectId: project.id, workflowId };
  const [delay, wait, send, exit] = [newId(), newId(), newId(), newId()];
  await prisma.workflow.create({ data: { id: workflowId, projectId: project.id, name: 'Welcome' } });
  await prisma.workflowStep.createMany({
    data: [
      { ...step, id: delay, type: 'DELAY', name: 'A day' },
      { ...step, id: wait, type: 'WAIT_FOR_EVENT', name: 'A purchase' },
      { ...step, id: send, type: 'SEND_EMAIL', name: 'Tips' },
      { ...step, id: exit, type: 'EXIT', name: 'End' },
    ],
  });
  await prisma.workflowTransition.createMany({
    data: [
      { ...step, id: newId(), fromStepId: delay, toStepId: send },
      { ...step, id: newId(), fromStepId: wait, toStepId: send, waitOutcome: 'EVENT' },
      { ...step, id: newId(), fromStepId: wait, toStepId: exit, waitOutcome: 'TIMEOUT' },
    ],
  });
  return { workflowId, delay, wait };
}

async function execution(workflowId: string, data: object = {}): Promise<{ id: string; contactId: string }> {
  const { id: contactId } = await upsertContact.run(project.ctx, { email: `${newId()}@people.test` });
  const { prisma } = test.services.database;
  const workflow = await prisma.workflow.findUniqueOrThrow({
    where: { id: workflowId },
    include: { draft: true },
  });
  const step = await prisma.workflowStep.findFirst({ where: { workflowId } });
  const started = await insertExecution(prisma, workflow, {
    contactId,
    context: {},
    triggerStepId: step?.id ?? newId(),
  });
  if (typeof started === 'string') throw new Error(`the execution did not start: ${started}`);
  await prisma.workflowExecution.update({ where: { id: started.id }, data });
  return { id: started.id, contactId };
}

/** Ends an execution by its last step. */
const take = (id: string, status: 'COMPLETED' | 'EXITED' | 'FAILED'): Promise<void> =>
  plainTransaction(test.services.database.durable, async (db) => {
    const now = new Date();
    const progress = {
      ...{ id, status, currentStepId: null, dueAt: null, context: {} },
      ...{ exitReason: 'why', anchorAt: now, anchorEventId: null },
    };
    await writeSet(db, { projectId: project.id, now, records: [], progress: [progress], requests: [] });
  });

describe('an execution of a workflow', () => {
  const types = 'workflow.started,workflow.completed';

  it.each(['COMPLETED', 'EXITED', 'FAILED', 'CANCELLED'] as const)(
    'is in the feed when it starts and when it ends %s, once each',
    async (status) => {
      const { workflowId } = await workflow();
      const { id, contactId } = await execution(workflowId);
      const { prisma } = test.services.database;
      await prisma.workflowExecution.update({ where: { id }, data: { status: 'WAITING' } });
      if (status === 'CANCELLED')
        for (let times = 0; times < 2; times++)
          await endExecutions(prisma, [id], 'why' as Parameters<typeof endExecutions>[2]);
      else await take(id, status);
      await prisma.workflowExecution.update({ where: { id }, data: { status, seenSeq: 1 } });
      const metadata = { workflowId, workflowName: 'Welcome', executionId: id };
      expect(await feed({ types })).toMatchObject([
        { type: 'workflow.completed', contactId, metadata: { ...metadata, status, exitReason: 'why' } },
        {
          type: 'workflow.started',
          contactId,
          metadata: { ...metadata, status: 'RUNNING', exitReason: null },
        },
      ]);
    },
  );

  it('is no event of the project: it can neither be listed nor trigger anything', async () => {
    const { workflowId } = await workflow();
    const { prisma } = test.services.database;
    await prisma.eventInterest.create({
      data: { projectId: project.id, name: 'workflow.started', sourceId: workflowId },
    });
    await execution(workflowId);
    expect(await prisma.eventDispatch.count({ where: { projectId: project.id } })).toBe(0);
    expect(await typesOf({ types: 'event.triggered' })).toEqual([]);
  });
});

describe('the figures', () => {
  it('count events, emails and started workflows of the period', async () => {
    const { prisma } = test.services.database;
    await store(
      { name: 'bought', kind: 'CUSTOM' },
      { name: 'segment.vips.entry' },
      { name: 'contact.subscribed' },
      { name: 'old', kind: 'CUSTOM', createdAt: ago(31 * dayMs) },
    );
    const emails = await waitingMail(test.services, project.id, { count: 3 });
    const ids = emails.map(({ id }) => id);
    await prisma.email.updateMany({ where: { id: { in: ids } }, data: { sentAt: new Date() } });
    await prisma.email.updateMany({ where: { id: { in: ids.slice(1) } }, data: { openedAt: new Date() } });
    await prisma.email.updateMany({ where: { id: { in: ids.slice(2) } }, data: { clickedAt: new Date() } });
    await execution((await workflow()).workflowId);
    expect(await getActivityStats.run(project.ctx, {})).toEqual({
      totalEvents: 2,
      totalEmailsSent: 3,
      totalEmailsOpened: 2,
      totalEmailsClicked: 1,
      totalWorkflowsStarted: 1,
      openRate: 66.67,
      clickRate: 33.33,
    });
    expect(
      await getActivityStats.run(project.ctx, {
        startDate: ago(40 * dayMs).toISOString(),
        endDate: ago(dayMs).toISOString(),
      }),
    ).toMatchObject({ totalEvents: 1, totalEmailsSent: 0, openRate: 0 });
  });

  it('of the last minutes are counted by their number', async () => {
    await store(
      { name: 'old', kind: 'CUSTOM', createdAt: ago(10 * minuteMs) },
      { name: 'new', kind: 'CUSTOM', createdAt: ago(minuteMs) },
    );
    expect(await countRecentActivity.run(project.ctx, {})).toEqual({ count: 1 });
    expect(await countRecentActivity.run(project.ctx, { minutes: 20 })).toEqual({ count: 2 });
  });
});

describe('what is upcoming', () => {
  it('are scheduled campaigns and the emails after a delay, soonest first', async () => {
    const { prisma } = test.services.database;
    const campaignId = await sendingCampaign(test.services, project.id);
    const scheduledFor = new Date(Date.now() + dayMs);
    await prisma.campaign.update({
      where: { id: campaignId },
      data: { status: 'SCHEDULED', scheduledFor, sentAt: null },
    });
    const { workflowId, delay, wait } = await workflow();
    const resumeAt = new Date(Date.now() + 3_600_000);
    const { id, contactId } = await execution(workflowId, {
      status: 'WAITING',
      currentStepId: delay,
      dueAt: resumeAt,
    });
    await execution(workflowId, { status: 'WAITING', currentStepId: wait, dueAt: resumeAt });
    await execution(workflowId, {
      status: 'WAITING',
      currentStepId: delay,
      dueAt: new Date(Date.now() + 31 * dayMs),
    });
    const { activities } = await listUpcomingActivity.run(project.ctx, {});
    expect(activities).toEqual([
      {
        id,
        type: 'workflow.email.scheduled',
        timestamp: resumeAt.toISOString(),
        contactId,
        contactEmail: expect.stringContaining('@people.test'),
        metadata: { executionId: id, workflowId, workflowName: 'Welcome', stepName: 'Tips', subject: null },
      },
      {
        id: campaignId,
        type: 'campaign.scheduled',
        timestamp: scheduledFor.toISOString(),
        metadata: {
          campaignId,
          campaignName: 'Test campaign',
          subject: 'Hello',
          totalRecipients: 0,
          segmentName: null,
          audienceType: 'ALL',
        },
      },
    ]);
    expect((await listUpcomingActivity.run(project.ctx, { limit: 1 })).activities).toHaveLength(1);
    expect((await listUpcomingActivity.run(project.ctx, { daysAhead: 40 })).activities).toHaveLength(3);
    const other = await createTestProject(test.services);
    expect((await listUpcomingActivity.run(other.ctx, {})).activities).toEqual([]);
  });
});

describe('groups of activity', () => {
  const groups = async (input: object = {}) => (await groupActivity.runRaw(project.ctx, input)).data;

  it('a flood of one campaign is one group a day, with its newest item', async () => {
    const campaignId = await sendingCampaign(test.services, project.id);
    const emails = await waitingMail(test.services, project.id, { count: 3, campaignId });
    await store(
      ...emails.map(({ id }) => ({
        name: 'email.skipped',
        kind: 'ACTIVITY' as const,
        emailId: id,
        data: { reason: 'unsubscribed' },
      })),
      { name: 'bought', kind: 'CUSTOM' },
      { name: 'sold', kind: 'CUSTOM' },
    );
    const found = await groups();
    expect(found.map(({ type, count }) => [type, count])).toEqual([
      ['event.triggered', 1],
      ['event.triggered', 1],
      ['email.skipped', 3],
    ]);
    const [, , flood] = found;
    expect(flood?.item.metadata).toMatchObject({ campaignId, reason: 'unsubscribed' });
    expect(flood?.last).toBe(flood?.item.timestamp);
    expect((await groups({ types: 'email.skipped' })).map(({ count }) => count)).toEqual([3]);
  });

  it('a group goes on under the same key on the next page', async () => {
    await store(...Array.from({ length: 5 }, () => ({ name: 'bought', kind: 'CUSTOM' as const })));
    const first = await groupActivity.runRaw(project.ctx, { limit: 3 });
    const second = await groupActivity.runRaw(project.ctx, { limit: 3, cursor: first.cursor });
    expect([first.data[0]?.count, first.hasMore]).toEqual([3, true]);
    expect([second.data[0]?.count, second.hasMore]).toEqual([2, false]);
    expect(second.data[0]?.key).toBe(first.data[0]?.key);
  });

  it('the day is that of the project', async () => {
    await store({ name: 'a', kind: 'CUSTOM', createdAt: new Date('2026-03-10T23:30:00.000Z') });
    const at = async (timeZone: string) => {
      const ctx = { ...project.ctx, project: { ...project.project, timeZone } };
      return (await groupActivity.runRaw(ctx, { startDate: '2026-03-01' })).data.map(({ day }) => day);
    };
    expect([await at('UTC'), await at('Europe/Athens')]).toEqual([['2026-03-10'], ['2026-03-11']]);
  });
});

describe('searching in activity', () => {
  it('finds what happened to people by address and name, and custom events by name, each once', async () => {
    const people = [
      ['ann@people.test', { firstName: 'Jana', lastName: 'Nováková' }],
      ['novak@people.test', {}],
      ['bob@people.test', { name: 'Bob' }],
    ] as const;
    const ids: string[] = [];
    for (const [email, data] of people)
      ids.push((await upsertContact.runRaw(project.ctx, { email, data })).id);
    const [ann = '', novak = '', bob = ''] = ids;
    const track = (event: string, email: string) =>
      trackEvent.run(project.publicCtx, { email, event, data: {} });
    await track('bought', 'ann@people.test');
    await track('novak.called', 'novak@people.test');
    await track('Novak.called', 'bob@people.test');
    await track('sold', 'bob@people.test');
    const found = async (input: object) =>
      (await listActivity.runRaw(project.ctx, input)).data.map(({ contactId, metadata }) => [
        contactId,
        metadata['eventName'],
      ]);
    expect(await found({ text: 'novak' })).toEqual([
      [bob, 'Novak.called'],
      [novak, 'novak.called'],
      [ann, 'bought'],
    ]);
    expect(await found({ text: 'novak', contactId: ann })).toEqual([[ann, 'bought']]);
    expect(await found({ text: 'novak', types: 'email.sent' })).toEqual([]);
    expect(await found({ text: 'nobody' })).toEqual([]);
    const first = await listActivity.runRaw(project.ctx, { text: 'novak', limit: 2 });
    const second = await listActivity.runRaw(project.ctx, { text: 'novak', limit: 2, cursor: first.cursor });
    expect([first.data.length, second.data.length]).toEqual([2, 1]);
    const other = await createTestProject(test.services);
    expect((await listActivity.runRaw(other.ctx, { text: 'novak' })).data).toEqual([]);
  });
});
