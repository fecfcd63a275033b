import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { MAIL_LANGUAGES, type MailLanguage } from '@postrider/core/base/lib/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { violations, wear } from './accessibility.ts';
import { choose, type DemoApp, startDemoApp, visitDemo } from './app.ts';

/** Where pictures of every page are kept, for people to look at; nowhere unless this is set. */
const pictures = process.env['PICTURES'];

let app: DemoApp;
let projectId: string;
let form: { id: string; url: string };
const findings: string[] = [];
/** hosts that pages have asked for anything */
const hosts = new Set<string>();

beforeAll(async () => {
  app = await startDemoApp();
  // Forms take no address whose domain does not exist.
  app.dns.set('example.com', 'A', ['192.0.2.1']);
  const { data } = (await ask('GET', '/contacts?limit=1')) as { data: { projectId: string }[] };
  projectId = data[0]?.projectId ?? '';
  await settings({
    name: 'Tulip Post',
    brand: {
      primaryColor: '#7a1f5c',
      backgroundColor: '#f7f1ec',
      address: 'Bloemgracht 12, 1016 KB Amsterdam',
    },
    consent: {
      confirmation: { from: app.demo.from },
      privacyUrl: 'https://example.com/privacy',
    },
  });
  await ask('POST', '/topics', {
    key: 'product',
    name: textsOf('Product'),
    description: textsOf('Once a month'),
    default: 'OUT',
  });
  form = (await ask('POST', '/forms', {
    name: 'Footer',
    enabled: true,
    title: textsOf('Our newsletter'),
    text: textsOf('What is new, once a month.'),
    consentText: textsOf('Yes, send me news.'),
    topics: ['general', 'product'],
    fields: [
      { key: 'firstName', label: textsOf('First name'), type: 'TEXT', required: true },
      {
        key: 'plan',
        label: textsOf('Plan'),
        type: 'SELECT',
        options: [{ value: 'pro', label: textsOf('Pro') }],
      },
      { key: 'born', label: textsOf('Born'), type: 'DATE' },
      { key: 'adult', label: textsOf('I am an adult'), type: 'CHECKBOX' },
    ],
  })) as { id: string; url: string };
});
afterAll(() => app?.close());

