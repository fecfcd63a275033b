import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { violations, wear } from './accessibility.ts';
import { type DemoApp, startDemoApp, visitDemo } from './app.ts';

/** Paths within the project with their headings. For some lists, the page of the first row is visited too, and its edit page. */
const projectPages = [
  { path: '', heading: 'Overview' },
  { path: '/keys', heading: 'API keys' },
  { path: '/emails', heading: 'Emails', hasDetails: true },
  { path: '/campaigns', heading: 'Campaigns', hasDetails: true, edit: 'Edit campaign' },
  { path: '/campaigns/new', heading: 'New campaign' },
  { path: '/campaigns/compare', heading: 'Compare campaigns' },
  { path: '/campaigns/calendar', heading: 'Calendar' },
  { path: '/contacts', heading: 'Contacts', hasDetails: true },
  { path: '/contacts/fields', heading: 'Contact fields' },
  { path: '/contacts/fields/data.plan', heading: 'plan' },
  { path: '/contacts/imports', heading: 'Imports' },
  { path: '/contacts/suppressions', heading: 'Suppression list' },
  { path: '/segments', heading: 'Segments', hasDetails: true },
  { path: '/segments/new', heading: 'New segment' },
  { path: '/workflows', heading: 'Workflows', hasDetails: true },
  { path: '/workflows/new', heading: 'New workflow' },
  { path: '/workflows/:welcome/versions', heading: 'Versions', hasDetails: true },
  { path: '/workflows/:welcome/figures', heading: 'Figures' },
  { path: '/goals', heading: 'Goals' },
  { path: '/consent', heading: 'Consent' },
  { path: '/forms', heading: 'Forms', hasDetails: true, edit: 'Edit form' },
  { path: '/forms/new', heading: 'New form' },
  { path: '/workflows/:welcome/executions', heading: 'Executions', hasDetails: true },
  { path: '/events', heading: 'Events', hasDetails: true },
  { path: '/templates', heading: 'Templates', hasDetails: true, edit: 'Edit template' },
  { path: '/templates/new', heading: 'New template' },
  { path: '/templates/:template/versions/1', heading: 'Version 1' },
  { path: '/media', heading: 'Media' },
  { path: '/domains', heading: 'Domains', hasDetails: true },
  { path: '/webhooks', heading: 'Webhooks' },
  { path: '/webhooks/:endpoint', heading: 'https://example.com/webhooks', hasDetails: true },
  { path: '/activity', heading: 'Activity' },
  { path: '/privacy', heading: 'Privacy' },
  { path: '/analytics', heading: 'Analytics' },
  { path: '/reputation', heading: 'Reputation' },
  { path: '/billing', heading: 'Billing' },
  { path: '/approvals', heading: 'Approvals' },
  { path: '/requests', heading: 'Requests' },
  { path: '/audit', heading: 'Audit log' },
  { path: '/settings', heading: 'Settings' },
];
const otherPages = ['/account', '/account/delete', '/new-project', '/no-such-page'];

interface Look {
  light: string[];
  dark: string[];
  /** width of the page on a 380-pixel screen, in CSS pixels */
  narrowWidth: number;
}

const seen = new Map<string, Look>();
const consoleErrors: string[] = [];
let app: DemoApp;

/** Visits every page once and records everything that the tests check. */
beforeAll(async () => {
  app = await startDemoApp();
  await sendOneMail();
  await addLongNames();
  const ids = {
    welcome: await enterWelcome(),
    endpoint: await testEndpoint(),
    template: await changeTemplate(),
  };
  const login = await app.visit('/login');
  await login.getByLabel('Email').waitFor();
  seen.set('/login', await lookAt(login));
  await login.context().close();

  const page = await visitDemo(app);
  page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()));
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  for await (const name of everyPage(page, ids)) seen.set(name, await lookAt(page));
  await page.context().close();
});
afterAll(() => app?.close());

