import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { deleteContact } from '../delete-contact.ts';
import { getContactBulkJob, getContactImport } from '../jobs/get-job.ts';
import { lookupContacts } from '../lookup-contacts.ts';
import { endSnoozes } from '../subscriptions.store.ts';
import { updateContact } from '../update-contact.ts';
import { upsertContact } from '../upsert-contact.ts';
import { bulkDeleteContacts, bulkSubscribeContacts, bulkUnsubscribeContacts } from './bulk-change.ts';
import { runBulkBatch, takeBatch } from './run-bulk-change.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const prisma = () => test.services.database.prisma;
const add = (input: object = {}) =>
  upsertContact.run(project.ctx, { email: `${newId()}@people.test`, ...input });
const update = (id: string, input: object) => updateContact.run(project.ctx, { id, ...input });
const eventsOf = async (contactId: string) =>
  (await prisma().event.findMany({ where: { contactId }, orderBy: { id: 'asc' } })).map(({ name, data }) => [
    name,
    data,
  ]);

describe('changing a contact', () => {
  it('merges data key by key, ignores blanks, removes null values and drops reserved keys', async () => {
    const { id } = await add({ data: { a: 1, b: 'x', c: true } });
    const changed = await update(id, { data: { a: null, b: '', d: 2, email: 'x', c: false } });
    expect(changed.data).toEqual({ b: 'x', c: false, d: 2 });
    expect((await update(id, { data: null })).data).toEqual({});
    expect((await update(id, {})).data).toEqual({});
  });

  it.each([
    [{ data: [1] }, 'data', 'invalid_type'],
    [{ data: 'text' }, 'data', 'invalid_type'],
    [{ data: { a: [1] } }, 'data.a', 'invalid_type'],
    [{ data: { locale: ['en'] } }, 'data.locale', 'invalid_type'],
    [{ data: { a: 'x'.repeat(70_000) } }, 'data', 'too_big'],
    [{ email: 'nobody' }, 'email', 'invalid_string'],
    [{ subscribed: 'yes' }, 'subscribed', 'invalid_type'],
  ])('refuses %j', async (input, field, code) => {
    const { id } = await add();
    await expect(update(id, input)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field, code }],
    });
  });

  it('refuses data that would be too large together with the stored data', async () => {
    const { id } = await add({ data: { a: 'x'.repeat(40_000) } });
    await expect(update(id, { data: { b: 'x'.repeat(40_000) } })).rejects.toMatchObject({
      errors: [{ field: 'data', code: 'too_big' }],
    });
  });

  it('emits one event per subscription change, and ends a snooze with every write of the subscription', async () => {
    const { id } = await add();
    await update(id, { subscribed: false });
    await update(id, { subscribed: false });
    await prisma().contact.update({
      where: { id },
      data: { snoozedUntil: new Date('2030-01-01'), consentSeq: 1n },
    });
    expect((await update(id, { data: { a: 1 } })).snoozedUntil).not.toBeNull();
    expect((await update(id, { subscribed: false })).snoozedUntil).toBeNull();
    expect(await eventsOf(id)).toEqual([['contact.unsubscribed', { reason: 'api' }]]);
  });

  it('accepts an unused address, and refuses that of another contact of the project', async () => {
    const [mine, other] = [await add(), await add()];
    expect((await update(mine.id, { email: ' NEW@People.test ' })).email).toBe('new@people.test');
    expect((await update(mine.id, { email: 'new@people.test' })).email).toBe('new@people.test');
    await expect(update(mine.id, { email: other.email })).rejects.toMatchObject({ code: 'CONFLICT' });
    const foreign = await upsertContact.run((await createTestProject(test.services)).ctx, {
      email: 'their@a.test',
    });
    expect((await update(mine.id, { email: foreign.email })).email).toBe('their@a.test');
  });

  it('keeps an opt-out with its address', async () => {
    const gone = await add({ subscribed: false });
    await update(gone.id, { email: 'elsewhere@people.test' });
    expect((await add({ email: gone.email })).subscribed).toBe(false);
    const left = await add({ subscribed: false });
    await deleteContact.run(project.ctx, { id: left.id });
    const other = await add();
    expect((await update(other.id, { email: left.email })).subscribed).toBe(false);
    expect(await eventsOf(other.id)).toEqual([['contact.unsubscribed', { reason: 'api' }]]);
  });

  it('of another project or unknown is 404', async () => {
    const { id } = await add();
    const { ctx } = await createTestProject(test.services);
    await expect(updateContact.run(ctx, { id })).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' });
    await expect(deleteContact.run(ctx, { id })).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' });
    await expect(update(newId(), {})).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' });
  });
});