const textsOf = (text: string): Record<string, string> =>
  Object.fromEntries(MAIL_LANGUAGES.map((language) => [language, `${text} (${language})`]));

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(app.stack.urls.api + path, {
    method,
    headers: { authorization: `Bearer ${app.demo.secretKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect([answer.ok, text]).toEqual([true, text]);
  return text === '' ? null : JSON.parse(text);
}

async function settings(change: object): Promise<void> {
  const cookie = (await app.demoCookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const answer = await fetch(`${app.stack.urls.api}/users/@me/projects/${projectId}`, {
    method: 'PATCH',
    headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(change),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

/** The first link of the newest email to an address. */
async function linkTo(address: string): Promise<string> {
  const api = `${app.stack.urls.mailbox}/api/messages`;
  const found = await vi.waitUntil(
    async () => {
      const answer = await fetch(`${api}?search=${encodeURIComponent(address)}`);
      const { messages } = (await answer.json()) as { messages: { id: number }[] };
      return messages[0];
    },
    { timeout: 60_000, interval: 200 },
  );
  const { html } = (await (await fetch(`${api}/${found.id}`)).json()) as { html: string };
  return /href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
}

/** A new reader of that language, and the path of its pages. */
async function reader(language: MailLanguage, name: string): Promise<string> {
  const email = `${name}-${language}-${Date.now()}@example.com`;
  await ask('POST', '/contacts', { email, data: { locale: language } });
  await ask('POST', '/v1/send', {
    to: email,
    from: app.demo.from,
    subject: 'A letter',
    body: '<p><a href="{{manageUrl}}">Preferences</a></p>',
  });
  return (await linkTo(email)).replace(/\/manage$/, '');
}

/** Looks at a page on a phone of 320 pixels. */
async function look(page: Page, name: string): Promise<void> {
  // The colours are the same in every language.
  for (const scheme of name.startsWith('en') ? (['light', 'dark'] as const) : (['light'] as const)) {
    await wear(page, scheme);
    for (const each of await violations(page)) findings.push(`${name} ${scheme}: ${each}`);
    if (pictures === undefined) continue;
    await mkdir(pictures, { recursive: true });
    for (const viewport of [desktop, phone.viewport]) {
      await page.setViewportSize(viewport);
      await page.screenshot({
        path: join(pictures, `${name.replaceAll(/[^\w-]+/g, '-')}-${scheme}-${viewport.width}.png`),
        fullPage: true,
      });
    }
  }
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  if (width > 320) findings.push(`${name}: ${width} pixels wide`);
  const small = await page.evaluate<
    string[]
  >(`[...document.querySelectorAll('a, button, input:not([type=hidden], [tabindex="-1"]), select')]
    .filter((each) => { const box = (each.closest('label') ?? each).getBoundingClientRect(); return box.height < 43.5; })
    .map((each) => each.outerHTML.slice(0, 80))`);
  const odd = await page.evaluate<string[]>(`[...document.querySelectorAll('input[type=checkbox]')]
    .filter((each) => {
      const [box, text] = [each, each.parentElement.querySelector('span')].map((one) => one.getBoundingClientRect());
      return box.width > 24 || text.width < 40 || text.top > box.bottom;
    }).map((each) => each.outerHTML.slice(0, 80))`);
  for (const each of odd) findings.push(`${name}: a box that is not beside its label: ${each}`);
  for (const each of small) findings.push(`${name}: a target of less than 44 pixels: ${each}`);
}

const phone = { viewport: { width: 320, height: 700 }, locale: 'en' };
const desktop = { width: 1280, height: 800 };

async function openOn(url: string, options: object = {}): Promise<Page> {
  const page = await app.visit('/login', { ...phone, ...options });
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto(url);
  return page;
}

describe('the pages of recipients and of forms', () => {
  it.each(MAIL_LANGUAGES)(
    '%s: every one, accessible on a phone, with boxes beside their labels',
    async (language) => {
      findings.length = 0;
      const base = await reader(language, 'pages');
      const page = await openOn(`${base}/manage`);
      const main = () => page.locator('button.main');
      const name = (what: string): string => `${language} ${what}`;
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      await look(page, name('manage'));
      await page.getByRole('checkbox').nth(1).check();
      await main().click();
      await page.getByRole('status').waitFor();
      await look(page, name('manage saved'));
      await page.locator('button[value="1m"]').click();
      await page.getByRole('status').waitFor();
      await look(page, name('paused'));
      await page.goto(base);
      await look(page, name('unsubscribe'));
      await main().click();
      await page.getByRole('status').waitFor();
      await look(page, name('unsubscribed'));
      await page.goto(`${base}/manage`);
      expect(await page.locator('button[value="1m"]').count()).toBe(0);
      await look(page, name('manage unsubscribed'));
      await page.goto(`${base}/subscribe`);
      await look(page, name('subscribe'));
      await main().click();
      await page.getByRole('status').waitFor();
      await look(page, name('subscribed'));
      await page.goto(`${form.url}?lang=${language}`);
      await look(page, name('form'));
      // What is sent within two seconds is taken for a program's.
      await page.waitForTimeout(2_100);
      await main().click();
      await page.getByRole('alert').waitFor();
      await look(page, name('form with mistakes'));
      const email = `delivered+${language}${Date.now()}@example.com`;
      await page.locator('#email').fill(email);
      await page.locator('#field-firstName').fill('Ann');
      await page.getByRole('checkbox').last().check();
      await page.waitForTimeout(2_100);
      await main().click();
      await page.getByRole('status').waitFor();
      await look(page, name('received'));
      const confirm = await linkTo(email);
      await page.goto(confirm);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      await look(page, name('confirm'));
      await main().click();
      await page.getByRole('status').waitFor();
      await look(page, name('confirmed'));
      await page.goto(confirm);
      await look(page, name('confirmed before'));
      const { data } = (await ask('GET', `/contacts?search=${encodeURIComponent(email)}`)) as {
        data: { id: string; status: string }[];
      };
      expect(data).toMatchObject([{ subscribed: true }]);
      await page.context().close();
      expect(findings).toEqual([]);
    },
  );

  it('links that do not work, for a reader of each language', async () => {
    findings.length = 0;
    for (const language of MAIL_LANGUAGES) {
      const page = await openOn(`${app.stack.urls.api}/u/none/manage`, { locale: language });
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      await look(page, `${language} not found`);
      await page.context().close();
    }
    expect(findings).toEqual([]);
  });

  it('after the contact was deleted, and a form that is closed', async () => {
    findings.length = 0;
    const base = await reader('en', 'gone');
    const { data } = (await ask('GET', '/contacts?search=gone-en')) as { data: { id: string }[] };
    await ask('DELETE', `/contacts/${data[0]?.id}`);
    const page = await openOn(`${base}/manage`);
    await look(page, 'deleted');
    await page.locator('button.main').click();
    await page.getByRole('status').waitFor();
    await look(page, 'deleted and left');
    const closed = (await ask('POST', '/forms', {
      name: 'Closed',
      title: { en: 'Closed' },
      consentText: { en: 'Yes' },
    })) as { url: string };
    await page.goto(closed.url);
    await look(page, 'form closed');
    await page.context().close();
    expect(findings).toEqual([]);
  });

  it('work with the keyboard alone, and without any script', async () => {
    const base = await reader('en', 'keys');
    const page = await openOn(`${base}/manage`, { javaScriptEnabled: false });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Your choices are saved.').waitFor();
    await page.context().close();
  });

  it('are shown in Settings › Consent, in the language and on the device that is chosen', async () => {
    const page = await visitDemo(app);
    await page.goto(`${app.stack.urls.dashboard}/p/${projectId}/consent`);
    const panel = page.getByRole('region', { name: 'Pages of recipients' });
    const shown = panel.frameLocator('iframe');
    await shown.getByText('Product (en)').waitFor();
    await choose(panel.getByLabel('Page', { exact: true }), 'Sign-up form');
    await choose(panel.getByLabel('Language', { exact: true }), 'German');
    if ((await panel.getByLabel('Form', { exact: true }).count()) > 0)
      await choose(panel.getByLabel('Form', { exact: true }), 'Footer');
    await shown.getByText('Our newsletter (de)').waitFor();
    await panel.getByText('Phone', { exact: true }).click();
    await vi.waitFor(async () =>
      expect((await panel.locator('iframe').boundingBox())?.width).toBeCloseTo(375, 0),
    );
    if (pictures !== undefined) {
      await mkdir(pictures, { recursive: true });
      await page.screenshot({ path: join(pictures, 'dashboard.png'), fullPage: true });
    }
    await page.context().close();
  });

  it('ask no other host for anything', () => {
    const own = [app.stack.urls.api, app.stack.urls.dashboard].map((url) => new URL(url).host);
    expect([...hosts].filter((host) => !own.includes(host))).toEqual([]);
  });
});

describe('the script of a form on a page of a customer', () => {
  it('sends the form and shows in place what becomes of it', async () => {
    const email = `delivered+script${Date.now()}@example.com`;
    const shop = createServer((_, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(`<!doctype html><html lang="de"><title>Shop</title><form action="${form.url}" method="post" data-received="Danke">
<input name="email"><input name="fields.firstName" value="Ann"><input type="checkbox" name="topics" value="product" checked><button>Go</button></form>
<script src="${form.url}.js"></script></html>`),
    );
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void shop.close());
    const page = await openOn(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`);
    await page.locator('[name=email]').fill('nobody');
    await page.getByRole('button').click();
    await page.getByRole('status').filter({ hasText: 'E-Mail-Adresse' }).waitFor();
    await page.locator('[name=email]').fill(email);
    await page.getByRole('button').click();
    await page.getByRole('status').filter({ hasText: 'Danke' }).waitFor();
    expect(await linkTo(email)).toContain('/s/');
    await page.context().close();
  });
});
