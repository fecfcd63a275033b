import { type DnsServer, startDns } from '@postrider/local/dns-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import { providerConfig } from '../../../base/providers/provider-config.fixture.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { createDomain, getDomainHealth } from '../index.ts';
import { checkTls } from './check-tls.ts';

let test: TestServices;
let dns: DnsServer;
let project: TestProject;
beforeAll(async () => {
  dns = await startDns({
    records: {
      'mail.sender.net': { A: ['203.0.113.7'] },
      '7.113.0.203.in-addr.arpa': { PTR: ['mail.sender.net'] },
    },
  });
  test = await createTestServices({
    env: {
      DNS_SERVERS: dns.address,
      MAIL_HOST: 'mail.sender.net',
      SMTP_URL: 'smtps://user:pass@relay.sender.net',
    },
  });
  project = await createTestProject(test.services);
});
afterAll(async () => {
  await test.close();
  await dns.stop();
});

let names = 0;
const added = () => createDomain.run(project.ctx, { domain: `health${++names}.example` });
type Domain = Awaited<ReturnType<typeof added>>;

/** Publishes the records that are required and recommended. */
async function published(): Promise<Domain> {
  const domain = await added();
  for (const { type, name, value, priority } of domain.records)
    dns.set(name, type, [type === 'MX' ? `${priority} ${value}` : value]);
  return domain;
}
const setDmarc = ({ domain }: Domain, value: string) => dns.set(`_dmarc.${domain}`, 'TXT', [value]);
const keyName = ({ records }: Domain): string => records[0]?.name ?? '';
const key = ({ records }: Domain): string => records[0]?.value ?? '';
const healthOf = ({ id }: { id: string }) => getDomainHealth.run(project.ctx, { id });
async function check(domain: Domain, name: string) {
  const found = (await healthOf(domain)).checks.find((each) => each.name === name);
  if (!found) throw new Error(`no check ${name}`);
  return found;
}

it('finds nothing to object to when everything that the domain asks for is published', async () => {
  const domain = await published();
  const health = await healthOf(domain);
  expect(health).toMatchObject({ domainId: domain.id, domain: domain.domain, status: 'ok' });
  expect(health.checks.map(({ name, status }) => [name, status])).toEqual([
    ['DKIM', 'ok'],
    ['SPF', 'ok'],
    ['DMARC', 'ok'],
    ['MX', 'ok'],
    ['REVERSE_DNS', 'ok'],
    ['TLS', 'ok'],
  ]);
});

it('of a new domain: every record fails or warns, beside the record that is wanted', async () => {
  const domain = await added();
  const health = await healthOf(domain);
  expect(health.status).toBe('fail');
  expect(health.checks).toEqual([
    expect.objectContaining({
      name: 'DKIM',
      status: 'fail',
      host: keyName(domain),
      found: [],
      wanted: key(domain),
    }),
    expect.objectContaining({
      name: 'SPF',
      status: 'fail',
      host: `bounces.${domain.domain}`,
      wanted: 'v=spf1 a:mail.sender.net ~all',
    }),
    expect.objectContaining({
      name: 'DMARC',
      status: 'fail',
      host: `_dmarc.${domain.domain}`,
      wanted: domain.records.find(({ purpose }) => purpose === 'DMARC')?.value,
    }),
    expect.objectContaining({ name: 'MX', status: 'warn', wanted: '10 mail.sender.net' }),
    expect.objectContaining({ name: 'REVERSE_DNS', status: 'ok', found: ['203.0.113.7 → mail.sender.net'] }),
    expect.objectContaining({ name: 'TLS', status: 'ok' }),
  ]);
});

it('404 for a domain of another project and for an unknown one', async () => {
  const other = await createTestProject(test.services);
  const { id } = await added();
  await expect(getDomainHealth.run(other.ctx, { id })).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
  await expect(healthOf({ id: newId() })).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
});

it('names the zone that the records belong in, with its name servers', async () => {
  dns.set('zone.example', 'NS', ['b.provider.net', 'a.provider.net']);
  const domain = await createDomain.run(project.ctx, { domain: 'news.shop.zone.example' });
  expect((await healthOf(domain)).zone).toEqual({
    name: 'zone.example',
    nameServers: ['a.provider.net', 'b.provider.net'],
  });
  expect((await healthOf(await added())).zone).toBeNull();
});

it('is unknown, not failed, where no DNS server answers', async () => {
  const domain = await published();
  for (const { name } of domain.records) dns.fail(name);
  dns.fail(`_dmarc.${domain.domain}`);
  const { checks } = await healthOf(domain);
  expect(checks.map(({ status }) => status)).toEqual([
    'unknown',
    'unknown',
    'unknown',
    'unknown',
    'ok',
    'ok',
  ]);
});

describe('DKIM', () => {
  it.each([
    ['fail', 'another key', () => ['v=DKIM1; k=rsa; p=MIIBother'], 'not the one that signs'],
    ['fail', 'a revoked key', () => ['v=DKIM1; p='], 'not the one that signs'],
    ['warn', 'a second record', (own: string) => [own, 'v=DKIM1; p=MIIBother'], 'other TXT records'],
    ['warn', 'the test flag', (own: string) => [`${own}; t=s:y`], 't=y'],
  ])('%s: %s', async (status, _what, texts, advice) => {
    const domain = await published();
    dns.set(keyName(domain), 'TXT', texts(key(domain)));
    expect(await check(domain, 'DKIM')).toMatchObject({ status, advice: expect.stringContaining(advice) });
  });
});

