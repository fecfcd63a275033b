import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choose, type DemoApp, goTo, startDemoApp, visitDemo } from './app.ts';

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

const headline = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

describe('the command palette', () => {
  it('finds a record by the keyboard alone, and offers it again', async () => {
    const page = await visitDemo(app);
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    await page.keyboard.press('Control+k');
    await palette.getByRole('option', { name: 'New campaign' }).waitFor();
    await page.keyboard.type('contact-4999@');
    await palette.getByRole('option', { name: 'contact-4999@people.example' }).first().waitFor();
    await page.keyboard.press('Enter');
    await headline(page, 'Contact 4999');

    await page.getByRole('button', { name: 'Search' }).click();
    await palette.getByText('Recent').waitFor();
    await page.keyboard.type('import contacts');
    await palette.getByRole('option', { name: 'Import contacts' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Import contacts' }).waitFor();
    await page.context().close();
  });
});

describe('requests to copy', () => {
  it('are in the language that was chosen last, with the key masked on the page', async () => {
    const page = await visitDemo(app);
    await goTo(page, 'API keys');
    const request = page.locator('figure').filter({ hasText: 'REST' });
    await request.getByRole('button', { name: 'Python' }).click();
    await request.getByText('requests.post(').waitFor();
    expect(await request.innerText()).toMatch(/Bearer sk_\w{4}•+/);
    await page.reload();
    await request.getByText('requests.post(').waitFor();
    expect(await request.getByRole('button', { pressed: true }).allInnerTexts()).toEqual(['Python']);
    await page.context().close();
  });
});

describe('shortcuts of single keys', () => {
  it('open pages outside of fields, and can be switched off', async () => {
    const page = await visitDemo(app);
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await headline(page, 'Templates');
    await page.getByLabel('Search templates').focus();
    await page.keyboard.type('gc');
    expect(await page.getByLabel('Search templates').inputValue()).toBe('gc');
    await page.locator('h1').click();
    await page.keyboard.press('c');
    await headline(page, 'New template');
    // The preview of the new template has a heading of its own.
    await page.getByRole('heading', { name: 'New template' }).click();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('link').click();

    await page.getByLabel('Single keys are shortcuts').uncheck();
    await page.goto(app.stack.urls.dashboard);
    await headline(page, 'Overview');
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
    await page.keyboard.press('Escape');
    await headline(page, 'Overview');
    await page.context().close();
  });
});

describe('a failure keeps the page and what was typed', () => {
  it('a session that ends is renewed in a dialog, and the form is saved afterwards', async () => {
    const page = await visitDemo(app);
    await goTo(page, 'Segments');
    await page.getByRole('link', { name: 'New segment' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Kept through a login');
    await choose(page.getByLabel('Type', { exact: true }), /^Static/);
    await page.waitForLoadState('networkidle');
    await page.context().clearCookies();
    const save = page.getByRole('button', { name: 'Create segment' });
    await save.click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill('wrong password');
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await dialog.getByText('The email address or the password is wrong').waitFor();
    await dialog.getByLabel('Password').fill(app.demo.password);
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kept through a login');
    await save.click();
    await headline(page, 'Kept through a login');
    await page.context().close();
  });

  it('without a network, the page says so and continues afterwards', async () => {
    const page = await visitDemo(app);
    await goTo(page, 'Templates');
    await headline(page, 'Templates');
    await page.context().setOffline(true);
    await page.getByText('You are offline').waitFor();
    await page.getByLabel('Search templates').fill('Welcome');
    await page.context().setOffline(false);
    await page.getByText('You are offline').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Welcome' }).waitFor();
    expect(await page.getByLabel('Search templates').inputValue()).toBe('Welcome');
    await page.context().close();
  });

  it('a page that was asked for without a network opens by itself once there is one', async () => {
    const page = await visitDemo(app);
    await page.context().setOffline(true);
    await goTo(page, 'Templates');
    await page.getByText('The page opens when the connection is back').waitFor();
    await page.context().setOffline(false);
    await headline(page, 'Templates');
    await page.context().close();
  });

  it('after a deployment, a page whose file is gone asks to reload, which opens it', async () => {
    const page = await visitDemo(app);
    await page.route(/assets\/domains-.*[.]js/, (route) => route.fulfill({ status: 404 }));
    await goTo(page, 'Domains');
    await headline(page, 'A new version is available');
    await page.unroute(/assets\/domains-.*[.]js/);
    await page.getByRole('button', { name: 'Reload' }).click();
    await headline(page, 'Domains');
    await page.context().close();
  });

  it('at an unknown address, navigation and search stay', async () => {
    const page = await visitDemo(app);
    await page.goto(`${page.url()}/no-such-page`);
    await headline(page, 'Page not found');
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
    await page.keyboard.press('Escape');
    await goTo(page, 'Overview');
    await headline(page, 'Overview');
    await page.context().close();
  });
});

describe('a link', () => {
  it('loads the files and the record of its page while the pointer or the focus rests on it', async () => {
    const page = await visitDemo(app);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const asked = (wanted: RegExp) => expect.poll(() => requested.some((url) => wanted.test(url))).toBe(true);
    await page.getByRole('link', { name: 'Segments', exact: true }).hover();
    await asked(/assets\/segments-.*[.]js$/);
    await goTo(page, 'Templates');
    const template = page.getByRole('link', { name: 'Welcome', exact: true });
    await template.focus();
    await asked(/assets\/template-.*[.]js$/);
    await asked(/trpc\/.*templates[.]get/);
    expect(page.url()).toMatch(/\/templates$/);

    await page.waitForLoadState('networkidle');
    requested.length = 0;
    await page.keyboard.press('Enter');
    await headline(page, 'Welcome');
    expect(requested.filter((url) => /assets\/template-/.test(url))).toEqual([]);
    await page.context().close();
  });
});

it('before the first page, less than 150 kB of JavaScript is loaded, compressed with gzip', async () => {
  const { dashboard } = app.stack.urls;
  const html = await (await fetch(`${dashboard}/login`, { headers: { accept: 'text/html' } })).text();
  const files = [...html.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);
  const sizeOf = async (path: string): Promise<number> => {
    const [answer] = (await once(
      get(dashboard + path, { headers: { 'accept-encoding': 'gzip' } }),
      'response',
    )) as [IncomingMessage];
    return Buffer.concat(await answer.toArray()).length;
  };
  const sizes = await Promise.all(files.map(sizeOf));
  expect(sizes.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(150_000);
});
