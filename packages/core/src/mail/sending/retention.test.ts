import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseContacts } from '../../audience/contacts/erase.store.ts';
import { cachedFigure, sweepFigures } from '../../base/figures/index.ts';
import { type Services, TaskLimitError, ThreadsUnavailableError } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { firstIdOf } from '../ledger/retention.rules.ts';
import { findFixedLink } from './fixed-links.ts';
import {
  keepNeededBlobs,
  sweepAttachments,
  sweepContents,
  sweepErasedContents,
  sweepNotices,
} from './retention.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
});
afterAll(() => test.close());

const day = 86_400_000;
const prisma = () => test.services.database.prisma;
const bytes = (text: string) => Uint8Array.from(Buffer.from(text));

async function content(
  createdAt: Date,
  sourceType: 'TRANSACTIONAL' | 'CAMPAIGN' | 'TEST',
  attachments: object[] = [],
): Promise<string> {
  const id = newId();
  await prisma().content.create({
    data: {
      id,
      projectId: project.id,
      hash: bytes(id),
      type: 'TRANSACTIONAL',
      sourceType,
      subject: 'Hi',
      body: '<a href="https://one.test/">one</a>',
      from: 'a@b.test',
      projectName: 'Test',
      createdAt,
      attachments,
    },
  });
  return id;
}

/** An email of that time that is still waiting. */
async function openEmail(at: Date, contentId: string): Promise<void> {
  const id = firstIdOf(at).slice(0, 24) + newId().slice(24);
  const batchId = newId();
  await prisma().email.create({
    data: {
      id,
      projectId: project.id,
      to: 'x@a.test',
      type: 'TRANSACTIONAL',
      sourceType: 'TRANSACTIONAL',
      contentId,
      batchId,
      createdAt: at,
    },
  });
  await prisma().deliveryBatch.create({
    data: { id: batchId, projectId: project.id, priority: 1, emailIds: [id] },
  });
}

it('content is cleared after its time, except for campaigns and open email, and links keep working', async () => {
  const now = new Date();
  const old = new Date(now.getTime() - 100 * day);
  const ids = {
    old: await content(old, 'TRANSACTIONAL'),
    test: await content(old, 'TEST'),
    campaign: await content(old, 'CAMPAIGN'),
    young: await content(new Date(now.getTime() - 95 * day), 'TRANSACTIONAL'),
    open: await content(old, 'TRANSACTIONAL'),
  };
  await openEmail(old, ids.open);
  expect(await sweepContents(test.services, now, 100)).toBe(2);
  expect(await sweepContents(test.services, now, 100)).toBe(0);
  const kept = await prisma().content.findMany({ where: { body: { not: null } }, select: { id: true } });
  expect(new Set(kept.map(({ id }) => id))).toEqual(new Set([ids.campaign, ids.young, ids.open]));
  expect(await findFixedLink(test.services, ids.old, 0)).toBe('https://one.test/');
});

it('one of many contents that reaches a limit, or that no message can be made of, keeps no other from its links', async () => {
  const now = new Date();
  const old = new Date(now.getTime() - 100 * day);
  const ids: string[] = [];
  for (let n = 0; n < 130; n += 1) ids.push(await content(old, 'TRANSACTIONAL'));
  await prisma()
    .$executeRaw`UPDATE "Content" SET "body" = '<a href="https://n.test/' || "id" || '">it</a>' WHERE "id" = ANY(${ids}::uuid[])`;
  const [slow = '', broken = ''] = ids.slice(40);
  await prisma().content.update({ where: { id: slow }, data: { subject: 'slow' } });
  await prisma().content.update({
    where: { id: broken },
    data: { body: '{% if %}<a href="https://n.test/">it</a>' },
  });
  const { threads } = test.services;
  const limited: Services['threads'] = {
    ...{
      isSlow: (projectId) => threads.isSlow(projectId),
      start: () => threads.start(),
      close: () => threads.close(),
    },
    ...{ wake: (...given) => threads.wake(...given), release: (...given) => threads.release(...given) },
    run: (task, input, options) =>
      JSON.stringify(input).includes('"slow"')
        ? Promise.reject(new TaskLimitError('time'))
        : threads.run(task, input, options),
  };
  expect(await sweepContents({ ...test.services, threads: limited }, now, 1_000)).toBe(130);
  const cleared = await prisma().content.findMany({ where: { id: { in: ids } } });
  expect(cleared.filter(({ body }) => body !== null)).toEqual([]);
  expect(Object.fromEntries(cleared.map(({ id, links }) => [id, links]))).toEqual(
    Object.fromEntries(ids.map((id) => [id, id === slow || id === broken ? [] : [`https://n.test/${id}`]])),
  );
});

