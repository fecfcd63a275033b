import { type DnsServer, startDns } from '@postrider/local/dns-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prisma } from '../../base/db/index.ts';
import { userIdOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { platformMailTo } from '../../testing/mail.ts';
import { checkDomain, createDomain, findUnwatchedDomains, readWatchedDomain } from './index.ts';

let test: TestServices;
let dns: DnsServer;
let project: TestProject;
beforeAll(async () => {
  dns = await startDns();
  test = await createTestServices({ env: { DNS_SERVERS: dns.address, MAIL_HOST: 'mail.sender.net' } });
  project = await createTestProject(test.services);
});
afterAll(async () => {
  await test.close();
  await dns.stop();
});

let names = 0;
async function added(state: Prisma.DomainUpdateInput = {}) {
  const domain = await createDomain.run(project.ctx, { domain: `check${++names}.example` });
  await test.services.database.prisma.domain.update({ where: { id: domain.id }, data: state });
  const [dkim] = domain.records;
  if (!dkim) throw new Error('no DKIM record');
  return { id: domain.id, domain: domain.domain, dkim };
}
const dayMs = 86_400_000;
const later = (ms: number) => new Date(Date.now() + ms);
const daily = { forced: false };

describe('a check', () => {
  it('finds a key whose tags are in another order and split into several strings', async () => {
    const { id, dkim } = await added();
    const key = String(/p=(.*)$/.exec(dkim.value)?.[1]);
    dns.set(dkim.name, 'TXT', [`k=rsa ; p = ${key.slice(0, 100)} ${key.slice(100)} ; v=DKIM1`]);
    expect(await checkDomain(test.services, id, daily)).toMatchObject({ status: 'VERIFIED' });
  });

  it('finds the key among other text records, and an alias to it', async () => {
    const [one, two] = [await added(), await added()];
    dns.set(one.dkim.name, 'TXT', ['v=DKIM1; k=rsa; p=MIIBother', one.dkim.value]);
    dns.set(two.dkim.name, 'CNAME', [`key.${two.domain}`]);
    dns.set(`key.${two.domain}`, 'TXT', [two.dkim.value]);
    for (const { id } of [one, two]) {
      expect(await checkDomain(test.services, id, daily)).toMatchObject({ status: 'VERIFIED' });
    }
  });

  it('fails with a foreign key', async () => {
    const { id, dkim } = await added();
    dns.set(dkim.name, 'TXT', ['v=DKIM1; k=rsa; p=MIIBother']);
    expect(await checkDomain(test.services, id, daily)).toMatchObject({
      status: 'PENDING',
      recordsFound: { [`TXT ${dkim.name}`]: false },
      lastCheckedAt: expect.any(Date),
    });
  });

  it('without an answer counts as failed and keeps the previous findings', async () => {
    const { id, domain, dkim } = await added();
    const { prisma } = test.services.database;
    await prisma.webhookEndpoint.create({
      data: {
        id: newId(),
        projectId: project.id,
        url: 'https://hooks.example.com/x',
        types: ['*'],
        secretCipher: 'none',
      },
    });
    dns.set(dkim.name, 'TXT', [dkim.value]);
    await checkDomain(test.services, id, daily);
    dns.fail(dkim.name);
    const missed = await checkDomain(test.services, id, daily);
    expect(missed).toMatchObject({
      status: 'VERIFIED',
      failedChecks: 1,
      recordsFound: { [`TXT ${dkim.name}`]: true },
    });
    await checkDomain(test.services, id, daily);
    const lost = await checkDomain(test.services, id, { forced: true });
    const reports = { where: { projectId: project.id, data: { path: ['domainId'], equals: id } } };
    expect(await prisma.webhookDelivery.findMany({ ...reports, orderBy: { id: 'asc' } })).toMatchObject([
      { type: 'domain.verified', data: { domainId: id, domain, status: 'VERIFIED', contact: null } },
      { type: 'domain.lost', data: { domainId: id, domain, status: 'PENDING', contact: null } },
    ]);
    expect(lost).toMatchObject({
      status: 'PENDING',
      verifiedAt: null,
      recordsFound: { [`TXT ${dkim.name}`]: true },
    });
  });

  it('does not change a FAILED domain unless forced', async () => {
    const { id, dkim } = await added({ status: 'FAILED', nextCheckAt: null });
    dns.set(dkim.name, 'TXT', [dkim.value]);
    expect(await checkDomain(test.services, id, daily)).toMatchObject({
      status: 'FAILED',
      lastCheckedAt: null,
    });
    expect(await checkDomain(test.services, id, { forced: true })).toMatchObject({ status: 'VERIFIED' });
  });

  it('of a deleted domain returns null', async () => {
    expect(await checkDomain(test.services, crypto.randomUUID(), { forced: true })).toBeNull();
  });
});

const noticesTo = async (address: string): Promise<string[]> =>
  (await platformMailTo(test.services, address)).map(({ subject }) => subject);

describe('the notice', () => {
  it('is sent to owner and admins when a domain is verified or lost, once per kind in 7 days', async () => {
    const admin = await project.userCtx('ADMIN');
    const member = await project.userCtx('MEMBER');
    const addressOf = async (userId: string) =>
      (await test.services.database.prisma.user.findUniqueOrThrow({ where: { id: userId } })).email;
    const [owner = '', adminAddress = '', memberAddress = ''] = await Promise.all(
      [project.ownerId, userIdOf(admin), userIdOf(member)].map(addressOf),
    );
    const { id, domain, dkim } = await added();
    const before = (await noticesTo(owner)).length;
    const check = (now: Date) => checkDomain(test.services, id, { forced: true, now });
    const verifyAndLose = async (now: Date) => {
      dns.set(dkim.name, 'TXT', [dkim.value]);
      await check(now);
      dns.remove(dkim.name);
      for (let miss = 0; miss < 3; miss += 1) await check(now);
    };
    const both = [`${domain} is verified`, `${domain} is no longer verified`];

    await verifyAndLose(later(0));
    expect((await noticesTo(owner)).slice(before)).toEqual(both);
    await verifyAndLose(later(6 * dayMs));
    expect((await noticesTo(owner)).slice(before)).toEqual(both);
    await verifyAndLose(later(8 * dayMs));
    expect((await noticesTo(owner)).slice(before)).toEqual([...both, ...both]);

    expect(await noticesTo(adminAddress)).toEqual([...both, ...both]);
    expect(await noticesTo(memberAddress)).toEqual([]);
  });

  it('that could not be stored changes nothing, so that the next check sends it', async () => {
    const { id, dkim } = await added();
    dns.set(dkim.name, 'TXT', [dkim.value]);
    const broken = {
      ...test.services,
      platformMail: { ...test.services.platformMail, write: () => Promise.reject(new Error('no ledger')) },
    };
    await expect(checkDomain(broken, id, daily)).rejects.toThrow('no ledger');
    const row = await test.services.database.prisma.domain.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ status: 'PENDING', verifiedMailAt: null });
  });
});

describe('domains without a watcher', () => {
  it('are new ones until they are read, and those whose check is more than a minute late', async () => {
    const fresh = await added();
    const late = await added({ nextCheckAt: later(-61_000) });
    const onTime = await added({ nextCheckAt: later(-30_000) });
    const asleep = await added({ status: 'FAILED', nextCheckAt: null });
    expect(await readWatchedDomain(test.services, late.id)).toEqual({
      status: 'PENDING',
      nextCheckAt: expect.any(Date),
    });
    expect(await readWatchedDomain(test.services, asleep.id)).toEqual({
      status: 'FAILED',
      nextCheckAt: null,
    });
    await readWatchedDomain(test.services, onTime.id);
    const found = await findUnwatchedDomains(test.services);
    expect(found).toEqual(expect.arrayContaining([fresh.id, late.id]));
    expect(found).not.toContain(onTime.id);
    expect(found).not.toContain(asleep.id);
    expect(new Set(found).size).toBe(found.length);
    expect(await readWatchedDomain(test.services, crypto.randomUUID())).toBeNull();
  });
});
