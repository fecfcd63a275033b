import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from '@postrider/local/chromium';
import { type DemoAccess, demoAccess } from '@postrider/local/demo';
import { type Stack, startStack } from '@postrider/local/stack';
import { type Browser, type BrowserContextOptions, type Cookie, chromium, type Page } from 'playwright-core';

/** The whole product on free ports, with the demo data in a new database, and a browser. */
export interface App {
  stack: Stack;
  demo: DemoAccess;
  /** Opens a page in a new browser context, without cookies. */
  visit(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** The session of the demo account. */
  demoCookies(): Promise<Cookie[]>;
  close(): Promise<void>;
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
];

/** High enough that a campaign to all demo contacts takes seconds. */
const sendRate = { SEND_RATE_PER_SECOND: '10000' };

/** @param env for the api and worker of the stack */
export async function startApp(env: Record<string, string> = {}): Promise<App> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-e2e-'));
  await chmod(folder, 0o755);
  const stack = await startStack({
    dataDir: join(folder, 'data'),
    throwAway: true,
    env: { ...sendRate, ...env },
  });
  let browser: Browser | undefined;
  const close = async () => {
    await browser?.close();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const demo = await demoAccess(stack);
    if (!demo) throw new Error('An empty database got no demo data');
    const opened = await chromium.launch({ executablePath: await ensureChromium(), args: flags });
    browser = opened;
    const visit = async (path: string, options: BrowserContextOptions = {}) => {
      const context = await opened.newContext({
        viewport: { width: 1280, height: 900 },
        reducedMotion: 'reduce',
        ...options,
      });
      context.setDefaultTimeout(30_000);
      const page = await context.newPage();
      await page.goto(stack.urls.dashboard + path);
      return page;
    };
    let session: Promise<Cookie[]> | undefined;
    const enter = async () => {
      const page = await visit('/login');
      await logIn(page, demo);
      await page.getByRole('heading', { level: 1, name: 'Demo' }).waitFor();
      const cookies = await page.context().cookies();
      await page.context().close();
      return cookies;
    };
    const demoCookies = () => {
      session ??= enter();
      return session;
    };
    return { stack, demo, visit, demoCookies, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function logIn(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/**
 * Opens the demo project in a new browser context. The login form is used once and its cookie is reused, because the
 * API accepts only ten logins per minute from one address.
 */
export async function visitDemo(app: App, options?: BrowserContextOptions): Promise<Page> {
  const cookies = await app.demoCookies();
  const page = await app.visit('/login', options);
  await page.context().addCookies(cookies);
  await page.goto(app.stack.urls.dashboard);
  await page.getByRole('heading', { level: 1, name: 'Demo' }).waitFor();
  return page;
}

/** Follows a link of the sidebar. */
export const goTo = (page: Page, place: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Project', exact: true }).getByRole('link', { name: place }).click();
