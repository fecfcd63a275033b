import { afterAll, beforeAll, expect, it } from 'vitest';
import { Prisma } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { excluded } from '../eligibility/index.ts';
import { breakDownAudience, contactAs, estimateAudience } from './audience.store.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const contacts = [
  { email: 'one@people.test' },
  { email: 'two@people.test' },
  { email: 'left@people.test', subscribed: false },
  { email: 'bounced@people.test' },
  { email: 'left-and-bounced@people.test', subscribed: false },
  // From old imports.
  { email: 'no-host@' },
  { email: 'two@at@people.test' },
  { email: 'white space@people.test' },
  { email: 'bounced-no-dot@host' },
  { email: 'left-no-dot@host', subscribed: false },
];

it('each contact of an audience counts once, by the first reason that applies', async () => {
  const { services } = test;
  const { prisma } = services.database;
  const project = await createTestProject(services);
  const owner = await prisma.user.findUniqueOrThrow({ where: { id: project.ownerId } });
  const all = [...contacts, { email: owner.email }];
  await prisma.contact.createMany({
    data: all.map((each) => ({ ...each, id: newId(), projectId: project.id })),
  });
  const suppressed = all.map(({ email }) => email).filter((email) => email.includes('bounced'));
  await prisma.suppression.createMany({
    data: suppressed.map((email) => ({ email, projectId: project.id, reason: 'BOUNCE' as const })),
  });
  const audience = { projectId: project.id, type: 'MARKETING' as const, topic: null };
  expect(await breakDownAudience(prisma, audience, false)).toEqual({
    matched: 11,
    willSend: 3,
    unsubscribed: 3,
    topic: 0,
    notSubscribed: { unsubscribed: 3, never: 0, pending: 0, snoozed: 0 },
    suppressed: 2,
    invalid: 3,
    duplicate: 0,
    sandbox: 0,
  });
  expect(await breakDownAudience(prisma, audience, true)).toMatchObject({
    willSend: 1,
    invalid: 3,
    sandbox: 2,
  });
  const transactional = { ...audience, type: 'TRANSACTIONAL' as const };
  expect(await breakDownAudience(prisma, transactional, false)).toMatchObject({
    willSend: 4,
    unsubscribed: 0,
    suppressed: 3,
    invalid: 4,
  });
  const condition = Prisma.sql`c."email" LIKE '%host%'`;
  expect(await breakDownAudience(prisma, { ...audience, condition }, false)).toMatchObject({
    matched: 3,
    invalid: 1,
  });
});

it('invalid addresses are found by their index', async () => {
  const contact = contactAs({ projectId: newId(), type: 'MARKETING', topic: null });
  const rows = await test.services.database.prisma.$queryRaw<{ 'QUERY PLAN': string }[]>`
    EXPLAIN SELECT count(*) FROM "Contact" c WHERE c."projectId" = ${contact.project} AND ${excluded.invalid(contact)}`;
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('"Contact_invalid"');
});

it('the audience of a large project is estimated from a sample; that of a small one is not', async () => {
  const { services } = test;
  const { prisma } = services.database;
  const { id: projectId } = await createTestProject(services);
  const emails = Array.from({ length: 400 }, (_, index) => `${(index * 7) % 400}@people.test`);
  await prisma.contact.createMany({
    data: emails.map((email, index) => ({
      id: newId(),
      projectId,
      email,
      subscribed: index % 4 !== 0,
      data: { even: index % 2 === 0 },
      createdAt: new Date(Date.parse('2026-01-01') + index * 60_000),
    })),
  });
  await prisma.suppression.createMany({
    data: emails.slice(0, 80).map((email) => ({ email, projectId, reason: 'BOUNCE' as const })),
  });
  const audience = { projectId, type: 'MARKETING' as const, topic: null };
  expect(await estimateAudience(prisma, audience, false)).toBeNull();

  // As if a thousand times as many had been created.
  await prisma.contactCount.create({
    data: { id: newId(), projectId, at: new Date(), created: 399_600, removed: 0 },
  });
  const all = await estimateAudience(prisma, audience, false);
  expect(all).toMatchObject({ matched: 400_000, invalid: 0, sandbox: 0 });
  if (!all) throw new Error('not estimated');
  expect(all.willSend + all.unsubscribed + all.suppressed).toBe(400_000);
  expect(Math.abs(all.unsubscribed - 100_000)).toBeLessThan(30_000);
  expect(Math.abs(all.suppressed - 60_000)).toBeLessThan(30_000);
  const condition = Prisma.sql`c."data" @> '{"even": true}'`;
  const half = await estimateAudience(prisma, { ...audience, condition }, false);
  expect(Math.abs((half?.matched ?? 0) - 200_000)).toBeLessThan(30_000);
  expect(half?.unsubscribed).toBe(all.unsubscribed);
});
