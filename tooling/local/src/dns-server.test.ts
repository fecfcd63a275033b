import { Resolver } from 'node:dns/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DnsServer, startDns } from './dns-server.ts';

let dns: DnsServer;
let resolver: Resolver;

beforeEach(async () => {
  dns = await startDns({
    records: {
      'example.com': {
        MX: ['10 mx.example.com'],
        TXT: ['v=spf1 -all'],
        NS: ['ns.example.com'],
        A: ['192.0.2.1'],
      },
      'alias.example.com': { CNAME: ['example.com'] },
      'six.example.com': { AAAA: ['2001:db8::1'] },
    },
  });
  resolver = new Resolver({ timeout: 300, tries: 1 });
  resolver.setServers([dns.address]);
});

afterEach(() => dns.stop());

describe('the name server', () => {
  it('answers every type that domain checks query', async () => {
    expect(await resolver.resolveMx('example.com')).toEqual([
      expect.objectContaining({ priority: 10, exchange: 'mx.example.com' }),
    ]);
    expect(await resolver.resolveTxt('example.com')).toEqual([['v=spf1 -all']]);
    expect(await resolver.resolveNs('example.com')).toEqual(['ns.example.com']);
    expect(await resolver.resolve4('example.com')).toEqual(['192.0.2.1']);
    expect(await resolver.resolve6('six.example.com')).toEqual(['2001:db8::1']);
    expect(await resolver.resolveCname('alias.example.com')).toEqual(['example.com']);
  });

  it('follows an alias', async () => {
    expect(await resolver.resolveTxt('alias.example.com')).toEqual([['v=spf1 -all']]);
  });

  it('distinguishes a missing name from a missing type', async () => {
    await expect(resolver.resolveTxt('nobody.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolver.resolveMx('six.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it('splits long keys into strings, and answers over TCP where they do not fit', async () => {
    const key = `v=DKIM1; k=rsa; p=${'A'.repeat(1_500)}`;
    dns.set('key._domainkey.example.com', 'TXT', [key]);
    const [record] = await resolver.resolveTxt('KEY._domainkey.example.com');
    expect(record?.length).toBeGreaterThan(1);
    expect(record?.join('')).toBe(key);
  });

  it('accepts changes while it runs', async () => {
    dns.set('new.example.com', 'TXT', ['one', 'two']);
    expect(await resolver.resolveTxt('new.example.com')).toEqual([['one'], ['two']]);
    dns.remove('new.example.com');
    await expect(resolver.resolveTxt('new.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(dns.queries()).toContainEqual({ name: 'new.example.com', type: 'TXT' });
  });

  it('can hang or fail for a single name', async () => {
    dns.hang('example.com');
    await expect(resolver.resolveTxt('example.com')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    dns.fail('example.com');
    await expect(resolver.resolveTxt('example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
    expect(await resolver.resolve6('six.example.com')).toEqual(['2001:db8::1']);
    dns.set('example.com', 'TXT', ['back']);
    expect(await resolver.resolveTxt('example.com')).toEqual([['back']]);
  });
});