describe('deleting a contact', () => {
  async function mailTo(contactId: string, held: boolean) {
    const contentId = newId();
    await prisma().content.create({
      data: {
        id: contentId,
        projectId: project.id,
        hash: Uint8Array.from(Buffer.from(contentId)),
        type: 'MARKETING',
        sourceType: 'CAMPAIGN',
        subject: 'Hi',
        body: 'Hi',
        from: 'a@b.test',
        projectName: 'Test',
      },
    });
    const campaignId = newId();
    await prisma().campaignCounter.create({ data: { campaignId, projectId: project.id } });
    const [id, batchId] = [newId(), newId()];
    await prisma().email.create({
      data: {
        id,
        batchId,
        projectId: project.id,
        contactId,
        to: 'x@people.test',
        toName: 'X',
        type: 'MARKETING',
        sourceType: 'CAMPAIGN',
        contentId,
        campaignId,
        vars: { secret: 1 },
      },
    });
    await prisma().deliveryBatch.create({
      data: {
        id: batchId,
        projectId: project.id,
        priority: 4,
        campaignId,
        token: held ? newId() : null,
        emailIds: [id],
      },
    });
    return { id, campaignId };
  }
  const emailOf = (id: string) => prisma().email.findUniqueOrThrow({ where: { id } });

  it('skips and counts waiting email, and leaves claimed email to its worker', async () => {
    const { id } = await add();
    const [waiting, held] = [await mailTo(id, false), await mailTo(id, true)];
    await deleteContact.run(project.ctx, { id });
    const erased = { contactId: null, to: '', toName: null, vars: null };
    expect(await emailOf(waiting.id)).toMatchObject({
      ...erased,
      status: 'SKIPPED',
      reason: 'cancelled',
      batchId: null,
    });
    expect(await emailOf(held.id)).toMatchObject({
      ...erased,
      status: 'PENDING',
      reason: null,
      batchId: expect.any(String),
    });
    const counters = await prisma().campaignCounter.findMany({ where: { projectId: project.id } });
    expect(Object.fromEntries(counters.map((row) => [row.campaignId, row.skippedCount]))).toEqual({
      [waiting.campaignId]: 1,
      [held.campaignId]: 0,
    });
  });

  it('leaves waiting email that may have been delivered UNCERTAIN', async () => {
    const { id } = await add();
    const mail = await mailTo(id, false);
    await prisma().email.update({ where: { id: mail.id }, data: { uncertainAt: new Date() } });
    await deleteContact.run(project.ctx, { id });
    expect(await emailOf(mail.id)).toMatchObject({ contactId: null, status: 'UNCERTAIN', batchId: null });
    expect(
      await prisma().campaignCounter.findUnique({ where: { campaignId: mail.campaignId } }),
    ).toMatchObject({ skippedCount: 0, uncertainCount: 1 });
  });

  it('removes its own events, memberships and executions only', async () => {
    const [mine, other] = [await add(), await add()];
    const segmentId = newId();
    await prisma().segment.create({
      data: { id: segmentId, projectId: project.id, name: 'S', slug: 's', type: 'STATIC', memberCount: 2 },
    });
    for (const { id } of [mine, other]) {
      await update(id, { subscribed: false });
      await prisma().segmentMembership.create({ data: { projectId: project.id, segmentId, contactId: id } });
      await prisma().workflowExecution.create({
        data: { id: newId(), projectId: project.id, workflowId: newId(), contactId: id },
      });
    }
    await deleteContact.run(project.ctx, { id: mine.id });
    const where = { projectId: project.id };
    expect((await prisma().event.findMany({ where })).map(({ contactId }) => contactId)).toEqual([other.id]);
    expect(await prisma().segmentMembership.findMany({ where })).toMatchObject([{ contactId: other.id }]);
    expect(await prisma().workflowExecution.findMany({ where })).toMatchObject([{ contactId: other.id }]);
    expect(await prisma().segment.findUnique({ where: { id: segmentId } })).toMatchObject({ memberCount: 1 });
  });

  it('keeps the opt-out until the address is explicitly subscribed', async () => {
    const { id, email } = await add({ subscribed: false });
    await deleteContact.run(project.ctx, { id });
    expect((await add({ email })).subscribed).toBe(false);
    expect((await add({ email, subscribed: true })).subscribed).toBe(true);
  });
});

