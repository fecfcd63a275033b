import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DemoApp, startDemoApp, tabTo, visitDemo } from './app.ts';

const readers = ['Ada', 'Grace', 'Edith'].map((name) => `${name.toLowerCase()}@keyboard.example`);

const headline = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const answer = await fetch(app.stack.urls.api + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${app.demo.secretKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  return (await answer.json()) as Answer;
}

/** Moves to an element and presses Enter. */
async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Opens a select and goes down to an option. */
async function select(page: Page, control: Locator, option: string | RegExp): Promise<void> {
  await press(page, control);
  const wanted = page.getByRole('option', { name: option });
  await wanted.waitFor();
  for (let presses = 0; presses < 40; presses += 1) {
    if ((await wanted.getAttribute('data-highlighted')) !== null) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await wanted.waitFor({ state: 'detached' });
}

const sidebar = (page: Page, place: string) =>
  page.getByRole('navigation', { name: 'Project', exact: true }).getByRole('link', { name: place });

it('a campaign is composed, checked and sent by keyboard alone', async () => {
  for (const email of readers) await ask('/contacts', { email, subscribed: true });
  const segment = await ask<{ id: string }>('/segments', { name: 'Keyboard readers', type: 'STATIC' });
  await ask(`/segments/${segment.id}/members`, { emails: readers });

  const page = await visitDemo(app);
  await press(page, sidebar(page, 'Campaigns'));
  await headline(page, 'Campaigns');
  await press(page, page.getByRole('link', { name: 'New campaign' }));
  await headline(page, 'New campaign');
  await tabTo(page, page.getByLabel('Name', { exact: true }));
  await page.keyboard.type('Sent by keys');
  await select(page, page.getByLabel('Send to', { exact: true }), 'A segment');
  // The field is made again once the segments are known.
  await page.waitForLoadState('networkidle');
  await select(page, page.getByLabel('Segment', { exact: true }), 'Keyboard readers');
  await tabTo(page, page.getByLabel('Subject', { exact: true }));
  await page.keyboard.type('No mouse');
  const editor = page.getByRole('textbox', { name: 'Email design' });
  await press(page, page.getByRole('button', { name: 'Edit email' }));
  await tabTo(page, editor);
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('/divi');
  await page.getByRole('option', { name: 'Divider' }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Written with keys only.');
  await editor.getByText('Written with keys only.').waitFor();
  await press(page, page.getByRole('button', { name: 'Done', exact: true }));

  const bar = page.getByRole('region', { name: 'Campaign actions' });
  await press(page, bar.getByRole('button', { name: 'Preview' }));
  const preview = page.getByRole('dialog', { name: 'Preview' });
  await preview.frameLocator('iframe').getByText('Written with keys only.').waitFor();
  await page.keyboard.press('Escape');
  await preview.waitFor({ state: 'detached' });
  await press(page, bar.getByRole('button', { name: 'Send now' }));
  // A link of the email that new campaigns begin with leads nowhere, which has to be accepted.
  await tabTo(page, page.getByRole('dialog').getByLabel('Send it all the same'));
  await page.keyboard.press('Space');
  // It takes no press while the audience is being counted.
  const confirm = page
    .getByRole('dialog')
    .getByRole('button', { name: 'Send to 3 recipients' })
    .and(page.locator(':not([aria-disabled])'));
  await press(page, confirm);
  await headline(page, 'Sent by keys');
  await page.getByRole('main').getByRole('row', { name: 'Sent 3 100%' }).waitFor({ timeout: 60_000 });
  await page.context().close();
}, 180_000);

it('a segment is built in the filter builder by keyboard alone', async () => {
  const page = await visitDemo(app);
  await press(page, sidebar(page, 'Segments'));
  await headline(page, 'Segments');
  await press(page, page.getByRole('link', { name: 'New segment' }));
  await headline(page, 'New segment');
  await tabTo(page, page.getByLabel('Name', { exact: true }));
  await page.keyboard.type('Built by keys');

  const condition = (number: number) => page.getByRole('group', { name: `Condition ${number}` });
  const chooseField = async (number: number, name: string) => {
    await press(page, condition(number).getByLabel('Field', { exact: true }));
    await page.getByLabel('Search: Field').waitFor();
    await page.keyboard.type(name);
    await page.getByRole('option', { name, exact: true }).waitFor();
    await page.keyboard.press('Enter');
  };
  await chooseField(1, 'plan');
  await tabTo(page, condition(1).getByLabel('Value', { exact: true }));
  await page.keyboard.type('pro');
  await press(page, page.getByRole('button', { name: 'Add', exact: true }));
  await page.getByRole('menuitem', { name: 'Condition' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await chooseField(2, 'seats');
  await select(page, condition(2).getByLabel('Operator'), 'is at least');
  await tabTo(page, condition(2).getByLabel('Number'));
  await page.keyboard.type('5');
  await page.getByText('Contacts where plan is “pro” and seats is at least 5').waitFor();
  await tabTo(page, page.getByRole('button', { name: 'and: change to or' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Contacts where plan is “pro” or seats is at least 5').waitFor();
  await press(page, page.getByRole('button', { name: 'Remove Condition 2' }));
  await page.getByText('Contacts where plan is “pro”', { exact: true }).waitFor();

  await press(page, page.getByRole('button', { name: 'Create segment' }));
  await headline(page, 'Built by keys');
  await page.context().close();
}, 120_000);
