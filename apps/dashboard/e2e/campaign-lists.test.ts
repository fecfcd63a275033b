import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violations, wear } from './accessibility.ts';
import { type DemoApp, startDemoApp, visitDemo } from './app.ts';

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Thunderbird/145.0';
const readers = ['ann', 'ben', 'cleo', 'dan'].map((name) => `${name}@lists.example`);

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
  openedCount: number;
}
const campaignOf = (id: string) => ask<Campaign>(`/campaigns/${id}`);
const statsOf = (id: string) => ask<{ pendingCount: number }>(`/campaigns/${id}/stats`);

/** A campaign to the readers. @returns its id */
async function compose(name: string, more: object = {}): Promise<string> {
  const filters = [{ field: 'email', operator: 'contains', value: '@lists.example' }];
  const { data } = await ask<{ data: { id: string } }>('/campaigns', {
    ...{
      name,
      subject: `${name} ${app.demo.secretKey.slice(-8)}`,
      body: '<p>Hello</p>',
      from: app.demo.from,
    },
    ...{
      type: 'MARKETING',
      audienceType: 'FILTERED',
      audienceCondition: { logic: 'AND', groups: [{ filters }] },
    },
    ...more,
  });
  return data.id;
}

const mailbox = async <Answer>(path: string): Promise<Answer> =>
  (await fetch(`${app.stack.urls.mailbox}/api/messages${path}`)).json() as Promise<Answer>;

/** Opens the email of a campaign that some readers got. */
async function open(name: string, count: number): Promise<void> {
  const search = encodeURIComponent(`${name} ${app.demo.secretKey.slice(-8)}`);
  const { messages } = await mailbox<{ messages: { id: number }[] }>(`?search=${search}`);
  for (const { id } of messages.slice(0, count)) {
    const { html } = await mailbox<{ html: string }>(`/${id}`);
    const [, pixel = ''] = /src="([^"]+\/t\/o\/[^"]+)"/.exec(html) ?? [];
    const answer = await fetch(pixel.replaceAll('&amp;', '&'), { headers: { 'user-agent': userAgent } });
    expect(answer.status).toBe(200);
  }
}

const headline = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** It meets WCAG in both colours and fits a phone; a picture of each width is kept where one is asked for. */
async function lookAt(page: Page, name: string): Promise<void> {
  for (const colours of ['light', 'dark'] as const) {
    await wear(page, colours);
    expect(await violations(page), `${name} in ${colours} colours`).toEqual([]);
  }
  await wear(page, 'light');
  const folder = process.env['LIST_SHOTS'];
  const viewport = page.viewportSize() ?? { width: 1_280, height: 900 };
  for (const width of [1_280, 800, 380]) {
    await page.setViewportSize({ ...viewport, width });
    if (folder) await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
    const shown = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(shown, `${name} at ${width}`).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize(viewport);
}

it('the list shows what campaigns did, sends a cancelled one to the rest, and compares; the calendar shows their days', async () => {
  const whole = await compose('Whole');
  await ask(`/campaigns/${whole}/send`, {});
  await expect.poll(async () => (await campaignOf(whole)).status, { timeout: 60_000 }).toBe('SENT');
  await open('Whole', 3);
  await expect.poll(async () => (await campaignOf(whole)).openedCount).toBe(3);

  const stopped = await compose('Cut short', { pace: { perHour: 1 } });
  await ask(`/campaigns/${stopped}/send`, {});
  await expect.poll(async () => (await campaignOf(stopped)).sentCount, { timeout: 60_000 }).toBe(1);
  await ask(`/campaigns/${stopped}/cancel`, {});
  await expect.poll(async () => (await statsOf(stopped)).pendingCount, { timeout: 60_000 }).toBe(0);

  const later = await compose('Of next month');
  const now = new Date();
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15, 12));
  await ask(`/campaigns/${later}/send`, { scheduledFor: next.toISOString() });

  const page = await visitDemo(app);
  const project = page.url();
  await page.goto(`${project}/campaigns`);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('Whole').getByRole('cell', { name: '4', exact: true }).waitFor();
  await row('Whole').getByRole('cell', { name: '75%', exact: true }).waitFor();
  await row('Cut short').getByRole('cell', { name: '1 of 4', exact: true }).waitFor();
  await lookAt(page, 'list');

  await page.getByRole('checkbox', { name: 'Select Whole' }).check();
  await page.getByText('1 selected. Select 2 to 5 to compare them.').waitFor();
  await page.getByRole('checkbox', { name: 'Select Cut short' }).check();
  await page.getByRole('link', { name: 'Compare' }).click();
  await headline(page, 'Compare campaigns');
  const table = page.getByRole('table', { name: 'Campaigns side by side' });
  await table.getByRole('row', { name: 'Sent 4 1 of 4' }).waitFor();
  await table.getByRole('row', { name: 'Accepted 100% 4 100% 1' }).waitFor();
  await table.getByRole('row', { name: 'Opened 75% 3 0% 0' }).waitFor();
  const curves = page.getByRole('region', { name: 'In the first three days' });
  await curves.getByRole('button', { name: 'Show as a table' }).click();
  await curves.getByRole('row', { name: '1 h 75% 0%' }).waitFor();
  await lookAt(page, 'compare');

  await page.goto(`${project}/campaigns/calendar`);
  const calendar = page.getByRole('table', { name: 'Campaigns by day' });
  await calendar.getByRole('link', { name: /Sent: Whole$/ }).waitFor();
  await calendar.getByRole('link', { name: /Cancelled: Cut short$/ }).waitFor();
  await lookAt(page, 'calendar');
  await page.getByRole('button', { name: 'Next month' }).click();
  await calendar.getByRole('link', { name: /Scheduled: Of next month$/ }).click();
  await headline(page, 'Of next month');

  await page.goto(`${project}/campaigns`);
  await page.getByRole('button', { name: 'Actions for Cut short' }).click();
  await page.getByRole('menuitem', { name: 'Send to the rest' }).click();
  await headline(page, 'Cut short (2)');
  await page.getByText('All 3 contacts will get this email.').waitFor();

  await page.goto(`${project}/campaigns/${whole}`);
  await page
    .getByRole('region', { name: 'Opens and clicks over time' })
    .getByText('Show as a table')
    .waitFor();
  await lookAt(page, 'report');
  await page.goto(`${project}/analytics`);
  await page.getByRole('region', { name: 'Sent over time' }).getByText('Show as a table').waitFor();
  await lookAt(page, 'analytics');
  await page.context().close();
}, 300_000);
