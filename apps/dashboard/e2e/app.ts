import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { anotherDemo, type DemoAccess } from '@postrider/local/demo';
import { type DnsServer, startDns } from '@postrider/local/dns-server';
import { type BrowserContextOptions, type Cookie, chromium, type Locator, type Page } from 'playwright-core';
import { expect, inject, vi } from 'vitest';
import type { SharedApp } from './stack-global-setup.ts';

/**
 * The product and the browser that all test files of a run share. Each file signs up users of its own, or uses a demo
 * account of its own, so that files neither see nor disturb each other.
 */
export interface App {
  stack: Pick<SharedApp, 'urls'>;
  /** The only name server of the api and the worker while this file runs; a name that is not set does not exist. */
  dns: DnsServer;
  /** Opens a page in a new browser context, without cookies. */
  visit(path: string, options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

/** An app with a demo account for this file alone. */
export interface DemoApp extends App {
  demo: DemoAccess;
  /** The session of the demo account. */
  demoCookies(): Promise<Cookie[]>;
}

export async function startApp(): Promise<App> {
  const shared = inject('app');
  const dns = await startDns({ port: shared.dnsPort });
  const browser = await chromium.connect(shared.browser);
  return {
    stack: shared,
    dns,
    async visit(path, options = {}) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        reducedMotion: 'reduce',
        ...options,
      });
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      await page.goto(shared.urls.dashboard + path);
      return page;
    },
    async close() {
      await browser.close();
      await dns.stop();
    },
  };
}

export async function startDemoApp(): Promise<DemoApp> {
  const demo = await anotherDemo(inject('app').env, `demo-${randomBytes(4).toString('hex')}`);
  const app = await startApp();
  const enter = async () => {
    const page = await app.visit('/login');
    await logIn(page, demo);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const cookies = await page.context().cookies();
    await page.context().close();
    return cookies;
  };
  let session: Promise<Cookie[]> | undefined;
  const demoCookies = () => {
    session ??= enter();
    return session;
  };
  return { ...app, demo, demoCookies };
}

export async function logIn(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  for (;;) {
    const replied = page.waitForResponse((response) => new URL(response.url()).pathname === '/auth/login');
    await page.getByRole('button', { name: 'Log in' }).click();
    const reply = await replied;
    if (reply.status() !== 429) return;
    // Ten per minute and address are accepted, and all files of a run have the same.
    await delay(Number(reply.headers()['retry-after']) * 1_000);
  }
}

/**
 * Opens the demo project in a new browser context. The login form is used once and its cookie is reused, because the
 * API accepts only ten logins per minute from one address.
 */
export async function visitDemo(app: DemoApp, options?: BrowserContextOptions): Promise<Page> {
  const cookies = await app.demoCookies();
  const page = await app.visit('/login', options);
  await page.context().addCookies(cookies);
  await page.goto(app.stack.urls.dashboard);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  return page;
}

/** The link of the newest email to a person with this subject, as soon as it has arrived. */
export async function mailedLink({ stack }: App, to: string, subject: RegExp): Promise<string> {
  const api = `${stack.urls.mailbox}/api/messages`;
  const mail = await vi.waitUntil(
    async () => {
      const answer = await fetch(`${api}?search=${encodeURIComponent(to)}`);
      const { messages } = (await answer.json()) as { messages: { id: number; subject: string }[] };
      return messages.find((each) => subject.test(each.subject));
    },
    { timeout: 60_000, interval: 200 },
  );
  const { html } = (await (await fetch(`${api}/${mail.id}`)).json()) as { html: string };
  expect(html).toContain('<html lang="en"');
  return /href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
}

/** Waits for the overview of a project. */
export async function entered(page: Page, project: string): Promise<void> {
  await page.getByRole('button', { name: `Project ${project}, switch project` }).waitFor();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

/** Follows a link of the sidebar. */
export const goTo = (page: Page, place: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Project', exact: true }).getByRole('link', { name: place }).click();

/** Writes HTML instead of the design with which a new email begins. @returns the editor of the HTML */
export async function writeHtml(page: Page, html: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.getByRole('button', { name: 'Edit the HTML' }).click();
  await typeHtml(page, html);
  return codeOf(page);
}

/** Opens the editor of the design of an email. @returns its document */
export async function openDesign(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Edit email' }).click();
  const editor = page.getByRole('textbox', { name: 'Email design' });
  await editor.waitFor();
  return editor;
}

/** Goes back from the editor of the design to the form that it belongs to. */
export const closeDesign = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Done', exact: true }).click();

/** The editor of the HTML. */
export const codeOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Body', exact: true });

/** Replaces what the editor of the HTML holds. */
export async function typeHtml(page: Page, html: string): Promise<void> {
  await codeOf(page).press('ControlOrMeta+a');
  await page.keyboard.insertText(html);
  await expect.poll(() => htmlOf(page)).toBe(html);
}

/** The body of the email, as it is submitted. */
export const htmlOf = (page: Page): Promise<string> => page.locator('textarea[name="body"]').inputValue();

/** Selects an option of a select by its label. */
export async function choose(select: Locator, option: string | RegExp): Promise<void> {
  await select.click();
  await select
    .page()
    .getByRole('option', { name: option, exact: typeof option === 'string' })
    .click();
}

/** Selects a field in a condition of a filter; one that is not used yet by its option “Contact field “plan””. */
export async function chooseField(condition: Locator, name: string, option: string = name): Promise<void> {
  const page = condition.page();
  await condition.getByLabel('Field', { exact: true }).click();
  await page.getByLabel('Search: Field').fill(name);
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Presses Tab, or Shift+Tab, until an element has the focus. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element.matches(':focus'))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`80 presses of ${key} do not lead to ${String(target)}`);
}

/** Adds a domain and publishes the DNS records that its page shows. */
export async function verifyDomain(app: App, page: Page, domain: string): Promise<void> {
  await goTo(page, 'Domains');
  await page.getByLabel('Domain', { exact: true }).fill(domain);
  await page.getByRole('button', { name: 'Add domain' }).click();
  await page.getByRole('link', { name: domain }).click();
  const panel = page.getByRole('region', { name: 'DNS record' });
  await panel.getByRole('listitem').first().waitFor();
  for (const record of await panel.getByRole('listitem').all()) {
    const [, name = '', value = ''] = await record.locator('code').allTextContents();
    app.dns.set(name, 'TXT', [value]);
  }
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('Verified', { exact: true }).waitFor();
}
