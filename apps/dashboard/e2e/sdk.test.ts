import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ROOT } from '@postrider/local/root';
import { Postrider } from '@postrider/sdk';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DemoApp, startDemoApp } from './app.ts';

/** The SDK in a web page of another origin than the API. */
let app: DemoApp;
let site: Server;
let page: Page;

const html =
  '<!doctype html><title>Shop</title><script type="module">import * as sdk from "/sdk.js"; globalThis.sdk = sdk;</script>';

beforeAll(async () => {
  app = await startDemoApp();
  const script = await bundle();
  site = createServer(({ url }, response) => {
    if (url === '/sdk.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  page = await app.visit('/login');
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`, { waitUntil: 'load' });
});
afterAll(async () => {
  await app?.close();
  site?.close();
});

async function bundle(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry: join(ROOT, 'packages/sdk/src/index.ts'), formats: ['es'] } },
  });
  const [chunk] = [output].flat().flatMap((each) => ('output' in each ? each.output : []));
  if (chunk?.type !== 'chunk') throw new Error('the bundle has no code');
  return chunk.code;
}

/** Runs in the page: makes a client and tracks with it. */
async function trackInPage({ apiKey, baseUrl }: { apiKey: string; baseUrl: string }): Promise<string> {
  const { sdk } = globalThis as unknown as { sdk: { Postrider: typeof Postrider } };
  try {
    const client = new sdk.Postrider({ apiKey, baseUrl });
    const { event } = await client.track({ email: 'visitor@example.com', event: 'visited from a page' });
    return `stored ${event}`;
  } catch (error) {
    return String(error);
  }
}

it('tracks with the public key, with an idempotency key, across origins', async () => {
  const baseUrl = app.stack.urls.api;
  const result = await page.evaluate(trackInPage, { apiKey: app.demo.publicKey, baseUrl });
  const server = new Postrider({ apiKey: app.demo.secretKey, baseUrl });
  const { events } = await server.events.list({ eventName: 'visited from a page' });
  expect(events.map(({ id }) => `stored ${id}`)).toEqual([result]);
});

it('refuses a secret key in a page with a clear error', async () => {
  const given = { apiKey: app.demo.secretKey, baseUrl: app.stack.urls.api };
  expect(await page.evaluate(trackInPage, given)).toContain(
    'A secret key must not be used in a browser, where every visitor can read it: use the public key',
  );
});