it('while no thread can run, no content is cleared, and a link does not seem unknown', async () => {
  const now = new Date();
  const id = await content(new Date(now.getTime() - 100 * day), 'TRANSACTIONAL');
  const { threads } = test.services;
  const away: Services['threads'] = {
    ...{ isSlow: () => false, start: () => threads.start(), close: () => threads.close() },
    ...{ wake: () => threads.wake(), release: () => threads.release() },
    run: () => Promise.reject(new ThreadsUnavailableError(new Error('EAGAIN'))),
  };
  const without = { ...test.services, threads: away };
  await expect(sweepContents(without, now, 1_000)).rejects.toThrow(ThreadsUnavailableError);
  await expect(findFixedLink(without, id, 0)).rejects.toThrow(ThreadsUnavailableError);
  expect(await sweepContents(test.services, now, 1_000)).toBe(1);
  expect(await findFixedLink(test.services, id, 0)).toBe('https://one.test/');
});

describe('the texts of an erased contact', () => {
  const made = new Date(Date.now() - 2 * day);
  const later = new Date(made.getTime() + 8 * day + 1);

  async function mailed(contentId: string, error: string | null = null): Promise<string> {
    const contact = await prisma().contact.create({
      data: { id: newId(), projectId: project.id, email: `${newId()}@erased.test` },
    });
    await prisma().email.create({
      data: {
        id: newId(),
        projectId: project.id,
        contactId: contact.id,
        to: contact.email,
        type: 'TRANSACTIONAL',
        sourceType: 'TRANSACTIONAL',
        status: error === null ? 'SENT' : 'FAILED',
        error,
        contentId,
        createdAt: made,
      },
    });
    return contact.id;
  }
  const erase = (...ids: string[]) =>
    prisma().$transaction((db) => eraseContacts(db, test.services.secrets, project.id, ids));
  const stored = (id: string) =>
    prisma().content.findUniqueOrThrow({
      where: { id },
      select: { subject: true, body: true, headers: true, eraseAt: true },
    });

  it('are cleared once no request can share them, unless somebody else got them', async () => {
    const [own, shared] = [await content(made, 'TRANSACTIONAL'), await content(made, 'TRANSACTIONAL')];
    const erased = await mailed(own);
    const [first, second] = [await mailed(shared), await mailed(shared)];
    await erase(erased, first);
    const eraseAt = new Date(made.getTime() + 8 * day);
    expect(await stored(own)).toMatchObject({ subject: 'Hi', eraseAt });
    expect(await sweepErasedContents(test.services, new Date(eraseAt.getTime() - 1), 100)).toBe(0);
    expect(await sweepErasedContents(test.services, later, 100)).toBe(2);
    expect(await sweepErasedContents(test.services, later, 100)).toBe(0);
    expect(await stored(own)).toEqual({ subject: '', body: null, headers: {}, eraseAt: null });
    expect(await findFixedLink(test.services, own, 0)).toBe('https://one.test/');
    expect(await stored(shared)).toMatchObject({ subject: 'Hi', body: expect.any(String), eraseAt: null });
    await erase(second);
    expect(await sweepErasedContents(test.services, later, 100)).toBe(1);
    expect(await stored(shared)).toEqual({ subject: '', body: null, headers: {}, eraseAt: null });
  });

  it('include the replies of mail servers, which name the address', async () => {
    const id = await mailed(await content(made, 'TRANSACTIONAL'), '550 5.1.1 <gone@erased.test> unknown');
    const where = { contactId: id };
    const email = await prisma().email.findFirstOrThrow({ where });
    await erase(id);
    expect(await prisma().email.findUniqueOrThrow({ where: { id: email.id } })).toMatchObject({
      contactId: null,
      to: '',
      error: null,
    });
  });
});

