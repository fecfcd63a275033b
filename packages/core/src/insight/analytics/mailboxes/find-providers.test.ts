import { type DnsServer, startDns } from '@postrider/local/dns-server';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import { createTestProject, createTestServices, type TestServices } from '../../../testing/index.ts';
import { getBreakdown } from '../index.ts';
import { findProviders } from './find-providers.ts';
import { dueDomains, storeChecked } from './mailbox-domains.store.ts';

let dns: DnsServer;
let test: TestServices;

beforeAll(async () => {
  dns = await startDns();
  test = await createTestServices({ env: { DNS_SERVERS: dns.address } });
});
afterAll(async () => {
  await test.close();
  await dns.stop();
});
beforeEach(async () => {
  await test.services.database.prisma.$executeRaw`UPDATE "MailboxDomain" SET "dueAt" = NULL`;
});

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** A run that is late enough for contacts of this moment. */
const run = (laterMs = 10 * minuteMs) => findProviders(test.services, new Date(Date.now() + laterMs));

async function contacts(projectId: string, domains: readonly string[]): Promise<void> {
  await test.services.database.prisma.contact.createMany({
    data: domains.map((domain) => {
      // Ids of this moment: those of `newId` are later for the rest of a process whose clock a test set forward.
      const id = v7({ msecs: Date.now() });
      return { id, projectId, email: `${id}@${domain}` };
    }),
  });
}

const stateOf = (domain: string) =>
  test.services.database.prisma.mailboxDomain.findUnique({ where: { domain } });
const askedFor = (domain: string): number => dns.queries().filter(({ name }) => name === domain).length;

it('finds the provider of a domain by its mail servers, once, and never asks for a well-known domain', async () => {
  const { id } = await createTestProject(test.services);
  dns.set('workspace.example', 'MX', ['20 alt1.aspmx.l.google.com', '10 aspmx.l.google.com']);
  dns.set('office.example', 'MX', ['0 office-example.mail.protection.outlook.com']);
  dns.set('own.example', 'MX', ['10 mail.own.example']);
  dns.set('xn--mnchen-3ya.example', 'MX', ['10 mx.zoho.eu']);
  const domains = ['workspace.example', 'office.example', 'own.example', 'münchen.example', 'gone.example'];
  await contacts(id, [...domains, ...domains, 'gmail.com', 'localhost']);
  expect(await run(0)).toMatchObject({ contacts: 0 });
  expect(await run()).toMatchObject({ domains: 5 });
  expect(await Promise.all(domains.map(stateOf))).toMatchObject(
    ['google', 'microsoft', 'other', 'zoho', 'other'].map((provider) => ({
      provider,
      dueAt: null,
      requestedBy: null,
    })),
  );
  await contacts(id, domains);
  expect(await run(20 * minuteMs)).toMatchObject({ contacts: 5, domains: 0 });
  expect(askedFor('workspace.example')).toBe(1);
  expect(askedFor('gmail.com')).toBe(0);
});

it('a lookup without an answer is repeated later, ever less often, and given up after six', async () => {
  const { prisma } = test.services.database;
  const { id } = await createTestProject(test.services);
  dns.fail('broken.example');
  await contacts(id, ['broken.example']);
  await run();
  const first = await stateOf('broken.example');
  expect(first).toMatchObject({ provider: 'other', checkedAt: null, failures: 1 });
  expect((first?.dueAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(4 * minuteMs);
  expect(await run()).toMatchObject({ domains: 0 });

  const overdue = () =>
    prisma.$executeRaw`UPDATE "MailboxDomain" SET "dueAt" = now() WHERE "domain" = 'broken.example' AND "dueAt" IS NOT NULL`;
  await overdue();
  await run();
  const second = await stateOf('broken.example');
  expect((second?.dueAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(19 * minuteMs);
  for (let attempt = 3; attempt <= 6; attempt += 1) {
    await overdue();
    await run();
  }
  expect(await stateOf('broken.example')).toMatchObject({ failures: 0, dueAt: null, provider: 'other' });

  dns.set('broken.example', 'MX', ['10 aspmx.l.google.com']);
  await prisma.mailboxDomain.update({
    where: { domain: 'broken.example' },
    data: { checkedAt: new Date(Date.now() - 31 * dayMs) },
  });
  await contacts(id, ['broken.example']);
  await run();
  expect(await stateOf('broken.example')).toMatchObject({ provider: 'google' });
});

it('one project with very many domains does not delay another', async () => {
  const [many, few] = [await createTestProject(test.services), await createTestProject(test.services)];
  const { prisma } = test.services.database;
  await prisma.mailboxDomain.createMany({
    data: Array.from({ length: 300 }, (_, n) => ({
      domain: `d${n}.flood.example`,
      requestedBy: many.id,
      dueAt: new Date(Date.now() - dayMs),
    })),
  });
  await prisma.mailboxDomain.createMany({
    data: ['a.calm.example', 'b.calm.example'].map((domain) => ({
      domain,
      requestedBy: few.id,
      dueAt: new Date(Date.now() - minuteMs),
    })),
  });
  const due = await dueDomains(prisma, 20);
  expect(due.slice(0, 4)).toEqual(expect.arrayContaining(['a.calm.example', 'b.calm.example']));
  expect(due.filter((domain) => domain.endsWith('flood.example'))).toHaveLength(10);
  // With nothing else to do, one project has all of them.
  await storeChecked(prisma, [
    { domain: 'a.calm.example', provider: 'other' },
    { domain: 'b.calm.example', provider: 'other' },
  ]);
  expect(await dueDomains(prisma, 20)).toHaveLength(20);
});

it('an email counts for the provider that its domain had when it was sent, also when it is opened later', async () => {
  const { prisma } = test.services.database;
  const project = await createTestProject(test.services);
  await prisma.mailboxDomain.create({ data: { domain: 'moved.example' } });
  const early = await sentEmail(project.id, 'ada@moved.example', new Date(Date.now() - dayMs));
  await storeChecked(prisma, [{ domain: 'moved.example', provider: 'microsoft' }]);
  await prisma.email.update({ where: { id: early }, data: { openedAt: new Date() } });
  // The next quarter of an hour.
  const late = await sentEmail(project.id, 'ben@moved.example', new Date(Date.now() + 20 * minuteMs));
  await prisma.email.update({
    where: { id: late },
    data: { deliveredAt: new Date(Date.now() + 20 * minuteMs) },
  });
  const { data } = await getBreakdown.run(project.ctx, {
    by: 'provider',
    from: new Date(Date.now() - 2 * dayMs).toISOString(),
    to: new Date(Date.now() + dayMs).toISOString(),
  });
  expect(data.map(({ key, sent, delivered, opened }) => [key, sent, delivered, opened])).toEqual([
    ['microsoft', 1, 1, 0],
    ['other', 1, 0, 1],
  ]);
});

/** The id of an email that is sent once it is stored. */
async function sentEmail(projectId: string, to: string, sentAt: Date): Promise<string> {
  const { prisma } = test.services.database;
  const [id, contentId] = [newId(), newId()];
  await prisma.content.create({
    data: {
      id: contentId,
      projectId,
      hash: Uint8Array.from(Buffer.from(contentId)),
      type: 'MARKETING',
      sourceType: 'TRANSACTIONAL',
      subject: 'Hello',
      body: '',
      from: 'news@mail.example',
      projectName: 'Test project',
    },
  });
  await prisma.email.create({
    data: { id, projectId, to, type: 'MARKETING', sourceType: 'TRANSACTIONAL', contentId },
  });
  await prisma.email.update({ where: { id }, data: { sentAt, status: 'SENT' } });
  return id;
}
