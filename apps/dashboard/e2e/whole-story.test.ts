import { Buffer } from 'node:buffer';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, choose, closeDesign, entered, goTo, openDesign, startApp, verifyDomain } from './app.ts';

const domain = 'mail.bakery.example';
const subject = 'Fresh bread on Friday';
const readerCount = 40;
const readers = Array.from({ length: readerCount }, (_, index) => `baker-${index}@people.example`);
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
/** Headless Chromium names itself as a program, whose clicks are not counted. */
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

const headline = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

it('a new user sends a first email before any DNS, then a designed campaign, and sees it sent and clicked without reloading', async () => {
  const page = await app.visit('/signup');
  await page.getByLabel('Email').fill('baker@people.example');
  await page.getByLabel('Password').fill('a loaf of bread');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByLabel('Name').fill('Bakery');
  await page.getByRole('button', { name: 'Create project' }).click();
  await entered(page, 'Bakery');

  await sendFirstEmail(page);
  await verifyDomain(app, page, domain);
  await importReaders(page);
  await designTemplate(page);
  await sendCampaign(page);

  // Lost by a reload.
  await page.evaluate('window.isSamePage = true');
  const main = page.getByRole('main');
  await main.getByRole('row', { name: `Sent ${readerCount} 100%` }).waitFor({ timeout: 60_000 });
  await page.getByText('Finished', { exact: true }).waitFor();
  const rates = page.getByRole('region', { name: 'Of emails sent' });
  const clicked = rates.locator('div').filter({ hasText: /^Clicked/ });
  await clicked.getByText('0', { exact: true }).waitFor();

  await clickInMailbox();
  await clicked.getByText('1', { exact: true }).waitFor();
  await clicked.getByText('2.5%').waitFor();
  expect(await page.evaluate('window.isSamePage')).toBe(true);
  await page.context().close();
}, 240_000);

async function sendFirstEmail(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send it to me' }).click();
  await page.getByRole('link', { name: 'Follow it' }).click();
  await headline(page, 'Your first email from Postrider');
  await page.getByText('Sent', { exact: true }).first().waitFor();
  await goTo(page, 'Overview');
  await page.getByRole('button', { name: 'Send your first email (done)' }).waitFor();
  await page.getByText('1 of 6 done').waitFor();
  await page.getByRole('button', { name: 'Hide' }).click();
  await page.getByText('1 of 6 done').waitFor({ state: 'detached' });
}

async function importReaders(page: Page): Promise<void> {
  await goTo(page, 'Contacts');
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import contacts' });
  const csv = ['email', ...readers].join('\n');
  await dialog
    .getByLabel('CSV file')
    .setInputFiles({ name: 'bakers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByLabel('Everyone in this file agreed to receive marketing emails').check();
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByRole('button', { name: 'Import' }).click();
  await dialog.getByText(`${readerCount} rows read`).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
}

/** A template with an uploaded image and a button, made without HTML. */
async function designTemplate(page: Page): Promise<void> {
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'New template' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Weekly bread');
  await page.getByLabel('Subject').fill(subject);
  await page.getByLabel('From', { exact: true }).fill(`bread@${domain}`);
  await choose(page.getByLabel('Type', { exact: true }), /^Marketing(?!,)/);
  const editor = await openDesign(page);
  await editor.getByText('Write your message here.').click();
  await page.getByRole('button', { name: 'Insert', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Image', exact: true }).click();
  await page.getByRole('button', { name: 'Choose or upload' }).click();
  const picker = page.getByRole('dialog', { name: 'Choose an image' });
  await picker.getByText('No images yet').waitFor();
  await picker
    .getByLabel('Image files')
    .setInputFiles({ name: 'bread.gif', mimeType: 'image/gif', buffer: gif });
  await picker.getByLabel('Alternative text').fill('A loaf of bread');
  await picker.getByRole('button', { name: 'Insert image' }).click();
  await editor.getByRole('img', { name: 'A loaf of bread' }).waitFor();
  await editor.getByText('Learn more').click();
  const button = page.getByRole('region', { name: 'Button' });
  await button.getByLabel('Label', { exact: true }).fill('See the bread');
  await button.getByLabel('Address').fill(`${app.stack.urls.mailbox}/?search=bread`);
  await closeDesign(page);
  await page.getByRole('button', { name: 'Save template' }).click();
  await headline(page, 'Weekly bread');
}

async function sendCampaign(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Use in a campaign' }).click();
  await headline(page, 'New campaign');
  await page.getByLabel('Name', { exact: true }).fill('Bread of the week');
  await page.getByRole('button', { name: 'Send now' }).click();
  const dialog = page.getByRole('dialog', { name: /^Send to \d+ recipients/ });
  // The owner is a contact since the first email, and not subscribed.
  await expect
    .poll(() => dialog.getByRole('heading').textContent())
    .toBe(`Send to ${readerCount} recipients?`);
  // The new project has no postal address yet.
  const send = dialog.getByRole('button', { name: `Send to ${readerCount} recipients` });
  await dialog.getByText('Many countries require a postal address').waitFor();
  expect(await send.isDisabled()).toBe(true);
  await dialog.getByLabel('Send it all the same').check();
  await send.click();
  await headline(page, 'Bread of the week');
}

/** Opens a delivered email in the mailbox as a reader does, sees its picture and follows its button. */
async function clickInMailbox(): Promise<void> {
  const reader = await app.visit('/login', { userAgent });
  await reader.goto(`${app.stack.urls.mailbox}/?search=${encodeURIComponent(subject)}`);
  await reader.getByRole('link', { name: subject }).first().click();
  const mail = reader.frameLocator('iframe');
  const picture = mail.getByRole('img', { name: 'A loaf of bread' });
  await expect
    .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(1);
  const opened = reader.waitForEvent('popup');
  await mail.getByRole('link', { name: 'See the bread' }).click();
  const target = await opened;
  await target.waitForURL(`${app.stack.urls.mailbox}/?search=bread`);
  await reader.context().close();
}
