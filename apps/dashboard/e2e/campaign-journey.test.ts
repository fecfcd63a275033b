import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { choose, type DemoApp, goTo, startDemoApp, visitDemo, writeHtml } from './app.ts';

const readers = ['ann', 'ben', 'cleo'].map((name) => `${name}@composer.example`);
const gone = 'dora@composer.example';

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

async function ask<Answer>(path: string, payload?: object, method = 'POST'): Promise<Answer> {
  const answer = await fetch(app.stack.urls.api + path, {
    method: payload ? method : 'GET',
    headers: { authorization: `Bearer ${app.demo.secretKey}`, 'content-type': 'application/json' },
    body: payload ? JSON.stringify(payload) : null,
  });
  expect(answer.ok, `${path}: ${answer.status}`).toBe(true);
  return (await answer.json()) as Answer;
}

/** The number of messages with this subject that the mailbox has received. */
async function received(subject: string): Promise<number> {
  const answer = await fetch(`${app.stack.urls.mailbox}/api/messages?search=${encodeURIComponent(subject)}`);
  return ((await answer.json()) as { messages: unknown[] }).messages.length;
}

const arrives = (subject: string, count: number): Promise<void> =>
  expect.poll(() => received(subject)).toBe(count);

const headline = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const bar = (page: Page) => page.getByRole('region', { name: 'Campaign actions' });
const says = (page: Page, text: string): Promise<void> =>
  bar(page).getByText(text, { exact: true }).waitFor();

it('is written, tested, scheduled in a zone, unscheduled and sent, and its page shows when it finished', async () => {
  const subject = `Composer ${app.demo.secretKey.slice(-8)}`;
  for (const email of readers)
    await ask('/contacts', { email, subscribed: true, consent: { basis: 'given' } });
  await ask('/contacts', { email: gone, subscribed: false });
  const segment = await ask<{ id: string }>('/segments', { name: 'Composer readers', type: 'STATIC' });
  await ask(`/segments/${segment.id}/members`, { emails: [...readers, gone] });

  const page = await visitDemo(app);
  await goTo(page, 'Campaigns');
  await page.getByRole('link', { name: 'New campaign' }).click();
  await headline(page, 'New campaign');
  await page.getByRole('button', { name: 'Audience Enter a name' }).waitFor();
  expect(await bar(page).getByRole('button', { name: 'Send now' }).isDisabled()).toBe(true);

  await page.getByLabel('Name', { exact: true }).fill('Composer journey');
  await choose(page.getByLabel('Send to', { exact: true }), 'A segment');
  await choose(page.getByLabel('Segment', { exact: true }), 'Composer readers');
  await page.getByText('3 of 4 contacts will get this email; 1 is unsubscribed.').first().waitFor();
  await page.getByLabel('Subject', { exact: true }).fill(subject);
  await writeHtml(page, '<h1>Hello</h1><p>From the <a href="#">composer</a>.</p>');

  // The first action stores the draft, and continues at its address.
  await bar(page).getByRole('button', { name: 'Send test' }).click();
  await page.getByRole('dialog', { name: 'Send a test email' }).waitFor();
  await page.getByRole('button', { name: 'Send test email' }).click();
  await arrives(`[TEST] ${subject}`, 1);
  await headline(page, 'Edit campaign');

  // What is typed later is saved without an action.
  await page.getByLabel('Preheader').fill('Three readers');
  await says(page, 'Unsaved changes');
  await says(page, 'Saved');
  const id = /campaigns\/([^/]+)\/edit/.exec(page.url())?.[1] ?? '';
  expect(await ask(`/campaigns/${id}`)).toMatchObject({ preheader: 'Three readers', status: 'DRAFT' });

  await bar(page).getByRole('button', { name: 'Schedule' }).click();
  const schedule = page.getByRole('dialog', { name: 'Schedule campaign' });
  await schedule.getByLabel('Date and time: time').fill('25:00');
  await schedule.getByText('Select a day and enter a time such as 14:30.').waitFor();
  await schedule.getByLabel('Date and time: time').fill('23:59');
  await schedule.getByLabel('Time zone').fill('honolulu');
  await page.getByRole('option', { name: 'Pacific/Honolulu' }).click();
  await schedule.getByText(/^Starts .+ 11:59 PM in Pacific\/Honolulu\.$/).waitFor();
  await schedule.getByText(/in your time zone/).waitFor();
  // Its link leads nowhere, which has to be accepted.
  expect(await schedule.getByRole('button', { name: 'Schedule', exact: true }).isDisabled()).toBe(true);
  await schedule.getByLabel('Send it all the same').check();
  await schedule.getByRole('button', { name: 'Schedule', exact: true }).click();

  await headline(page, 'Composer journey');
  const scheduled = await ask<{ status: string; scheduledFor: string }>(`/campaigns/${id}`);
  expect(scheduled.status).toBe('SCHEDULED');
  // 23:59 in Honolulu, which has no daylight saving time.
  expect(scheduled.scheduledFor).toMatch(/T09:59:00\.000Z$/);

  await page.getByRole('link', { name: 'Edit' }).click();
  await bar(page).getByRole('button', { name: 'Change time' }).waitFor();
  await bar(page).getByRole('button', { name: 'Unschedule' }).click();
  await bar(page).getByRole('button', { name: 'Schedule', exact: true }).waitFor();
  expect(await ask(`/campaigns/${id}`)).toMatchObject({ status: 'DRAFT', scheduledFor: null });
  // Saving goes on from the version that unscheduling made.
  await page.getByLabel('Preheader').fill('Three readers again');
  await says(page, 'Unsaved changes');
  await says(page, 'Saved');

  await bar(page).getByRole('button', { name: 'Send now' }).click();
  await page.getByRole('dialog').getByText('The checks found 1 problem').waitFor();
  await page.getByRole('dialog').getByText('Their agreement: 3 agreed.').waitFor();
  await page.getByRole('dialog').getByLabel('Send it all the same').check();
  await page.getByRole('button', { name: 'Send to 3 recipients' }).click();
  await headline(page, 'Composer journey');
  await page.getByRole('main').getByRole('row', { name: 'Sent 3 100%' }).waitFor({ timeout: 60_000 });
  await page.getByRole('region', { name: 'Of emails sent' }).getByText('Accepted', { exact: true }).waitFor();
  await page.getByText('Finished', { exact: true }).waitFor();
  await page.getByText('Duration', { exact: true }).waitFor();
  await arrives(subject, readers.length + 1);
  await page.context().close();
}, 180_000);

