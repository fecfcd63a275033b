import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Prisma } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import { getUsageOfTemplates } from '../../content/templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { storeInteractions } from '../tracking/interactions.store.ts';
import { createEmailSweep } from './expire-emails.ts';
import { listEmails } from './list-emails.ts';
import { foldTallies } from './tally/fold-tallies.ts';

const dayMs = 86_400_000;
const now = new Date();
const daysAgo = (count: number): Date => new Date(now.getTime() - count * dayMs);

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices({ env: { EMAIL_DAYS: '400' } });
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const prisma = () => test.services.database.prisma;

async function content(createdAt: Date): Promise<string> {
  const id = newId();
  await prisma().content.create({
    data: {
      ...{ id, projectId: project.id, hash: Uint8Array.from(Buffer.from(id)), createdAt },
      ...{ type: 'TRANSACTIONAL', sourceType: 'TRANSACTIONAL', subject: 'Hi', body: '<p>Hi</p>' },
      ...{ from: 'shop@mail.test', projectName: 'Shop' },
    },
  });
  return id;
}

/** An email that was created so many days ago, and sent at once unless `more` says otherwise. */
async function email(days: number, more: Partial<Prisma.EmailCreateManyInput> = {}): Promise<string> {
  const id = newId();
  const at = daysAgo(days);
  await prisma().email.create({
    data: {
      ...{ id, projectId: project.id, to: `${id}@people.test`, contentId: newId() },
      ...{ type: 'TRANSACTIONAL', sourceType: 'TRANSACTIONAL', status: 'SENT' },
      ...{ sentAt: at, createdAt: at, updatedAt: at },
      ...more,
    },
  });
  return id;
}

const unsent = { sentAt: null };

const stored = async (): Promise<string[]> =>
  (await prisma().email.findMany({ where: { projectId: project.id }, select: { id: true } }))
    .map(({ id }) => id)
    .sort();

async function sweep(limit = 3, services = test.services): Promise<number> {
  const { prepare, remove } = createEmailSweep();
  await prepare();
  let removed = 0;
  for (let last = 1; last > 0; removed += last) last = await remove(services, now, limit);
  return removed;
}

