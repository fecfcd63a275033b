import { expect, it } from 'vitest';
import type { Services } from '../../base/kernel/index.ts';
import type { ProviderName } from '../../base/providers/index.ts';
import { providerConfig } from '../../base/providers/provider-config.fixture.ts';
import { ReportSources } from './report-sources.ts';

const log = { warn: () => undefined } as unknown as Services['log'];
const sources = (SMTP_URL: string, reportSources: string[] = [], name: ProviderName = 'smtp') =>
  new ReportSources({ ...providerConfig(name, { SMTP_URL }), reportSources }, log);

it.each([
  ['127.0.0.1', true],
  ['::ffff:127.0.0.1', true],
  ['127.0.0.2', false],
  ['::1', false],
  ['192.0.2.1', false],
  ['mx.people.example', false],
  ['', false],
])('of smtp://127.0.0.1: %j is %s', async (address, isSource) => {
  expect(await sources('smtp://127.0.0.1:25').has(address)).toBe(isSource);
});

it('are all addresses of the host of SMTP_URL', async () => {
  const ofName = sources('smtps://user:secret@localhost:465');
  expect((await ofName.has('127.0.0.1')) || (await ofName.has('::1'))).toBe(true);
  expect(await sources('smtp://[2001:db8::1]:25').has('2001:DB8:0::1')).toBe(true);
});

it('are those of REPORT_SOURCES, addresses and ranges', async () => {
  const listed = sources('smtp://127.0.0.1', ['192.0.2.0/25', '2001:db8:1::/48', '198.51.100.9']);
  for (const address of ['192.0.2.127', '2001:db8:1:ffff::1', '198.51.100.9', '::ffff:198.51.100.9'])
    expect(await listed.has(address)).toBe(true);
  for (const address of ['192.0.2.128', '2001:db8:2::1', '198.51.100.10'])
    expect(await listed.has(address)).toBe(false);
});

it('with ses, SMTP_URL names no server', async () => {
  expect(await sources('smtp://127.0.0.1:1025', [], 'ses').has('127.0.0.1')).toBe(false);
});

it('a host that has no address is none, and does not fail', async () => {
  expect(await sources('smtp://missing.invalid:25').has('192.0.2.1')).toBe(false);
});
