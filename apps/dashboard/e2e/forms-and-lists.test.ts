import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  choose,
  chooseField,
  type DemoApp,
  goTo,
  htmlOf,
  startDemoApp,
  visitDemo,
  writeHtml,
} from './app.ts';

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

const headline = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

it('the external id of a contact is set on its page, and another contact cannot get it', async () => {
  const page = await visitDemo(app);
  const open = async (address: string, name: string) => {
    await goTo(page, 'Contacts');
    await page.getByLabel('Search names and addresses').fill(address);
    await page.getByRole('link', { name: address }).click();
    await headline(page, name);
    await page.getByLabel('External ID', { exact: true }).fill('customer-1001');
    await page.getByRole('button', { name: 'Save' }).click();
  };
  await open('contact-4998@people.example', 'Contact 4998');
  await page.getByRole('button', { name: /external ID/ }).waitFor();
  await open('contact-4997@people.example', 'Contact 4997');
  await page.getByText('Another contact in this project has this external id').waitFor();
  await page.context().close();
});

describe('a list', () => {
  it('has its search and filter again after Back', async () => {
    const page = await visitDemo(app);
    await goTo(page, 'Contacts');
    await page.getByLabel('Search names and addresses').fill('contact-499');
    await choose(page.getByLabel('Status'), 'Subscribed');
    await page.waitForURL(/status=subscribed/);
    await page.waitForURL(/q=contact-499/);
    await page.getByRole('link', { name: 'contact-4999@people.example' }).click();
    await headline(page, 'Contact 4999');
    await page.goBack();
    await page.getByRole('link', { name: 'contact-4999@people.example' }).waitFor();
    expect(await page.getByLabel('Search names and addresses').inputValue()).toBe('contact-499');
    expect(await page.getByLabel('Status').textContent()).toBe('Subscribed');
    expect(await page.locator('tbody tr').count()).toBeLessThan(12);
    await page.context().close();
  });

  it('shows the chosen columns, also those of contact fields, by its address and when it is opened again', async () => {
    const page = await visitDemo(app);
    const heads = () => page.getByRole('columnheader').allTextContents();
    await goTo(page, 'Contacts');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'seats', exact: true }).click();
    await page.keyboard.press('Escape');
    await expect.poll(heads).toEqual(['', 'Email', 'Name', 'Status', 'seats', 'Created']);
    await page.waitForURL(/columns=/);
    await page
      .getByRole('row', { name: /contact-4999@people.example/ })
      .getByText('49', { exact: true })
      .waitFor();
    await page.reload();
    await expect.poll(heads).toEqual(['', 'Email', 'Name', 'Status', 'seats', 'Created']);
    await goTo(page, 'Templates');
    await headline(page, 'Templates');
    await goTo(page, 'Contacts');
    await expect.poll(heads).toEqual(['', 'Email', 'Name', 'Status', 'seats', 'Created']);
    await page.context().close();
  });

  it('offers to clear a search that finds nothing', async () => {
    const page = await visitDemo(app);
    await goTo(page, 'Templates');
    await page.getByLabel('Search templates').fill('no such template');
    await page.getByText('No templates match your search').waitFor();
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.getByRole('link', { name: 'Welcome' }).waitFor();
    await page.context().close();
  });
});