describe('emails that are older than EMAIL_DAYS', () => {
  it('are removed in pieces, whatever their project, and younger ones stay', async () => {
    for (let n = 0; n < 8; n += 1) await email(401 + n);
    const kept = [await email(399), await email(0)].sort();
    const first = project;
    project = await createTestProject(test.services);
    await email(450, { ...unsent, status: 'FAILED', error: 'no' });
    await email(450, { ...unsent, status: 'SKIPPED', reason: 'suppressed' });
    await email(450, { ...unsent, status: 'UNCERTAIN' });
    await email(450, { ...unsent, status: 'BOUNCED', bouncedAt: daysAgo(450) });
    expect(await sweep()).toBe(12);
    expect(await stored()).toEqual([]);
    project = first;
    expect(await stored()).toEqual(kept);
    expect(await sweep()).toBe(0);
  });

  it('stay for ever without it', async () => {
    const id = await email(5_000);
    const { config } = test.services;
    expect(await sweep(3, { ...test.services, config: { ...config, EMAIL_DAYS: undefined } })).toBe(0);
    expect(await stored()).toEqual([id]);
    expect(await sweep()).toBe(1);
  });

  it('stay while something of them is still to be done, and are in the way of no others', async () => {
    const messageId = newId();
    const executionId = newId();
    await prisma().workflowExecution.create({
      data: {
        ...{ id: executionId, projectId: project.id, workflowId: newId(), contactId: newId() },
        ...{ status: 'WAITING', dueAt: null, createdAt: daysAgo(600) },
      },
    });
    const kept = [
      await email(600, { ...unsent, status: 'PENDING', batchId: newId() }),
      await email(600, { ...unsent, status: 'PENDING', scheduledAt: daysAgo(-1), batchId: newId() }),
      await email(600, { ...unsent, status: 'UNCERTAIN', batchId: newId() }),
      // It was held back, and sent a day ago.
      await email(600, { sentAt: daysAgo(1) }),
      await email(600, { ...unsent, status: 'FAILED', updatedAt: daysAgo(1) }),
      // Another recipient of the message has not got it.
      await email(600, { sharedMessageId: messageId }),
      await email(600, { ...unsent, status: 'PENDING', sharedMessageId: messageId, batchId: newId() }),
      await email(600, { sourceType: 'WORKFLOW', workflowExecutionId: executionId }),
    ].sort();
    for (let n = 0; n < 4; n += 1) await email(500);
    expect(await sweep(2)).toBe(4);
    expect(await stored()).toEqual(kept);
    await prisma().workflowExecution.update({
      where: { id: executionId },
      data: { status: 'COMPLETED', completedAt: now },
    });
    await prisma().email.updateMany({
      where: { sharedMessageId: messageId },
      data: { status: 'SENT', batchId: null, sentAt: daysAgo(599) },
    });
    expect(await sweep(2)).toBe(3);
  });

  it('are left for the next run while somebody else works on them', async () => {
    const locked = await email(500);
    await email(500);
    await prisma().$transaction(async (db) => {
      await db.$queryRaw`SELECT FROM "Email" WHERE "id" = ${locked}::uuid FOR UPDATE`;
      expect(await sweep()).toBe(1);
    });
    expect(await stored()).toEqual([locked]);
    expect(await sweep()).toBe(1);
  });

  it('take with them what belongs to them alone', async () => {
    const make = async (days: number) => {
      const at = daysAgo(days);
      const contentId = await content(at);
      const id = await email(days, { contentId, tags: ['order'] });
      await email(days, { contentId });
      await prisma().emailTag.create({
        data: { projectId: project.id, tag: 'order', createdAt: at, emailId: id },
      });
      await prisma().interaction.create({
        data: { id: newId(), projectId: project.id, emailId: id, type: 'open', at },
      });
      await prisma().messageSource.create({
        data: { emailId: id, projectId: project.id, size: 1, bytes: Uint8Array.of(1), createdAt: at },
      });
      await prisma().simulatorTask.create({
        data: { id: newId(), projectId: project.id, emailId: id, kind: 'open', dueAt: now },
      });
      await prisma().recentClick.create({
        data: { id: newId(), emailId: id, link: 'https://a.test', client: '', device: '', times: 1, at },
      });
      return contentId;
    };
    await make(500);
    const kept = await make(10);
    // One that older and younger emails share stays.
    const shared = await content(daysAgo(401));
    await email(401, { contentId: shared });
    await email(399, { contentId: shared });
    await sweep();
    const ofProject = { where: { projectId: project.id } };
    expect([
      await prisma().email.count(ofProject),
      await prisma().emailTag.count(ofProject),
      await prisma().interaction.count(ofProject),
      await prisma().messageSource.count(ofProject),
      await prisma().simulatorTask.count(ofProject),
      await prisma().recentClick.count(),
    ]).toEqual([3, 1, 1, 1, 1, 1]);
    const contents = await prisma().content.findMany({ ...ofProject, select: { id: true } });
    expect(contents.map(({ id }) => id).sort()).toEqual([kept, shared].sort());
  });
});

describe('what is known of removed emails', () => {
  it('is what they did, in figures and for their templates; lists have those that are there', async () => {
    const templateId = newId();
    await prisma().template.create({
      data: {
        ...{ id: templateId, projectId: project.id, name: 'Order', subject: 'S', body: 'B' },
        ...{ from: 'shop@mail.test', type: 'TRANSACTIONAL', updatedAt: now },
      },
    });
    for (const days of [500, 500, 401, 10]) await email(days, { templateId });
    await email(500, { ...unsent, templateId, status: 'FAILED' });
    await foldTallies(test.services);
    const figures = () => prisma().figureEntry.count({ where: { projectId: project.id } });
    const before = await figures();
    const usage = async () =>
      (await getUsageOfTemplates.run(project.ctx, { ids: [templateId] }))[0]?.usage.emailsSent;
    expect(await usage()).toBe(4);
    expect((await listEmails.run(project.ctx, {})).total).toBe(5);
    await sweep();
    expect(await usage()).toBe(4);
    expect(await figures()).toBe(before);
    for (const status of [undefined, 'SENT'] as const)
      expect((await listEmails.run(project.ctx, { ...(status && { status }) })).total).toBe(1);
    await foldTallies(test.services);
    expect((await listEmails.run(project.ctx, {})).total).toBe(1);
  });

  it('is nothing by their ids: opens and clicks of them are ignored', async () => {
    const id = await email(500);
    await sweep();
    const open = { id: newId(), type: 'open' as const, emailId: id, link: null, bot: false };
    await storeInteractions(test.services.database.grouped, [
      { ...open, client: '', device: '', receivedAt: performance.now(), times: 1 },
    ]);
    expect(await prisma().interaction.count({ where: { emailId: id } })).toBe(0);
  });
});
