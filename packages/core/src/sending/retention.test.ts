import { afterAll, beforeAll, expect, it } from 'vitest';
import { cachedFigure, sweepFigures } from '../figures/index.ts';
import { newId } from '../kernel/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../testing/index.ts';
import { findFixedLink } from './fixed-links.ts';
import { firstIdOf } from './retention.rules.ts';
import { sweepAttachments, sweepContents, sweepNotices } from './retention.ts';

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

it('attachments are removed after two days, except for open email', async () => {
  const now = new Date();
  const old = new Date(now.getTime() - 3 * day);
  const blob = (name: string, createdAt: Date) =>
    prisma().blob.create({
      data: { projectId: project.id, hash: bytes(name), size: 1, bytes: bytes('x'), createdAt },
    });
  await blob('gone', old);
  await blob('open', old);
  await blob('young', new Date(now.getTime() - day));
  const item = { filename: 'a', contentType: 'text/plain', contentId: null, disposition: 'attachment' };
  await openEmail(
    old,
    await content(old, 'TRANSACTIONAL', [{ ...item, blob: Buffer.from('open').toString('hex') }]),
  );
  expect(await sweepAttachments(test.services, now, 100)).toBe(1);
  const left = await prisma().blob.findMany({ orderBy: { createdAt: 'asc' } });
  expect(left.map(({ hash }) => Buffer.from(hash).toString())).toEqual(['open', 'young']);
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
