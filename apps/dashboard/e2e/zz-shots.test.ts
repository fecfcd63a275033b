import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, it } from 'vitest';
import { type DemoApp, entered, mailedLink, startDemoApp, goTo } from './app.ts';
let app: DemoApp;
beforeAll(async () => { app = await startDemoApp(); });
afterAll(() => app?.close());
const out = '/tmp/shots-c';
mkdirSync(out, { recursive: true });
const looks = [
  { name: 'desk-light', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: 'phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { name: 'desk-dark', viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  { name: 'phone-light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
] as const;
it('shots', async () => {
  const p = await app.visit('/signup');
  const email = `shot-${Date.now()}@people.test`;
  await p.getByLabel('Email').fill(email);
  await p.getByLabel('Password').fill('correct horse battery');
  await p.getByRole('button', { name: 'Sign up' }).click();
  await p.getByLabel('Name', { exact: true }).fill('Trap');
  await p.getByRole('button', { name: 'Create project' }).click();
  await entered(p, 'Trap');
  const cookies = await p.context().cookies();
  await p.request.post(`${app.stack.urls.api}/auth/request-verification`, { data: {}, headers: { origin: app.stack.urls.dashboard } });
  const demo = await app.demoCookies();
  const base = app.stack.urls.dashboard;
  await p.goto(base);
  await p.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const project = new URL(p.url()).pathname;
  console.log('URL', p.url());
  const link = await mailedLink(app, email, /verify|confirm/i);
  for (const { name, ...look } of looks) {
    const shot = async (page: typeof p, what: string) => { await page.waitForTimeout(900); await page.screenshot({ path: `${out}/${what}-${name}.png`, fullPage: true }); };
    const page = await app.visit('/login', look);
    await page.goto(link); await shot(page, 'verify1');
    await page.getByRole('button', { name: 'Verify email address' }).click();
    await page.getByText('This account was created').waitFor(); await shot(page, 'verify2');
    await page.getByRole('button', { name: 'Set a new password instead' }).click(); await shot(page, 'verify3');
    await page.goto(`${base}/signup?setup=${'a'.repeat(64)}`); await shot(page, 'setup');
    await page.context().addCookies(cookies);
    await page.goto(base); await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor(); await shot(page, 'banner');
    const root = page.url().replace(/\/$/, '');
    for (const where of ['domains', 'settings']) { await page.goto(`${root}/${where}`); await shot(page, `unproven-${where}`); }
    await page.context().clearCookies();
    await page.context().addCookies(demo);
    await page.goto(base); await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const droot = page.url().replace(/\/$/, '');
    for (const where of ['settings', 'reputation', 'domains']) { await page.goto(`${droot}/${where}`); await shot(page, where); }
    await page.context().close();
  }
  void goTo; void project;
}, 240_000);
