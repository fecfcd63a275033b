import { expect, it } from 'vitest';
import type { DnsResolver } from '../../base/kernel/index.ts';
import { hasMailboxes } from './has-mailboxes.ts';

const nothing = { kind: 'found', records: [] };
const answers: Record<string, { mx: unknown; addresses: unknown }> = {
  'with.test': {
    mx: { kind: 'found', records: [{ exchange: 'mx.with.test', priority: 1 }] },
    addresses: nothing,
  },
  'null.test': { mx: { kind: 'found', records: [{ exchange: '', priority: 0 }] }, addresses: nothing },
  'address.test': { mx: nothing, addresses: { kind: 'found', records: ['192.0.2.1'] } },
  'none.test': { mx: nothing, addresses: nothing },
  'silent.test': { mx: { kind: 'unanswered' }, addresses: { kind: 'unanswered' } },
};
const dns = {
  mx: async (domain: string) => answers[domain]?.mx,
  addresses: async (domain: string) => answers[domain]?.addresses,
} as unknown as DnsResolver;

it.each([
  ['with.test', true],
  ['null.test', false],
  ['address.test', true],
  ['none.test', false],
  ['silent.test', true],
])('a name server decides whether %s has mailboxes: %s', async (domain, has) => {
  expect(await hasMailboxes({ dns, config: { mailboxUrl: null } }, domain)).toBe(has);
});

it('on the machine of a developer, whose email ends in one mailbox, every domain has one', async () => {
  const config = { mailboxUrl: 'http://localhost:8025' };
  expect(await hasMailboxes({ dns, config }, 'none.test')).toBe(true);
});