describe('attachments', () => {
  const hour = 3_600_000;
  const item = { filename: 'a', contentType: 'text/plain', contentId: null, disposition: 'attachment' };
  /** The sweeps of every hour between two times. */
  async function sweepHourly(from: number, to: number): Promise<void> {
    for (let at = from; at <= to; at += hour) {
      await keepNeededBlobs(test.services, new Date(at));
      while ((await sweepAttachments(test.services, new Date(at), 100)) > 0);
    }
  }
  const names = async () => {
    const left = await prisma().blob.findMany({ orderBy: { hash: 'asc' } });
    return left.map(({ hash }) => Buffer.from(hash).toString());
  };
  /** A blob that is stored now, with an email that uses it. */
  async function attached(name: string, emailAt: number): Promise<void> {
    await prisma().blob.create({
      data: { projectId: project.id, hash: bytes(name), size: 1, bytes: bytes('x') },
    });
    const attachment = { ...item, blob: Buffer.from(name).toString('hex') };
    await openEmail(new Date(emailAt), await content(new Date(), 'TRANSACTIONAL', [attachment]));
  }

  it('are kept for 24 hours after the last email that needs them has left, and not for ever', async () => {
    const now = Date.now();
    // Emails share the attachments of a day.
    const lastShared = now + 23 * hour;
    await attached('late', lastShared);
    await attached('prompt', lastShared);
    const settle = (hash: string) => prisma().$executeRaw`
      WITH gone AS (
        UPDATE "Email" e SET "batchId" = NULL FROM "Content" c
        WHERE c."id" = e."contentId" AND c."attachments" #>> '{0,blob}' = ${Buffer.from(hash).toString('hex')} RETURNING e."id")
      DELETE FROM "DeliveryBatch" b USING gone WHERE b."emailIds" = ARRAY[gone."id"]`;
    // This one leaves before any sweep sees it waiting.
    await sweepHourly(now, lastShared + hour);
    await settle('prompt');
    await sweepHourly(lastShared + hour, lastShared + 25 * hour);
    expect(await names()).toEqual(['late', 'prompt']);
    const left = now + 10 * day;
    await sweepHourly(lastShared + 26 * hour, left);
    expect(await names()).toEqual(['late']);
    await settle('late');
    await sweepHourly(left + hour, left + day);
    expect(await names()).toEqual(['late']);
    await sweepHourly(left + day, left + 3 * day);
    expect(await names()).toEqual([]);
  });

  it('are found in a queue of several pages', async () => {
    const at = Date.now();
    await attached('paged', at);
    await prisma().$executeRaw`
      INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "emailIds")
      SELECT (${firstIdOf(new Date(at - day)).slice(0, 24)} || lpad(n::text, 12, '0'))::uuid, ${project.id}::uuid, 1, '{}' FROM generate_series(1, 1000) n`;
    await keepNeededBlobs(test.services, new Date(at + 40 * hour));
    const [blob] = await prisma().blob.findMany({ select: { keptUntil: true } });
    expect(blob?.keptUntil).toEqual(new Date(at + 40 * hour + 2 * day));
  });
});

it('the keys of applied reports are kept for 90 days', async () => {
  const now = new Date();
  const ago = (days: number) => new Date(now.getTime() - days * day);
  await prisma().providerNotice.createMany({
    data: [
      { id: 'retention/old', createdAt: ago(91) },
      { id: 'retention/older', createdAt: ago(120) },
      { id: 'retention/recent', createdAt: ago(89) },
    ],
  });
  expect(await sweepNotices(test.services, now, 1)).toBe(1);
  expect(await sweepNotices(test.services, now, 10)).toBe(1);
  const left = await prisma().providerNotice.findMany({ where: { id: { startsWith: 'retention/' } } });
  expect(left.map(({ id }) => id)).toEqual(['retention/recent']);
});

it('cached figures are removed after a day', async () => {
  const compute = async () => 1;
  const figure = (key: string) =>
    cachedFigure(prisma(), { projectId: project.id, key, maxAgeSeconds: 300 }, compute);
  await Promise.all([figure('total.a'), figure('total.b'), figure('total.c')]);
  await prisma().cachedFigure.updateMany({
    where: { projectId: project.id, key: { not: 'total.c' } },
    data: { computedAt: new Date(Date.now() - day - 60_000) },
  });
  expect(await sweepFigures(test.services, new Date(), 1)).toBe(1);
  expect(await sweepFigures(test.services, new Date(), 10)).toBe(1);
  const left = await prisma().cachedFigure.findMany({ where: { projectId: project.id } });
  expect(left.map(({ key }) => key)).toEqual(['total.c']);
});
