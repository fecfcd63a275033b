import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DemoApp, startDemoApp, visitDemo } from './app.ts';

const readers = ['ann', 'ben', 'cleo', 'dan'].map((name) => `${name}@report.example`);
const links = ['https://news.example.com/first', 'https://news.example.com/second?plan=pro'];
const body = `<p>Hello</p>${links.map((link) => `<p><a href="${link}">${link}</a></p>`).join('')}`;
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Thunderbird/145.0';

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
  expect(answer.ok, `${path}: ${answer.status}`).toBe(true);
  return (await answer.json()) as Answer;
}

const mailbox = async <Answer>(path: string): Promise<Answer> =>
  (await fetch(`${app.stack.urls.mailbox}/api/messages${path}`)).json() as Promise<Answer>;

/** Sends a campaign to four readers and waits until all of its emails are in the mailbox. */
async function sendCampaign(subject: string): Promise<string> {
  for (const email of readers) await ask('/contacts', { email, subscribed: true });
  const audienceCondition = {
    logic: 'AND',
    groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@report.example' }] }],
  };
  const { data } = await ask<{ data: { id: string } }>('/campaigns', {
    name: subject,
    subject,
    body,
    from: app.demo.from,
    type: 'MARKETING',
    audienceType: 'FILTERED',
    audienceCondition,
  });
  await ask(`/campaigns/${data.id}/send`, {});
  await expect.poll(() => idsOf(subject)).toHaveLength(readers.length);
  return data.id;
}

const idsOf = async (subject: string): Promise<number[]> =>
  (await mailbox<{ messages: { id: number }[] }>(`?search=${encodeURIComponent(subject)}`)).messages.map(
    ({ id }) => id,
  );

const burstMs = 2_100;

async function read(id: number, clicks: number[]): Promise<void> {
  const { html } = await mailbox<{ html: string }>(`/${id}`);
  const follow = (url = '') =>
    fetch(url.replaceAll('&amp;', '&'), { headers: { 'user-agent': userAgent }, redirect: 'manual' });
  const [, pixel] = /src="([^"]+\/t\/o\/[^"]+)"/.exec(html) ?? [];
  expect((await follow(pixel)).status).toBe(200);
  const tracked = [...html.matchAll(/href="([^"]+\/t\/c\/[^"]+)"/g)].map(([, url]) => url);
  for (const [turn, index] of clicks.entries()) {
    // Two links within two seconds, right after the hand-over, are followed by a machine.
    if (turn > 0) await delay(burstMs);
    expect((await follow(tracked[index])).status).toBe(302);
  }
}

it('shows the rates, the links with their shares on the mail, and the mail programs of real opens and clicks', async () => {
  const subject = `Report ${app.demo.secretKey.slice(-8)}`;
  const id = await sendCampaign(subject);
  const [first = 0, second = 0, third = 0] = await idsOf(subject);
  await read(first, [0]);
  await read(second, [0, 1]);
  await read(third, [0]);

  await expect.poll(() => ask(`/campaigns/${id}/stats`)).toMatchObject({ openedCount: 3, clickedCount: 3 });

  const page = await visitDemo(app);
  await page.goto(`${page.url()}/campaigns/${id}`);
  await page.getByRole('heading', { level: 1, name: subject }).waitFor();
  const rates = page.getByRole('region', { name: 'Of emails sent' });
  await rates.getByText('75%').nth(1).waitFor();
  await rates.getByText('Accepted', { exact: true }).waitFor();
  await rates.getByRole('button', { name: 'What these figures count' }).click();
  await rates.getByText('Emails that were sent and have not bounced.').waitFor();

  const ranks = page.getByRole('table', { name: 'Links by clicks' });
  await ranks.getByRole('row', { name: `${links[0]} 3 75% 3` }).waitFor();
  await ranks.getByRole('row', { name: `${links[1]} 1 25% 1` }).waitFor();
  const mail = page.frameLocator('iframe[title="Email body with the share of clicks of each link"]');
  await mail.getByTitle('75% of all clicks').waitFor();
  await mail.getByTitle('25% of all clicks').waitFor();
  await page
    .getByRole('table', { name: 'Mail clients' })
    .getByRole('row', { name: 'Thunderbird 3 4' })
    .waitFor();
  await page.getByText('Finished', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'View emails' }).click();
  await page.getByLabel('Campaign', { exact: true }).filter({ hasText: subject }).waitFor();
  await page.getByRole('table', { name: 'Emails' }).getByRole('link').first().click();
  await page.getByRole('link', { name: subject, exact: true }).click();
  await page.getByText('Finished', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('4 rows written').waitFor();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toBe('recipients.csv');
  await page.context().close();
});
