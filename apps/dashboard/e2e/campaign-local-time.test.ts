import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violations } from './accessibility.ts';
import { type DemoApp, startDemoApp, visitDemo } from './app.ts';

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

async function ask<Answer>(path: string, payload?: object): Promise<Answer> {
  const answer = await fetch(app.stack.urls.api + path, {
    method: payload ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${app.demo.secretKey}`, 'content-type': 'application/json' },
    body: payload ? JSON.stringify(payload) : null,
  });
  expect(answer.ok, `${path}: ${answer.status} ${answer.ok ? '' : await answer.clone().text()}`).toBe(true);
  return (await answer.json()) as Answer;
}

interface Campaign {
  status: string;
  scheduledFor: string | null;
  localTime: { at: string; whenPassed: string } | null;
}
const campaignOf = (id: string) => ask<Campaign>(`/campaigns/${id}`);

async function compose(name: string): Promise<string> {
  const { data } = await ask<{ data: { id: string } }>('/campaigns', {
    ...{ name, subject: 'Good morning', body: '<p>Good morning.</p>', from: app.demo.from },
    audienceType: 'ALL',
  });
  return data.id;
}

const headline = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** It meets WCAG and fits a phone; a picture of both widths is kept where one is asked for. */
async function lookAt(page: Page, name: string): Promise<void> {
  // The page behind a dialog is inert, which the engine does not know.
  const found = (await violations(page)).filter((each) => !each.startsWith('aria_hidden_nontabbable'));
  expect(found, name).toEqual([]);
  const folder = process.env['LOCAL_SHOTS'];
  const viewport = page.viewportSize() ?? { width: 1_280, height: 900 };
  for (const width of [1_280, 380]) {
    await page.setViewportSize({ ...viewport, width });
    if (folder) await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(
      width,
    );
  }
  await page.setViewportSize(viewport);
}

/** A day of the middle of the next month, which the calendar shows whole. */
const dayOfNextMonth = (day: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, day)).toISOString().slice(0, 10);
};

it('is scheduled by the clocks of each contact, moved in the calendar by pointer and by keyboard, and shows its waves', async () => {
  const id = await compose('By the clocks');
  const page = await visitDemo(app);
  const project = page.url();
  await page.goto(`${project}/campaigns/${id}`);
  await headline(page, 'By the clocks');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Schedule' }).click();
  const schedule = page.getByRole('dialog', { name: 'Schedule campaign' });
  await schedule.getByRole('radio', { name: 'At the local time of each contact' }).check();
  const time = schedule.getByLabel('Date and time of each contact: time');
  await time.fill('25:00');
  await schedule.getByText('Select a day and enter a time such as 14:30.').waitFor();
  // Of tomorrow, the proposed day: an early time is over in the first zone of the world when it is evening in London.
  await time.fill('23:05');
  await lookAt(page, 'dialog');
  await schedule.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByText(/At .+ 11:05 PM by the clocks of each contact; the first get it on/).waitFor();
  const first = await campaignOf(id);
  expect(first).toMatchObject({
    status: 'SCHEDULED',
    localTime: { at: expect.stringMatching(/T23:05$/), whenPassed: 'NEXT_DAY' },
  });
  await lookAt(page, 'scheduled');

  // Into the next month, in one move of its time.
  const day = dayOfNextMonth(15);
  await ask(`/campaigns/${id}/send`, { localTime: `${day}T09:05` });
  await page.goto(`${project}/campaigns/calendar?month=${day.slice(0, 7)}`);
  const calendar = page.getByRole('table', { name: 'Campaigns by day' });
  const entry = calendar.getByRole('listitem').filter({ hasText: 'By the clocks' });
  await entry.waitFor();
  await lookAt(page, 'calendar');

  // The first zone is on the day before.
  const target = dayOfNextMonth(20);
  await entry.dragTo(calendar.getByRole('cell').filter({ has: page.locator(`time[datetime="${target}"]`) }));
  const move = page.getByRole('dialog', { name: 'Change time' });
  await move.getByRole('button', { name: 'Schedule', exact: true }).click();
  await move.waitFor({ state: 'hidden' });
  expect((await campaignOf(id)).localTime?.at).toBe(`${dayOfNextMonth(21)}T09:05`);

  await calendar.getByRole('button', { name: 'Move By the clocks' }).focus();
  await page.keyboard.press('Enter');
  await move.getByLabel('Date and time of each contact: time').fill('10:30');
  // Nothing is sent before the campaign has been checked.
  await move.getByRole('button', { name: 'Schedule', exact: true }).click({ trial: true });
  await page.keyboard.press('Enter');
  await move.waitFor({ state: 'hidden' });
  expect((await campaignOf(id)).localTime?.at).toBe(`${dayOfNextMonth(21)}T10:30`);

  for (const [index, timezone] of ['Pacific/Kiritimati', 'Asia/Tokyo', 'Etc/GMT+12'].entries())
    await ask('/contacts', { email: `zone${index}@people.test`, subscribed: true, data: { timezone } });
  const sending = await compose('In waves');
  await ask(`/campaigns/${sending}/send`, {
    localTime: new Date().toISOString().slice(0, 16),
    whenPassed: 'NOW',
  });
  await page.goto(`${project}/campaigns/${sending}`);
  await page.getByRole('table', { name: 'Waves' }).getByText('0 of 1').waitFor({ timeout: 60_000 });
  expect(await violations(page)).toEqual([]);
  await page.context().close();
}, 300_000);