describe('SPF of the return-path', () => {
  it.each([
    ['ok', 'the address by range', ['v=spf1 ip4:203.0.113.0/24 -all'], 'allows your mail server'],
    ['fail', 'a record without the mail server', ['v=spf1 ip4:192.0.2.1 ~all'], 'Add the mechanism'],
    ['fail', 'two records', ['v=spf1 a:mail.sender.net ~all', 'v=spf1 -all'], 'Merge'],
    ['fail', 'a record with an error', ['v=spf1 address:mail.sender.net ~all'], 'Correct the record'],
    ['warn', 'a record that allows everyone', ['v=spf1 +all'], 'Narrow'],
  ])('%s: %s', async (status, _what, texts, advice) => {
    const domain = await published();
    dns.set(`bounces.${domain.domain}`, 'TXT', texts);
    expect(await check(domain, 'SPF')).toMatchObject({ status, advice: expect.stringContaining(advice) });
  });
});

describe('DMARC', () => {
  it.each([
    ['ok', 'v=DMARC1; p=none', 'reports address'],
    ['ok', 'v=DMARC1; p=none; rua=mailto:d@SELF', 'quarantine once'],
    ['ok', 'v=DMARC1; p=quarantine', 'set aside forged email; add a reports address'],
    ['warn', 'v=DMARC1; p=reject; rua=mailto:d@reports.net', '_report._dmarc.reports.net'],
    ['warn', 'v=DMARC1; p=reject; aspf=s; rua=mailto:d@SELF', 'aspf=r'],
    ['fail', 'v=DMARC1; p=maybe; rua=mailto:d@SELF', 'Set the policy'],
    ['fail', 'v=DMARC2; p=reject', 'Create this TXT record'],
    ['ok', 'v=DMARC1; p=reject; rua=mailto:d@SELF!10m', 'reject'],
  ])('%s: %s', async (status, record, advice) => {
    const domain = await published();
    setDmarc(domain, record.replace('SELF', domain.domain));
    expect(await check(domain, 'DMARC')).toMatchObject({ status, advice: expect.stringContaining(advice) });
  });

  it('of a parent applies to its subdomains, with its policy for these', async () => {
    const domain = await createDomain.run(project.ctx, { domain: 'news.parent.example' });
    dns.set('_dmarc.parent.example', 'TXT', ['v=DMARC1; p=reject; sp=none; rua=mailto:d@parent.example']);
    expect(await check(domain, 'DMARC')).toMatchObject({
      ...{ status: 'ok', host: '_dmarc.parent.example' },
      advice: expect.stringContaining('quarantine once'),
    });
  });

  it('accepts reports elsewhere where the other host agrees', async () => {
    const domain = await published();
    dns.set(`${domain.domain}._report._dmarc.agreed.net`, 'TXT', ['v=DMARC1']);
    setDmarc(domain, 'v=DMARC1; p=reject; rua=mailto:d@agreed.net');
    expect(await check(domain, 'DMARC')).toMatchObject({ status: 'ok' });
  });
});

it('MX fails where some bounces go to another server', async () => {
  const domain = await published();
  dns.set(`bounces.${domain.domain}`, 'MX', ['10 mail.sender.net', '20 mx.elsewhere.net']);
  expect(await check(domain, 'MX')).toMatchObject({
    status: 'fail',
    advice: expect.stringContaining('mx.elsewhere.net'),
    found: expect.arrayContaining(['20 mx.elsewhere.net']),
  });
});

describe('reverse DNS', () => {
  it.each([
    ['fail', 'a name without this address', 'host.provider.net', 'Point'],
    ['warn', 'another name with this address', 'other.sender.net', 'MAIL_HOST'],
  ])('%s: %s', async (status, _what, name, advice) => {
    const domain = await added();
    dns.set('other.sender.net', 'A', ['203.0.113.7']);
    dns.set('7.113.0.203.in-addr.arpa', 'PTR', [name]);
    expect(await check(domain, 'REVERSE_DNS')).toMatchObject({
      status,
      advice: expect.stringContaining(advice),
    });
  });

  it('fail: no name', async () => {
    const domain = await added();
    dns.remove('7.113.0.203.in-addr.arpa');
    expect(await check(domain, 'REVERSE_DNS')).toMatchObject({
      status: 'fail',
      found: ['203.0.113.7 → no name'],
    });
  });
});

describe('TLS of the route', () => {
  it.each([
    ['ok', 'smtp://user:pass@relay.example.com:587'],
    ['ok', 'smtp://relay.example.com?requireTLS=true'],
    ['warn', 'smtp://relay.example.com'],
    ['fail', 'smtp://relay.example.com?ignoreTLS=true'],
    ['unknown', 'smtp://127.0.0.1:1025'],
    ['unknown', 'smtp://[::1]:25'],
  ])('%s: %s', (status, url) => {
    expect(checkTls({ config: providerConfig('smtp', { SMTP_URL: url }) }).status).toBe(status);
  });
});
