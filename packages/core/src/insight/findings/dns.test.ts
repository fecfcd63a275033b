import { type DnsServer, startDns } from '@postrider/local/dns-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { dnsChecks } from './dns.checks.ts';
import { examineWith, findingOf } from './examined.fixture.ts';

let test: TestServices;
let dns: DnsServer;
beforeAll(async () => {
  [test, dns] = await Promise.all([createTestServices(), startDns()]);
});
afterAll(() => Promise.all([test.close(), dns.stop()]));

const host = 'mail.sender.example';
beforeEach(async () => {
  await test.services.database.prisma.domain.deleteMany({});
  dns.set(host, 'A', ['93.184.216.34']);
  dns.set('34.216.184.93.in-addr.arpa', 'PTR', [host]);
});

const look = (env: Record<string, string> = {}) =>
  examineWith(dnsChecks, {
    DATABASE_URL: test.databaseUrl,
    DNS_SERVERS: dns.address,
    MAIL_HOST: host,
    ...env,
  });

describe('MAIL_HOST', () => {
  it('with an address and its name is sound', async () => {
    expect(await look()).toMatchObject([{ verdict: 'ok' }, { verdict: 'ok' }]);
  });

  it('without an address', async () => {
    dns.remove(host);
    expect(findingOf(await look(), 'dns.mail-host')).toMatchObject({
      verdict: 'failure',
      action: expect.stringContaining('address'),
    });
  });

  it('whose address has no name', async () => {
    dns.remove('34.216.184.93.in-addr.arpa');
    expect(findingOf(await look(), 'dns.mail-host')).toMatchObject({
      verdict: 'failure',
      action: expect.stringContaining('PTR'),
    });
  });

  it('whose address has another name', async () => {
    dns.set('34.216.184.93.in-addr.arpa', 'PTR', ['other.example']);
    dns.set('other.example', 'A', ['93.184.216.34']);
    expect(findingOf(await look(), 'dns.mail-host')).toMatchObject({ verdict: 'warning' });
  });

  it('that no DNS server knows of in time is unknown', async () => {
    dns.fail(host);
    expect(findingOf(await look(), 'dns.mail-host')).toMatchObject({
      verdict: 'unknown',
      cause: expect.stringContaining('DNS server'),
    });
  });
});

describe('the records of a verified domain', () => {
  beforeEach(async () => {
    const { id } = await createTestProject(test.services);
    await verifiedDomain(test.services, id, 'shop.example');
    await test.services.database.prisma.domain.updateMany({ data: { verifiedBy: 'DNS' } });
    await test.services.database.prisma.domainKey.updateMany({ data: { publicKey: 'MIGf' } });
    dns.set('test._domainkey.shop.example', 'TXT', ['v=DKIM1; k=rsa; p=MIGf']);
    dns.set('bounces.shop.example', 'TXT', [`v=spf1 a:${host} ~all`]);
    dns.set('bounces.shop.example', 'MX', [`10 ${host}`]);
  });

  it('are there', async () => {
    expect(findingOf(await look(), 'dns.domains')).toMatchObject({
      verdict: 'ok',
      found: expect.stringContaining('1 are there'),
    });
  });

  it('lack the key', async () => {
    dns.set('test._domainkey.shop.example', 'TXT', ['v=DKIM1; k=rsa; p=other']);
    expect(findingOf(await look(), 'dns.domains')).toMatchObject({
      ...{ verdict: 'failure', subject: 'shop.example' },
      found: expect.stringContaining('DKIM (TXT test._domainkey.shop.example)'),
    });
  });

  it('lack SPF and MX', async () => {
    dns.remove('bounces.shop.example');
    expect(findingOf(await look(), 'dns.domains')).toMatchObject({
      verdict: 'warning',
      found: expect.stringMatching(/SPF.*MX/),
    });
  });

  it.each([
    ['the local mailbox has verified it', 'LOCAL_MAILBOX' as const],
    ['it is of the demo project', null],
  ])('are not asked for where %s', async (_what, verifiedBy) => {
    await test.services.database.prisma.domain.updateMany({ data: { verifiedBy } });
    dns.remove('test._domainkey.shop.example');
    expect(findingOf(await look(), 'dns.domains')).toMatchObject({ verdict: 'ok' });
  });
});
