import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@postrider/local/ports';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type App, startApp } from './app.ts';

/** Sign-in with a provider (behaviour B4.16): an api of its own on the shared database, with providers on this machine. */
const entry = fileURLToPath(new URL('../../api/test/served-with-providers.ts', import.meta.url));

let app: App;
let product: ChildProcess;
let url: string;

beforeAll(async () => {
  app = await startApp();
  const port = await freePort();
  url = `http://localhost:${port}`;
  product = fork(entry, [], {
    env: {
      ...process.env,
      ...inject('app').env,
      PORT: String(port),
      API_URL: url,
      DASHBOARD_URL: url,
      TRUST_PROXY: '1',
    },
  });
  await once(product, 'message');
});
afterAll(async () => {
  if (product?.connected) {
    product.disconnect();
    await once(product, 'exit');
  }
  await app?.close();
});

/** Has the providers sign in a new person. @returns their address */
async function comes({ verified = true } = {}): Promise<string> {
  const email = `${randomBytes(6).toString('hex')}@people.test`;
  product.send({ subject: String(randomBytes(4).readUInt32BE()), email, verified });
  await once(product, 'message');
  return email;
}

/** The login page, in a new browser that the sign-in limits know by an address of its own. */
async function visitLogin(): Promise<Page> {
  const page = await app.visit('/config', {
    extraHTTPHeaders: { 'x-forwarded-for': `203.0.113.${randomBytes(1)[0]}` },
  });
  await page.goto(`${url}/login`);
  return page;
}

const buttons = ['Continue with GitHub', 'Continue with Google'];
const press = (page: Page, button: string) => page.getByRole('link', { name: button }).click();

async function refusedWith(page: Page, text: RegExp): Promise<void> {
  await page.getByText('You could not be signed in').waitFor();
  await page.getByText(text).waitFor();
  expect(new URL(page.url()).pathname).toBe('/login');
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name }) => name)).not.toContain('postrider_session');
}

it.each([...buttons, 'Continue with single sign-on'])('%s signs a new person up', async (button) => {
  const email = await comes();
  const page = await visitLogin();
  await press(page, button);
  await page.waitForURL(({ origin, pathname }) => origin === url && pathname !== '/login');
  await page.goto(`${url}/account`);
  await page.getByText(email).first().waitFor();
  await page.context().close();
});

it.each(buttons)('%s refuses an address that the provider has not verified', async (button) => {
  await comes({ verified: false });
  const page = await visitLogin();
  await press(page, button);
  await refusedWith(page, /has not verified your email address/);
  await page.context().close();
});

it.each(['github', 'google'])('%s: a state that this browser did not start is refused', async (name) => {
  const page = await visitLogin();
  await page.goto(`${url}/auth/oauth/${name}/callback?code=1&state=forged`);
  await refusedWith(page, /was not started in this browser/);
  await page.context().close();
});

it.each(['github', 'google'])('%s: a code that was redeemed before is refused', async (name) => {
  await comes();
  const page = await visitLogin();
  const { request } = page.context();
  const next = async (from: string): Promise<string> =>
    (await request.get(from, { maxRedirects: 0 })).headers()['location'] ?? '';
  const callback = await next(await next(`${url}/auth/oauth/${name}`));
  // The code is redeemed with everything that this browser would send, before it does.
  const cookies = await page.context().cookies(callback);
  const cookie = cookies.map(({ name: key, value }) => `${key}=${value}`).join('; ');
  const redeemed = await fetch(callback, { headers: { cookie }, redirect: 'manual' });
  expect(redeemed.headers.get('set-cookie')).toContain('postrider_session=');
  await page.goto(callback);
  await refusedWith(page, /did not answer as expected/);
  await page.context().close();
});
