import { Resolver } from 'node:dns/promises';
import { type DnsServer, startDns } from '@postrider/local/dns-server';
import { spf } from 'mailauth/lib/spf/index.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDnsResolver } from '../../../adapters/dns/index.ts';
import { evaluateSpf } from './evaluate-spf.ts';

const chain = (length: number) =>
  Object.fromEntries(
    Array.from({ length }, (_, n) => [
      `chain${n}.example`,
      { TXT: [`v=spf1 include:chain${n + 1}.example -all`] },
    ]),
  );

let server: DnsServer;
beforeAll(async () => {
  server = await startDns({
    records: {
      'ip.example': { TXT: ['unrelated', 'v=spf1 ip4:192.0.2.0/28 ip6:2001:db8::/32 -all'] },
      'a.example': { TXT: ['v=spf1 a a:mail.example/24 ~all'], A: ['192.0.2.1'] },
      'mail.example': { A: ['198.51.100.7'], AAAA: ['2001:db8::7'] },
      'mx.example': { TXT: ['v=spf1 mx ?all'], MX: ['10 mail.example'] },
      'include.example': { TXT: ['v=spf1 include:ip.example include:a.example -all'] },
      'redirect.example': { TXT: ['v=spf1 redirect=ip.example'] },
      'open.example': { TXT: ['V=SPF1 +all'] },
      'twice.example': { TXT: ['v=spf1 -all', 'v=spf1 +all'] },
      'typo.example': { TXT: ['v=spf1 ipv4:192.0.2.1 -all'] },
      'badrange.example': { TXT: ['v=spf1 ip4:192.0.2.0/99 -all'] },
      'gone.example': { TXT: ['v=spf1 include:missing.example -all'] },
      'macro.example': { TXT: ['v=spf1 exists:%{i}._spf.example ptr ip4:192.0.2.1 -all'] },
      'text.example': { TXT: ['v=spf10 +all'] },
      ...chain(12),
      'chain12.example': { TXT: ['v=spf1 +all'] },
    },
  });
  server.fail('broken.example');
});
afterAll(() => server.stop());

it.each([
  ['ip.example', '192.0.2.15', 'pass'],
  ['ip.example', '192.0.2.16', 'fail'],
  ['ip.example', '2001:db8::99', 'pass'],
  ['a.example', '192.0.2.1', 'pass'],
  ['a.example', '198.51.100.200', 'pass'],
  ['a.example', '2001:db8::7', 'pass'],
  ['a.example', '203.0.113.1', 'softfail'],
  ['mx.example', '198.51.100.7', 'pass'],
  ['mx.example', '198.51.100.8', 'neutral'],
  ['include.example', '192.0.2.1', 'pass'],
  ['include.example', '203.0.113.1', 'fail'],
  ['redirect.example', '192.0.2.1', 'pass'],
  ['open.example', '203.0.113.1', 'pass'],
  ['macro.example', '192.0.2.1', 'pass'],
  ['text.example', '192.0.2.1', 'none'],
  ['missing.example', '192.0.2.1', 'none'],
  ['twice.example', '192.0.2.1', 'permerror'],
  ['typo.example', '192.0.2.1', 'permerror'],
  ['badrange.example', '192.0.2.1', 'permerror'],
  ['gone.example', '192.0.2.1', 'permerror'],
  ['chain0.example', '192.0.2.1', 'permerror'],
  ['chain2.example', '192.0.2.1', 'pass'],
  ['broken.example', '192.0.2.1', 'temperror'],
])('%s for %s: %s, as mailauth computes it', async (host, address, result) => {
  const dns = createDnsResolver({ servers: [server.address], timeoutMs: 2_000 });
  expect(await evaluateSpf(dns, host, address)).toBe(result);
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  resolver.setServers([server.address]);
  const independent = await spf({
    sender: `postmaster@${host}`,
    ip: address,
    helo: host,
    mta: 'receiver.example',
    resolver: (name, type) => resolver.resolve(name, type) as Promise<string[]>,
  });
  expect(independent.status.result).toBe(result);
});
