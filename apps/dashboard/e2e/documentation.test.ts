import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations, wear } from './accessibility.ts';
import { type DemoApp, startDemoApp } from './app.ts';

/** The documentation in a browser (behaviour B4.21): one page of each kind. */
const kinds = {
  home: '/docs',
  guide: '/docs/first-email',
  operations: '/docs/api',
  operation: '/docs/api/sending.send',
  'large operation': '/docs/api/workflows.replaceGraph',
  webhooks: '/docs/webhooks',
  webhook: '/docs/webhooks/email.bounce',
  errors: '/docs/errors',
  error: '/docs/errors/VALIDATION_ERROR',
  'unknown page': '/docs/nothing',
};

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

describe.each(Object.entries(kinds))('the page of kind %s', (_kind, path) => {
  it('has no barriers, light and dark, with everything unfolded, and fits a narrow screen', async () => {
    const page = await app.visit(path);
    await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true })');
    for (const scheme of ['light', 'dark'] as const) {
      await wear(page, scheme);
      expect(await violations(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 380, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(380);
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });
});

it('is read, and samples are chosen, without a script', async () => {
  const page = await app.visit('/docs/api/sending.send', { javaScriptEnabled: false });
  expect(await page.getByText('import requests').isVisible()).toBe(false);
  await page.getByRole('radio', { name: 'Python' }).check();
  expect(await page.getByText('import requests').isVisible()).toBe(true);
  expect(await page.getByRole('button').count()).toBe(0);
  await page.context().close();
});

it('is searched by keyboard alone', async () => {
  const page = await app.visit('/docs');
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('TEMPLATE_NOT_FOUND');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'TEMPLATE_NOT_FOUND' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/docs/errors/TEMPLATE_NOT_FOUND');
  await page.context().close();
});

it('keeps the language of samples from page to page, and names the address of this installation', async () => {
  const page = await app.visit('/docs/api/sending.send');
  await page.getByRole('radio', { name: 'curl' }).check();
  await page.goto(`${app.stack.urls.dashboard}/docs/api/contacts.list`);
  const shown = page.locator('.tab:visible');
  expect(await shown.innerText()).toContain(`curl ${new URL(page.url()).origin}/contacts`);
  await page.context().close();
});

it('the console sends the examples as they are, with a key that is filled in, and they are answered', async () => {
  const page = await app.visit('/docs/console/');
  await page.getByPlaceholder('Token').first().fill(app.demo.secretKey);
  const pages = page.locator('nav, aside').first();
  const answers: string[] = [];
  for (const { group, title, request } of [
    { group: 'Sending', title: 'Send an email', request: 'post /v1/send' },
    { group: 'Sending', title: 'List emails', request: 'get /emails' },
    { group: 'Analytics', title: 'Get figures over time', request: 'get /analytics/timeseries' },
  ]) {
    const link = pages.getByText(title, { exact: true }).first();
    if (!(await link.isVisible())) await pages.getByText(group, { exact: true }).first().click();
    await link.click();
    const test = page.getByRole('button', { name: 'Test Request' });
    await test.filter({ hasText: `(${request})` }).click();
    const client = page.getByRole('dialog');
    // For the second time too: no example uses up a key.
    for (const _attempt of [1, 2]) {
      const [method = '', path = ''] = request.split(' ');
      const replied = page.waitForResponse(
        (response) =>
          response.request().method() === method.toUpperCase() && new URL(response.url()).pathname === path,
      );
      await client.getByRole('button', { name: /^Send (get|post) request/ }).click();
      answers.push(`${request}: ${(await replied).status()}`);
    }
    await client.getByRole('button', { name: 'Close Client' }).click();
  }
  expect(answers).toEqual([
    'post /v1/send: 200',
    'post /v1/send: 200',
    'get /emails: 200',
    'get /emails: 200',
    'get /analytics/timeseries: 200',
    'get /analytics/timeseries: 200',
  ]);
  await page.context().close();
});