describe('a form', () => {
  it('warns before its page is left, and restores the unsaved text afterwards', async () => {
    const page = await visitDemo(app);
    await goTo(page, 'Templates');
    await page.getByRole('link', { name: 'New template' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Half-written');
    await writeHtml(page, '<p>Dear reader,</p>');
    await choose(page.getByLabel('Type', { exact: true }), /^Marketing(?!,)/);
    await leave(page, 'Templates');
    await headline(page, 'Templates');

    await page.getByRole('link', { name: 'New template' }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByLabel('Type', { exact: true }).filter({ hasText: 'Marketing' }).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half-written');
    expect(await htmlOf(page)).toBe('<p>Dear reader,</p>');
    await page.context().close();
  });

  it('of a filter restores the filter too', async () => {
    const page = await visitDemo(app);
    await goTo(page, 'Segments');
    await page.getByRole('link', { name: 'New segment' }).click();
    await chooseField(page.getByRole('group', { name: 'Condition 1' }), 'shoe', 'Contact field “shoe”');
    await leave(page, 'Segments');
    await page.getByRole('link', { name: 'New segment' }).click();
    const field = page.getByLabel('Field', { exact: true });
    expect(await field.textContent()).toBe('Select a field');
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect.poll(() => field.textContent()).toBe('shoe');
    await page.context().close();
  });

  it('shows at a field that it is required, until it is filled in', async () => {
    const page = await visitDemo(app);
    await goTo(page, 'Segments');
    await page.getByRole('link', { name: 'New segment' }).click();
    const name = page.getByLabel('Name', { exact: true });
    await page.getByRole('button', { name: 'Create segment' }).click();
    await page.locator('[name="name"]:focus[aria-invalid="true"]').waitFor();
    const message = page.locator(`[id="${await name.getAttribute('aria-describedby')}"]`);
    expect(await message.textContent()).toBe('Required');
    await name.fill('Named');
    await message.waitFor({ state: 'detached' });
    expect(await name.getAttribute('aria-invalid')).toBeNull();
    await page.context().close();
  });

  it('moves the focus to the field that is refused, with the message at it', async () => {
    const page = await visitDemo(app);
    await goTo(page, 'Templates');
    await page.getByRole('link', { name: 'New template' }).click();
    await page.getByLabel('Name', { exact: true }).fill('From elsewhere');
    await page.getByLabel('Subject').fill('Hello');
    await page.getByLabel('From', { exact: true }).fill('me@elsewhere.example');
    await writeHtml(page, '<p>Hello</p>');
    await page.getByRole('button', { name: 'Save template' }).click();
    const from = page.locator('[name="from"]:focus[aria-invalid="true"]');
    await from.waitFor();
    await page.getByText('The sender domain elsewhere.example is not verified').waitFor();
    expect(await from.getAttribute('aria-describedby')).toContain('-failure');
    await page.context().close();
  });
});

/** Follows a link of the sidebar and confirms that the unsaved changes stay behind. */
async function leave(page: Page, place: string): Promise<void> {
  await expect
    .poll(() => page.evaluate<string>('Object.keys(localStorage).join()'))
    .toContain('postrider.draft.');
  await goTo(page, place);
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Leave' })
    .click();
}

describe('scheduled emails', () => {
  const schedule = (subject: string, hours: number) =>
    fetch(`${app.stack.urls.api}/v1/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.demo.secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        to: 'later@people.example',
        from: app.demo.from,
        subject,
        body: '<p>Later</p>',
        scheduledAt: new Date(Date.now() + hours * 3_600_000).toISOString(),
      }),
    });

  it('are listed by their time, and can be moved and cancelled', async () => {
    expect((await schedule('Second', 30)).status).toBe(200);
    expect((await schedule('First', 20)).status).toBe(200);
    const page = await visitDemo(app);
    await goTo(page, 'Emails');
    await page.getByRole('button', { name: 'Scheduled', exact: true }).click();
    await page.waitForURL(/view=scheduled/);
    const subjects = () => page.locator('tbody td:nth-child(2)').allTextContents();
    await expect.poll(subjects).toEqual(['First', 'Second']);
    const actions = page.getByRole('button', { name: 'Actions for the email to later@people.example' });
    await actions.nth(1).click();
    await page.getByRole('menuitem', { name: 'Change time' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change time' });
    // The same hour of a zone that is 14 hours ahead of the browser's comes first.
    await dialog.getByLabel('Time zone').fill('Pacific/Kiritimati');
    await dialog.getByRole('button', { name: 'Change time' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(subjects).toEqual(['Second', 'First']);
    await actions.first().click();
    await page.getByRole('menuitem', { name: 'Cancel email' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel email' }).click();
    await expect.poll(subjects).toEqual(['First']);
    await page.getByRole('link', { name: 'later@people.example' }).click();
    await page.getByText('Scheduled for', { exact: true }).waitFor();
    await page.context().close();
  });
});
