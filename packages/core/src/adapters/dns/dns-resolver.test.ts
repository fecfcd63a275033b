import { type DnsServer, startDns } from '@postrider/local/dns-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDnsResolver } from './dns-resolver.ts';

const longValue = `v=DKIM1; k=rsa; p=${'A'.repeat(392)}`;
let server: DnsServer;

beforeAll(async () => {
  server = await startDns({
    records: {
      'key.example.com': { TXT: [longValue, 'other'] },
      'example.com': {
        A: ['192.0.2.1'],
        AAAA: ['2001:db8::1'],
        MX: ['10 mail.example.com'],
        NS: ['ns.example.com'],
      },
      'alias.example.com': { CNAME: ['example.com'] },
      'v4.example.com': { A: ['192.0.2.4'] },
      '1.2.0.192.in-addr.arpa': { PTR: ['mail.example.com'] },
      '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa': {
        PTR: ['mail6.example.com'],
      },
    },
  });
});
afterAll(() => server.stop());

const resolver = (timeoutMs?: number) => createDnsResolver({ servers: [server.address], timeoutMs });

describe('found', () => {
  it('joins the strings of a text record', async () => {
    const answer = await resolver().txt('key.example.com');
    expect(answer).toEqual({ kind: 'found', records: expect.arrayContaining([longValue, 'other']) });
  });

  it('returns mail servers with their priority, name servers and aliases', async () => {
    expect(await resolver().mx('example.com')).toEqual({
      kind: 'found',
      records: [expect.objectContaining({ exchange: 'mail.example.com', priority: 10 })],
    });
    expect(await resolver().ns('example.com')).toEqual({ kind: 'found', records: ['ns.example.com'] });
    expect(await resolver().cname('alias.example.com')).toEqual({ kind: 'found', records: ['example.com'] });
  });

  it('returns addresses of both types together', async () => {
    expect(await resolver().addresses('example.com')).toEqual({
      kind: 'found',
      records: ['192.0.2.1', '2001:db8::1'],
    });
    expect(await resolver().addresses('v4.example.com')).toEqual({ kind: 'found', records: ['192.0.2.4'] });
  });
});

describe('names of an address', () => {
  it('are those of its PTR records, for both types of address', async () => {
    expect(await resolver().names('192.0.2.1')).toEqual({ kind: 'found', records: ['mail.example.com'] });
    expect(await resolver().names('2001:db8::1')).toEqual({ kind: 'found', records: ['mail6.example.com'] });
    expect(await resolver().names('192.0.2.9')).toEqual({ kind: 'none' });
  });
});

describe('none', () => {
  it('for a name that does not exist and for a type that the name does not have', async () => {
    expect(await resolver().txt('missing.example.com')).toEqual({ kind: 'none' });
    expect(await resolver().addresses('missing.example.com')).toEqual({ kind: 'none' });
    expect(await resolver().mx('v4.example.com')).toEqual({ kind: 'none' });
  });
});

describe('unanswered', () => {
  it('when the server is silent for the time given', async () => {
    server.hang('silent.example.com');
    expect(await resolver(600).txt('silent.example.com')).toEqual({ kind: 'unanswered' });
  });

  it('when the server fails', async () => {
    server.fail('broken.example.com');
    expect(await resolver(1_000).mx('broken.example.com')).toEqual({ kind: 'unanswered' });
  });

  it('when no server listens', async () => {
    const dead = createDnsResolver({ servers: ['127.0.0.1:1'], timeoutMs: 1_000 });
    expect(await dead.txt('example.com')).toEqual({ kind: 'unanswered' });
  });
});