it('is paused and resumed while it is sent at its pace', async () => {
  const subject = `Paced ${app.demo.secretKey.slice(-8)}`;
  const segment = await ask<{ id: string }>('/segments', { name: 'Paced readers', type: 'STATIC' });
  const emails = ['dan', 'eve', 'fay'].map((name) => `${name}@composer.example`);
  for (const email of emails) await ask('/contacts', { email, subscribed: true });
  await ask(`/segments/${segment.id}/members`, { emails });
  const { data } = await ask<{ data: { id: string } }>('/campaigns', {
    ...{ name: 'Paced journey', subject, body: '<p>Hello</p>', from: app.demo.from },
    ...{ audienceType: 'SEGMENT', segmentId: segment.id, pace: { perHour: 1 } },
  });
  await ask(`/campaigns/${data.id}/send`, {});
  await expect.poll(() => received(subject), { timeout: 60_000 }).toBe(1);

  const page = await visitDemo(app);
  await goTo(page, 'Campaigns');
  await page.getByRole('link', { name: 'Paced journey' }).click();
  await headline(page, 'Paced journey');
  await page.getByRole('main').getByText('Sending', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByText(/Nothing is sent until you resume it\.$/).waitFor();
  await page.getByRole('main').getByText('Paused', { exact: true }).first().waitFor();
  expect(await ask(`/campaigns/${data.id}`)).toMatchObject({ status: 'SENDING', pauseReason: 'user' });
  await goTo(page, 'Campaigns');
  await page
    .getByRole('row', { name: /Paced journey/ })
    .getByText('Paused', { exact: true })
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'Paced journey' }).click();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  expect(await ask(`/campaigns/${data.id}`)).toMatchObject({ status: 'SENDING', pausedAt: null });
  expect(await received(subject)).toBe(1);
  await ask(`/campaigns/${data.id}/cancel`, {});
  await page.context().close();
}, 120_000);

it('never replaces a version that was saved elsewhere without asking', async () => {
  const campaign = {
    name: 'Shared draft',
    subject: 'First',
    body: '<p>Hello</p>',
    from: app.demo.from,
    audienceType: 'ALL',
  };
  const { data } = await ask<{ data: { id: string } }>('/campaigns', campaign);
  const page = await visitDemo(app);
  await page.goto(`${page.url()}/campaigns/${data.id}/edit`);
  await says(page, 'Saved');

  await ask(`/campaigns/${data.id}`, { ...campaign, subject: 'Theirs' }, 'PUT');
  await page.getByLabel('Subject', { exact: true }).fill('Mine');
  await page.getByText('This campaign was changed somewhere else').waitFor();
  expect(await ask(`/campaigns/${data.id}`)).toMatchObject({ subject: 'Theirs' });
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await says(page, 'Saved');
  expect(await ask(`/campaigns/${data.id}`)).toMatchObject({ subject: 'Mine' });

  await ask(`/campaigns/${data.id}`, { ...campaign, subject: 'Theirs again' }, 'PUT');
  await page.getByLabel('Name', { exact: true }).fill('Renamed');
  await page.getByRole('button', { name: 'Load the newer version' }).click();
  await expect.poll(() => page.getByLabel('Subject', { exact: true }).inputValue()).toBe('Theirs again');
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Shared draft');
  await page.context().close();
}, 90_000);

it('keeps the options of sending folded while they are as usual, and shows them where one was chosen', async () => {
  const { data } = await ask<{ data: { id: string } }>('/campaigns', {
    ...{ name: 'With options', subject: 'Hello', body: '<p>Hello</p>', from: app.demo.from },
    audienceType: 'ALL',
  });
  const page = await visitDemo(app);
  await page.goto(`${page.url()}/campaigns/${data.id}/edit`);
  await says(page, 'Saved');
  const options = page.getByRole('button', { name: 'Sending options' });
  const pace = page.getByLabel('Emails per hour');
  expect(await pace.isVisible()).toBe(false);
  await options.click();
  await pace.fill('600');
  await expect
    .poll(() => ask(`/campaigns/${data.id}`))
    .toMatchObject({ pace: { perHour: 600, careful: false }, guard: true });

  await page.reload();
  await pace.waitFor();
  expect(await pace.inputValue()).toBe('600');
  await page.context().close();
}, 90_000);
