import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violations } from './accessibility.ts';
import { choose, type DemoApp, goTo, startDemoApp, visitDemo, writeHtml } from './app.ts';

const readers = Array.from({ length: 20 }, (_, n) => `reader-${n}@tests.example`);

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
  for (const email of readers) await ask('/contacts', { email, subscribed: true });
});
afterAll(() => app?.close());

async function ask<Answer>(path: string, payload?: object): Promise<Answer> {
  const answer = await fetch(app.stack.urls.api + path, {
    method: payload ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${app.demo.secretKey}`, 'content-type': 'application/json' },
    body: payload ? JSON.stringify(payload) : null,
  });
  expect(answer.ok, `${path}: ${answer.status}`).toBe(true);
  return (await answer.json()) as Answer;
}

interface Campaign {
  status: string;
  sentCount: number;
  test: { variants: object[]; state: string | null; winner: string | null; startedAt: string | null } | null;
}
const campaignOf = (id: string) => ask<Campaign>(`/campaigns/${id}`);

/** The number of messages with this subject that the mailbox has received. */
async function received(subject: string): Promise<number> {
  const answer = await fetch(`${app.stack.urls.mailbox}/api/messages?search=${encodeURIComponent(subject)}`);
  return ((await answer.json()) as { messages: unknown[] }).messages.length;
}

const headline = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** A picture at the width of a desktop and of a phone, where one is asked for. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['TEST_SHOTS'];
  if (!folder) return;
  const viewport = page.viewportSize();
  for (const width of [1_440, 400]) {
    await page.setViewportSize({ width, height: 1_000 });
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  }
  if (viewport) await page.setViewportSize(viewport);
}

it('variants are written in the composer, compared by a sample, and the chosen one goes to the rest', async () => {
  const own = app.demo.secretKey.slice(-8);
  const [first, second] = [`Plain ${own}`, `Daring ${own}`];
  const { id: segmentId } = await ask<{ id: string }>('/segments', { name: 'Test readers', type: 'STATIC' });
  await ask(`/segments/${segmentId}/members`, { emails: readers });

  const page = await visitDemo(app);
  await goTo(page, 'Campaigns');
  await page.getByRole('link', { name: 'New campaign' }).click();
  await headline(page, 'New campaign');
  await page.getByLabel('Name', { exact: true }).fill('Compared');
  await choose(page.getByLabel('Send to', { exact: true }), 'A segment');
  await choose(page.getByLabel('Segment', { exact: true }), 'Test readers');
  await page.getByLabel('Subject', { exact: true }).fill(first);
  await writeHtml(page, '<p>Hello</p>');

  const test = page.getByRole('group', { name: 'Test', exact: true });
  await test.getByRole('button', { name: 'Add variant B' }).click();
  const dialog = page.getByRole('dialog', { name: 'Variant B' });
  await dialog.getByRole('button', { name: 'Keep variant' }).click();
  await dialog.getByText('It is the same as A.').waitFor();
  await dialog.getByLabel('Subject', { exact: true }).fill(second);
  await shot(page, 'variant');
  await dialog.getByRole('button', { name: 'Keep variant' }).click();
  await test.getByText('Another subject').waitFor();
  await test.getByLabel('Sample, in percent').fill('50');
  await choose(test.getByLabel('Decision', { exact: true }), 'I choose the winner');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await headline(page, 'Edit campaign');
  const id = /campaigns\/([^/]+)\/edit/.exec(page.url())?.[1] ?? '';
  expect((await campaignOf(id)).test).toMatchObject({
    ...{ variants: [{ subject: second }], sample: 50, metric: 'CLICKS', decide: 'MANUAL', state: null },
  });
  await test
    .getByRole('status')
    .getByText(/people per variant find a rise/)
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await shot(page, 'composer');
  // What is shown after a reload is what was saved.
  await page.reload();
  await test.locator('span', { hasText: second }).first().waitFor();

  await ask(`/campaigns/${id}/send`, {});
  await page.goto(page.url().replace('/edit', ''));
  const panel = page.getByRole('region', { name: 'Test' });
  await panel.getByText('The test is running.').waitFor();
  const isBegun = async () => (await campaignOf(id)).test?.startedAt !== null;
  await expect.poll(isBegun, { timeout: 120_000 }).toBe(true);
  const sample = (await received(first)) + (await received(second));
  expect(sample).toBeGreaterThan(0);
  expect(sample).toBeLessThan(readers.length);
  await page.reload();
  await panel.getByText(/It ends on/).waitFor();
  await shot(page, 'running');
  expect(await violations(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Send B to the rest' }).click();
  const confirm = page.getByRole('dialog');
  await confirm.getByText(`${readers.length - sample} recipients get it now.`).waitFor();
  await confirm.getByRole('button', { name: 'Send to the rest' }).click();
  await panel.getByText('Variant B was chosen.').waitFor();
  const isSent = async () => (await campaignOf(id)).status === 'SENT';
  await expect.poll(isSent, { timeout: 120_000 }).toBe(true);
  expect((await received(first)) + (await received(second))).toBe(readers.length);
  await page.reload();
  await panel.getByText('Winner', { exact: true }).waitFor();
  await shot(page, 'decided');
  await page.context().close();
}, 300_000);
