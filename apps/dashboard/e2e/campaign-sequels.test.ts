import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { choose, type DemoApp, goTo, startDemoApp, visitDemo, writeHtml } from './app.ts';

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

interface Campaign {
  id: string;
  familyId: string;
  status: string;
  totalRecipients: number;
  sentCount: number;
  skippedCount: number;
  audienceCondition: unknown;
}
interface Stats {
  totalRecipients: number;
  sentCount: number;
  pendingCount: number;
  skippedReasons: Record<string, number>;
}
const campaignOf = (id: string) => ask<Campaign>(`/campaigns/${id}`);

/** A list of contacts that subscribe. */
async function list(name: string, emails: string[]): Promise<string> {
  for (const email of emails) await ask('/contacts', { email, subscribed: true });
  const { id } = await ask<{ id: string }>('/segments', { name, type: 'STATIC' });
  await ask(`/segments/${id}/members`, { emails });
  return id;
}

const headline = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const format = (count: number) => count.toLocaleString('en');

/** A picture at the width of a desktop and of a phone, where one is asked for. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['SEQUEL_SHOTS'];
  if (!folder) return;
  const viewport = page.viewportSize();
  for (const width of [1_440, 400]) {
    await page.setViewportSize({ width, height: 1_000 });
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  }
  if (viewport) await page.setViewportSize(viewport);
}

it('what a cancelled campaign did not send goes to the rest as a sequel, and no contact gets two emails', async () => {
  const subject = `Sequel ${app.demo.secretKey.slice(-8)}`;
  const { data } = await ask<{ data: Campaign }>('/campaigns', {
    ...{ name: 'Cut short', subject, body: '<p>Hello</p>', from: app.demo.from },
    // The demo has enough contacts for this to take seconds.
    audienceType: 'ALL',
  });
  await ask(`/campaigns/${data.id}/send`, {});
  await expect
    .poll(async () => (await campaignOf(data.id)).sentCount, { timeout: 60_000 })
    .toBeGreaterThan(0);
  await ask(`/campaigns/${data.id}/cancel`, {});
  const statsOf = () => ask<Stats>(`/campaigns/${data.id}/stats`);
  const isOver = async () => (await statsOf()).pendingCount === 0;
  await expect.poll(isOver, { timeout: 60_000 }).toBe(true);
  const { sentCount, totalRecipients, skippedReasons } = await statsOf();
  const rest = skippedReasons['cancelled'] ?? 0;
  expect(rest).toBeGreaterThan(0);

  const page = await visitDemo(app);
  await page.goto(`${page.url()}/campaigns/${data.id}`);
  await headline(page, 'Cut short');
  await page.getByText(`${format(sentCount)} of ${format(totalRecipients)} contacts got it.`).waitFor();
  await shot(page, 'cancelled');
  // Until the last batch in hand is settled, the campaign is still being cancelled, and the page waits.
  await page.getByRole('button', { name: 'Send to the rest' }).click();
  await headline(page, 'Cut short (2)');
  const recipients = page.getByRole('region', { name: 'Recipients' });
  await expect
    .poll(() => recipients.innerText(), { timeout: 60_000 })
    .toContain(`All ${format(rest)} contacts will get this email.`);
  await page.getByRole('region', { name: 'Family' }).getByRole('link', { name: 'Cut short' }).waitFor();
  const restId = /campaigns\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  expect(await campaignOf(restId)).toMatchObject({ status: 'DRAFT', familyId: data.id });
  await shot(page, 'sequel');

  // The composer shows whom it is for.
  await page.getByRole('link', { name: 'Edit' }).click();
  await headline(page, 'Edit campaign');
  const include = page.getByRole('group', { name: 'Send to', exact: true });
  await include.getByText('Missed the cancelled campaign').waitFor();
  await include.getByText('Cut short', { exact: true }).waitFor();
  await include.getByText(format(rest), { exact: true }).waitFor();
  await shot(page, 'composer');
  await page.getByRole('link', { name: 'Cut short (2)' }).first().click();

  await page.getByRole('button', { name: 'Send now' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/to confirm$/).fill(format(rest));
  // A busy machine estimates.
  await dialog
    .getByRole('button', { name: new RegExp(`^Send to (about )?${format(rest)} recipients`) })
    .click();
  const isSent = async () => (await campaignOf(restId)).status === 'SENT';
  await expect.poll(isSent, { timeout: 60_000 }).toBe(true);
  expect(await campaignOf(restId)).toMatchObject({
    ...{ totalRecipients: rest, sentCount: rest, skippedCount: 0 },
  });
  await page.getByRole('region', { name: 'Sequels' }).getByRole('button').first().waitFor();
  await page.context().close();
}, 240_000);

it('an audience is composed of what is included and excluded, and stored as one tree', async () => {
  const [ann, ben, cleo] = ['ann', 'ben', 'cleo'].map((name) => `${name}@parts.example`);
  const first = await list('First list', [ann ?? '', ben ?? '']);
  const second = await list('Second list', [cleo ?? '']);
  const out = await list('Left out', [ben ?? '']);
  const page = await visitDemo(app);
  await goTo(page, 'Campaigns');
  await page.getByRole('link', { name: 'New campaign' }).click();
  await headline(page, 'New campaign');
  await page.getByLabel('Name', { exact: true }).fill('Of parts');
  await page.getByLabel('Subject', { exact: true }).fill('Of parts');
  await choose(page.getByLabel('Send to', { exact: true }), 'Contacts matching a filter');
  await page.getByRole('button', { name: 'Include and exclude' }).click();
  const pick = async (line: string, name: string) => {
    await page.getByLabel(`${line}: segment`, { exact: true }).click();
    await page.getByRole('option', { name, exact: true }).click();
  };
  await pick('Send to, 1', 'First list');
  await page.getByRole('button', { name: 'Add contacts' }).click();
  await pick('Send to, 2', 'Second list');
  await page.getByText('All 3 contacts will get this email.').first().waitFor();
  await page.getByRole('button', { name: 'Leave out contacts' }).click();
  await pick('Except, 1', 'Left out');
  await page.getByText('All 2 contacts will get this email.').first().waitFor();
  const audience = { logic: 'OR', groups: [first, second].map((id) => member(id, 'memberOfSegment')) };
  await writeHtml(page, '<p>Hello</p>');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await headline(page, 'Edit campaign');
  const id = /campaigns\/([^/]+)\/edit/.exec(page.url())?.[1] ?? '';
  expect((await campaignOf(id)).audienceCondition).toEqual({
    logic: 'AND',
    groups: [{ filters: [], conditions: audience }, member(out, 'notMemberOfSegment')],
  });
  expect(await ask(`/campaigns/${id}/audience`)).toMatchObject({ included: 3, excluded: 1, willSend: 2 });
  // It is shown as lines again.
  await page.reload();
  await page.getByLabel('Except, 1: segment', { exact: true }).waitFor();
  await shot(page, 'lines');
  await page.context().close();
}, 120_000);

const member = (id: string, operator: string) => ({ filters: [{ field: `segment.${id}`, operator }] });
