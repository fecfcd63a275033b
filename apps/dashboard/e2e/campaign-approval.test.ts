import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { choose, type DemoApp, goTo, startDemoApp, visitDemo } from './app.ts';

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

async function ask<Answer>(method: string, path: string, payload?: object): Promise<Answer> {
  const answer = await fetch(app.stack.urls.api + path, {
    method,
    headers: { authorization: `Bearer ${app.demo.secretKey}`, 'content-type': 'application/json' },
    body: payload ? JSON.stringify(payload) : null,
  });
  expect(answer.ok, `${path}: ${answer.status}`).toBe(true);
  return (await answer.json()) as Answer;
}

/** A picture at the width of a desktop and of a phone, where one is asked for. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['APPROVAL_SHOTS'];
  if (!folder) return;
  const viewport = page.viewportSize();
  for (const width of [1_440, 400]) {
    await page.setViewportSize({ width, height: 1_000 });
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  }
  if (viewport) await page.setViewportSize(viewport);
}

it('a campaign is sent after a second person has approved it as it is, and says what has changed since', async () => {
  const page = await visitDemo(app);
  const home = page.url();
  await goTo(page, 'Settings');
  const form = page.getByRole('form', { name: 'Project settings' });
  await choose(form.getByLabel('Campaigns need an approval'), 'Above a number of recipients');
  await form.getByLabel('Most recipients without an approval').fill('3');
  await shot(page, 'settings');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved').waitFor();

  const content = {
    ...{ name: 'Approved', subject: 'Of two people', body: '<h1>Hello</h1>', from: app.demo.from },
    audienceType: 'ALL',
  };
  const { data } = await ask<{ data: { id: string } }>('POST', '/campaigns', content);
  const path = `${home}/campaigns/${data.id}`;
  await page.goto(path);
  await page.getByText('With more than 3 recipients, it needs an approval before it is sent').waitFor();
  await shot(page, 'needed');
  await page.getByRole('button', { name: 'Send now' }).click();
  const send = page.getByRole('dialog');
  await send.getByText('An owner or admin has to approve this campaign before it is sent').waitFor();
  await shot(page, 'refused');
  await page.keyboard.press('Escape');

  // Who asks is not the second person.
  await page.getByRole('button', { name: 'Ask for approval' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('For the sale');
  await dialog.getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByText('It waits for the approval of an owner or admin').waitFor();
  await page.getByRole('link', { name: 'View approval' }).click();
  await page.getByText('It waits for another owner or admin').waitFor();
  await page.getByText('For the sale').first().waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

  // A change ends it. The program asks again, and the owner decides.
  await ask('PUT', `/campaigns/${data.id}`, { ...content, subject: 'Of two other people' });
  await page.goto(path);
  await page.getByText('With more than 3 recipients, it needs an approval before it is sent').waitFor();
  await ask('POST', `/campaigns/${data.id}/approval`, {});
  await goTo(page, 'Approvals');
  const asked = page.getByRole('link', { name: /Send the campaign “Approved” to/ }).first();
  await asked.waitFor();
  await shot(page, 'approvals');
  await asked.click();
  await page.getByText('You are asked to approve a campaign as it is now').waitFor();
  await page.getByRole('heading', { name: 'Email: Of two other people' }).waitFor();
  await page.getByText(/emails would be sent/).waitFor();
  await shot(page, 'approval');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved', { exact: true }).waitFor();

  await page.goto(path);
  await page.getByText(`Approved by ${app.demo.email}`).waitFor();
  await shot(page, 'approved');
  await ask('PUT', `/campaigns/${data.id}`, { ...content, subject: 'Of another person', type: 'HEADLESS' });
  await page.reload();
  await page.getByText(`It has changed since ${app.demo.email} approved it`).waitFor();
  await page.getByText('Changed: subject, type of email.').waitFor();
  await shot(page, 'changed');
});