it('a look-up by address keeps the caller’s spelling and order', async () => {
  await add({ email: 'a@people.test' });
  await add({ email: 'b@people.test' });
  const emails = ['nobody@people.test', ' B@people.test', 'nonsense', 'A@PEOPLE.test', 'b@people.test'];
  expect(await lookupContacts.run(project.ctx, { emails })).toMatchObject({
    found: [' B@people.test', 'A@PEOPLE.test', 'b@people.test'],
    notFound: ['nobody@people.test', 'nonsense'],
  });
});

describe('a bulk change', () => {
  async function run(jobId: string) {
    while (await runBulkBatch(test.services, jobId));
    return getContactBulkJob.run(project.ctx, { jobId });
  }

  it('by ids changes subscriptions with events, skips unchanged contacts, and counts unknown ids as failures', async () => {
    const [on, off, foreign] = [
      await add(),
      await add({ subscribed: false }),
      await upsertContact.run((await createTestProject(test.services)).ctx, { email: 'f@people.test' }),
    ];
    const { jobId } = await bulkUnsubscribeContacts.run(project.ctx, {
      contactIds: [on.id, off.id, foreign.id],
    });
    expect(await getContactBulkJob.run(project.ctx, { jobId })).toMatchObject({
      state: 'waiting',
      result: null,
    });
    expect(await run(jobId)).toMatchObject({
      state: 'completed',
      progress: 100,
      failedReason: null,
      completedAt: expect.any(String),
      result: {
        operation: 'unsubscribe',
        totalRequested: 3,
        successCount: 1,
        unchangedCount: 1,
        failureCount: 1,
        errors: [{ contactId: foreign.id, email: null, error: 'Contact not found' }],
      },
    });
    expect(await eventsOf(on.id)).toEqual([['contact.unsubscribed', { reason: 'bulk' }]]);
    expect(await eventsOf(off.id)).toEqual([]);
    expect(await runBulkBatch(test.services, jobId)).toBe(false);
  });

  it('by query selects those that match at the time of the call, except excluded ones', async () => {
    const all = [];
    for (const name of ['keep-1', 'drop-1', 'drop-2', 'drop-3'])
      all.push(await add({ email: `${name}@people.test`, subscribed: name !== 'drop-3' }));
    const { jobId } = await bulkDeleteContacts.runRaw(project.ctx, {
      mode: 'query',
      filter: { search: 'DROP', subscribed: true },
      excludeIds: [all[2]?.id],
    });
    await add({ email: 'drop-4@people.test' });
    expect((await run(jobId)).result).toMatchObject({ totalRequested: 1, successCount: 1, failureCount: 0 });
    expect(await prisma().contact.count({ where: { projectId: project.id } })).toBe(4);
  });

  it('continues where it stopped, over several batches', async () => {
    await prisma().contact.createMany({
      data: Array.from({ length: 2_500 }, (_, index) => ({
        id: newId(),
        projectId: project.id,
        email: `n${index}@people.test`,
        subscribed: false,
      })),
    });
    const { jobId } = await bulkSubscribeContacts.run(project.ctx, { mode: 'query', filter: {} });
    expect(await runBulkBatch(test.services, jobId)).toBe(true);
    expect(await getContactBulkJob.run(project.ctx, { jobId })).toMatchObject({
      state: 'active',
      progress: 40,
    });
    const both = await Promise.all([runBulkBatch(test.services, jobId), runBulkBatch(test.services, jobId)]);
    expect(both).toEqual([true, false]);
    expect((await run(jobId)).result).toMatchObject({ totalRequested: 2_500, successCount: 2_500 });
    expect(await prisma().event.count({ where: { projectId: project.id } })).toBe(2_500);
  });

  describe('by query in a project whose contacts are not all listed with the request', () => {
    /** Of 10,030 contacts 30 match, of which the request lists the first five. */
    async function fill() {
      await test.services.database.durable.query(
        `INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "createdAt")
         SELECT uuid7(), $1, CASE WHEN n < 5 OR n >= 10005 THEN 'pick' ELSE 'other' END || n || '@people.test', n <> 10006,
           now() - interval '1 day' + n * interval '1 ms'
         FROM generate_series(0, 10029) n`,
        [project.id],
      );
    }
    const idOf = async (n: number) =>
      (
        await prisma().contact.findFirstOrThrow({
          where: { projectId: project.id, email: `pick${n}@people.test` },
        })
      ).id;
    const subscribed = async () =>
      (
        await prisma().contact.findMany({
          where: { projectId: project.id, email: { startsWith: 'pick' }, subscribed: true },
        })
      )
        .map(({ email }) => email)
        .toSorted();
    const select = async (input: object = {}) =>
      (
        await bulkUnsubscribeContacts.runRaw(project.ctx, {
          mode: 'query',
          filter: { search: 'PICK', subscribed: true },
          ...input,
        })
      ).jobId;

    it('selects those that matched at the time of the call, whatever happens before its list is complete', async () => {
      await fill();
      const jobId = await select({ excludeIds: [await idOf(1), await idOf(10_010)] });
      expect(await prisma().jobContact.count({ where: { jobId } })).toBe(4);
      await update(await idOf(10_007), { subscribed: false });
      await update(await idOf(10_008), { subscribed: false });
      await update(await idOf(10_008), { subscribed: true });
      await update(await idOf(10_006), { subscribed: true });
      await add({ email: 'pick-later@people.test' });
      expect(await getContactBulkJob.run(project.ctx, { jobId })).toMatchObject({
        state: 'waiting',
        progress: 0,
      });
      expect(await run(jobId)).toMatchObject({
        state: 'completed',
        result: { totalRequested: 27, successCount: 26, unchangedCount: 1, failureCount: 0 },
      });
      expect(await subscribed()).toEqual([
        'pick-later@people.test',
        'pick10006@people.test',
        'pick10010@people.test',
        'pick1@people.test',
      ]);
    });

    it('loses and repeats nothing when a process ends while it takes the list down', async () => {
      await fill();
      const jobId = await select();
      const { prisma: client } = test.services.database;
      const killed = client.$transaction(async (db) => {
        expect(await takeBatch(test.services, db, jobId)).toMatchObject({ more: true });
        expect(await db.jobContact.count({ where: { jobId } })).toBe(29);
        throw new Error('killed');
      });
      await expect(killed).rejects.toThrow('killed');
      expect(await prisma().jobContact.count({ where: { jobId } })).toBe(5);
      // A worker that was taken for dead is still at it.
      await Promise.all([runBulkBatch(test.services, jobId), runBulkBatch(test.services, jobId)]);
      expect((await run(jobId)).result).toMatchObject({ totalRequested: 29, successCount: 29 });
      expect(await subscribed()).toEqual([]);
    });

    it('keeps what it searched for only until its list is complete', async () => {
      await fill();
      const jobId = await select();
      expect(await prisma().jobFile.count({ where: { jobId } })).toBe(1);
      const { input } = await prisma().job.findUniqueOrThrow({ where: { id: jobId } });
      expect(JSON.stringify(input)).not.toContain('PICK');
      await runBulkBatch(test.services, jobId);
      expect(await prisma().jobFile.count({ where: { jobId } })).toBe(0);
    });
  });

  it('is not found by other projects or as an import', async () => {
    const { jobId } = await bulkSubscribeContacts.run(project.ctx, { contactIds: [newId()] });
    const { ctx } = await createTestProject(test.services);
    const refused = { code: 'RESOURCE_NOT_FOUND' };
    await expect(getContactBulkJob.run(ctx, { jobId })).rejects.toMatchObject(refused);
    await expect(getContactImport.run(project.ctx, { jobId })).rejects.toMatchObject(refused);
    await expect(getContactBulkJob.run(project.ctx, { jobId: 'x' })).rejects.toMatchObject(refused);
  });

  it.each([
    {},
    { contactIds: [] },
    { contactIds: ['x'] },
    { contactIds: Array.from({ length: 1_001 }, newId) },
    { mode: 'all' },
    { mode: 'ids' },
    { mode: 'query' },
    { mode: 'query', filter: { subscribed: 'yes' } },
    { mode: 'query', filter: { search: 'x'.repeat(256) } },
    { mode: 'query', filter: {}, excludeIds: Array.from({ length: 10_001 }, newId) },
  ])('refuses what fits no form (%#)', async (input) => {
    await expect(bulkDeleteContacts.runRaw(project.ctx, input)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

it('a snooze that has ended resubscribes with an event; one that has not continues', async () => {
  const [over, on] = [await add({ subscribed: false }), await add({ subscribed: false })];
  const until = (id: string, snoozedUntil: Date) =>
    prisma().contact.update({ where: { id }, data: { snoozedUntil, consentSeq: 1n } });
  await until(over.id, new Date(Date.now() - 1_000));
  await until(on.id, new Date(Date.now() + 60_000));
  expect(await endSnoozes(prisma(), new Date(), 100)).toEqual({ projectIds: [project.id], ended: 1 });
  expect(await prisma().contact.findUnique({ where: { id: over.id } })).toMatchObject({
    subscribed: true,
    snoozedUntil: null,
  });
  expect(await eventsOf(over.id)).toEqual([['contact.subscribed', { reason: 'snooze_ended' }]]);
  expect(await eventsOf(on.id)).toEqual([]);
});
