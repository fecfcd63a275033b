import { join } from 'node:path';
import { normalizeAddress } from '@postrider/core/base/kernel/contract';
import { addressLike } from '@postrider/core/testing/addresses.fixture.ts';
import { ROOT } from '@postrider/local/root';
import fc from '@postrider/vitest/fast-check.ts';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, startApp } from './app.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

async function bundle(): Promise<string> {
  const entry = join(ROOT, 'packages/core/src/base/lib/addresses.rules.ts');
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, lib: { entry, name: 'addresses', formats: ['iife'] } },
  });
  const [chunk] = [output].flat().flatMap((each) => ('output' in each ? each.output : []));
  if (chunk?.type !== 'chunk') throw new Error('the bundle has no code');
  return chunk.code;
}

/** Runs in the page. */
const normalizeInPage = (given: string[]): (string | null)[] => {
  const { addresses } = globalThis as unknown as { addresses: { normalizeAddress: typeof normalizeAddress } };
  return given.map(addresses.normalizeAddress);
};

it('a browser reads an address that the server accepts as the server does', async () => {
  const page = await app.visit('/login');
  await page.evaluate(`${await bundle()}; globalThis.addresses = addresses;`);
  // Unpaired surrogates do not survive the way to the page.
  const given = fc.sample(addressLike, 5_000).map((text) => text.toWellFormed());
  const ours = given.map(normalizeAddress);
  const theirs = await page.evaluate(normalizeInPage, given);
  // The URL parser of Node refuses some rare mixtures of Arabic letters that browsers accept.
  const both = ours.map((address, at) => [given[at], address, address === null ? null : theirs[at]]);
  expect(both.filter(([, address, read]) => address !== read)).toEqual([]);
  expect(both.filter(([, address]) => address?.includes('xn--')).length).toBeGreaterThan(200);
});