async function sendOneMail(): Promise<void> {
  const { demo, stack } = app;
  const answer = await fetch(`${stack.urls.api}/v1/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      to: 'reader@example.com',
      from: demo.from,
      subject: 'A letter',
      body: '<p>Hello</p>',
    }),
  });
  expect(answer.status).toBe(200);
}

async function ask(path: string, init: RequestInit, key = app.demo.secretKey): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(app.stack.urls.api + path, { ...init, headers });
  expect(answer.ok).toBe(true);
  return answer.json();
}

/** The newest campaign and segment, which are the ones visited, have names as long as names can be. */
async function addLongNames(): Promise<void> {
  const create = (path: string, input: object) => ask(path, { method: 'POST', body: JSON.stringify(input) });
  const content = { subject: long(200), body: '<p>Hello</p>', from: app.demo.from };
  await create('/campaigns', { name: long(200), ...content, type: 'MARKETING', audienceType: 'ALL' });
  const filters = [{ field: 'data.plan', operator: 'equals', value: 'pro' }];
  await create('/forms', {
    name: long(100),
    title: { en: long(200) },
    consentText: { en: long(1_000) },
  });
  await create('/segments', { name: long(100), condition: { logic: 'AND', groups: [{ filters }] } });
}

const long = (length: number): string => 'A name as long as names can be '.repeat(7).slice(0, length);

/** Adds a webhook endpoint and sends it a test event. Returns its id. */
async function testEndpoint(): Promise<string> {
  const body = JSON.stringify({ url: 'https://example.com/webhooks', types: ['email.sent'] });
  const { id } = (await ask('/webhook-endpoints', { method: 'POST', body })) as { id: string };
  await ask(`/webhook-endpoints/${id}/test`, { method: 'POST', body: '{}' });
  return id;
}

/** Gives the demo template a second version. Returns its id. */
async function changeTemplate(): Promise<string> {
  const { data } = (await ask('/templates?search=Welcome', {})) as { data: { id: string }[] };
  const id = data[0]?.id ?? '';
  await ask(`/templates/${id}`, { method: 'PATCH', body: JSON.stringify({ subject: 'Hello again' }) });
  return id;
}

/** Runs one contact through the demo workflow. Returns the id of the workflow. */
async function enterWelcome(): Promise<string> {
  const body = JSON.stringify({ event: 'signed up', email: 'newcomer@example.com' });
  await ask('/v1/track', { method: 'POST', body }, app.demo.publicKey);
  const { data } = (await ask('/workflows?search=Welcome', {})) as { data: { id: string }[] };
  const id = data[0]?.id ?? '';
  const entered = async () =>
    ((await ask(`/workflows/${id}/executions?status=COMPLETED`, {})) as { total: number }).total;
  await vi.waitUntil(async () => (await entered()) === 1, { timeout: 45_000, interval: 200 });
  return id;
}

async function* everyPage(
  page: Page,
  ids: { welcome: string; endpoint: string; template: string },
): AsyncGenerator<string> {
  const project = new URL(page.url()).pathname;
  for (const { path, heading, hasDetails, edit } of projectPages) {
    await page.goto(
      app.stack.urls.dashboard +
        project +
        path
          .replace(':welcome', ids.welcome)
          .replace(':endpoint', ids.endpoint)
          .replace(':template', ids.template),
    );
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await loaded(page);
    yield path || '/';
    if (!hasDetails) continue;
    await page.locator('tbody a').first().click();
    await page.waitForURL(/[0-9a-f]{12}$|[?]name=|\/versions\/\d+$/);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await loaded(page);
    yield `${path}/…`;
    if (edit === undefined) continue;
    await page.goto(`${page.url()}/edit`);
    await page.getByRole('heading', { level: 1, name: edit }).waitFor();
    await loaded(page);
    yield `${path}/…/edit`;
  }
  for (const path of otherPages) {
    await page.goto(app.stack.urls.dashboard + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    yield path;
  }
}

/** The role `status` takes no accessible name from its content, so this filters by text. */
const loaded = (page: Page): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: /^Loading/ })
    .first()
    .waitFor({ state: 'detached' });

async function lookAt(page: Page): Promise<Look> {
  await wear(page, 'light');
  const light = await violations(page);
  await wear(page, 'dark');
  const dark = await violations(page);
  await wear(page, 'light');
  const wide = page.viewportSize() ?? { width: 1280, height: 900 };
  await page.setViewportSize({ ...wide, width: 380 });
  const narrowWidth = await page.evaluate<number>('document.documentElement.scrollWidth');
  await page.setViewportSize(wide);
  return { light, dark, narrowWidth };
}

const pagesWith = (isBad: (look: Look) => boolean) => [...seen].filter(([, look]) => isBad(look));

describe('every page', () => {
  it('is visited', () => {
    const details = projectPages.filter(({ hasDetails }) => hasDetails);
    const edits = projectPages.filter(({ edit }) => edit);
    expect(seen.size).toBe(1 + projectPages.length + details.length + edits.length + otherPages.length);
  });

  it('meets WCAG 2.2 AA in light colours', () => {
    expect(pagesWith(({ light }) => light.length > 0)).toEqual([]);
  });

  it('meets WCAG 2.2 AA in dark colours', () => {
    expect(pagesWith(({ dark }) => dark.length > 0)).toEqual([]);
  });

  it('fits a screen of 380 pixels', () => {
    expect(pagesWith(({ narrowWidth }) => narrowWidth > 380)).toEqual([]);
  });

  it('logs no error', () => {
    expect(consoleErrors).toEqual([]);
  });
});

describe('the keyboard', () => {
  it('opens the menu of a narrow screen, follows a link in it, and the focus moves to the heading of the new page', async () => {
    const page = await visitDemo(app, { viewport: { width: 380, height: 800 } });
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await page.getByRole('dialog').getByRole('link', { name: 'Domains' }).press('Enter');
    await page.locator('h1:focus', { hasText: 'Domains' }).waitFor();
    await page.context().close();
  });

  it('can skip the navigation', async () => {
    const page = await visitDemo(app);
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    await page.locator('main:focus').waitFor();
    await page.context().close();
  });
});
