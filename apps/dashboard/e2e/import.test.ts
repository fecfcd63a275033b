import { Buffer } from 'node:buffer';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './accessibility.ts';
import { choose, type DemoApp, goTo, startDemoApp, visitDemo } from './app.ts';

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

async function openImport(page: Page, name: string, buffer: Buffer): Promise<Locator> {
  await goTo(page, 'Contacts');
  await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
  await page
    .getByRole('link', { name: /@people\.example/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import contacts' });
  await dialog.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer });
  return dialog;
}

/** Those of the dialog: the page behind it is out of reach, which the engine does not see. */
const problemsOf = async (page: Page) =>
  (await violations(page)).filter(
    (each) => !each.startsWith('aria_hidden_nontabbable') && !each.includes('aria-label="Select '),
  );

const shot = async (page: Page, name: string) => {
  const folder = process.env['IMPORT_SHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
};

/** A header, then rows whose dates are in one of two orders. */
const dated = [
  'email;Name;Umsatz;Geburtstag;subscribed;Notiz',
  ...Array.from({ length: 12 }, (_, n) =>
    [
      `person${n}@import.example`,
      `J\xf6rg ${n}`,
      `${n}.100,50 \x80`,
      n < 3 ? `${n + 13}.02.1990` : `02/${n + 13}/1990`,
      n % 3 === 0 ? 'ja' : n % 3 === 1 ? 'nein' : '',
      'x',
    ].join(';'),
  ),
].join('\r\n');

describe.each([
  ['desktop', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
])('an import, %s', (size, viewport) => {
  it('asks for the encoding, checks before it stores, and says what cannot be read', async () => {
    const page = await visitDemo(app, size === 'phone' ? { viewport: { width: 1280, height: 900 } } : {});
    const dialog = await openImport(page, 'kunden.csv', Buffer.from(dated, 'latin1'));
    await page.setViewportSize(viewport);
    await dialog.getByText('J\xf6rg 0').waitFor();
    expect(await dialog.getByLabel('Encoding').textContent()).toContain('windows-1252');
    await shot(page, `${size}-1-file`);
    expect(await problemsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Next' }).click();

    expect(await dialog.getByLabel('Umsatz is read as').textContent()).toContain('Number 1.234,5');
    expect(await dialog.getByLabel('Geburtstag is read as').textContent()).toContain('As it is written');
    await dialog.getByText('The file says who is subscribed').waitFor();
    expect(await dialog.getByLabel('Everyone in this file agreed to receive marketing emails').count()).toBe(
      0,
    );
    await choose(dialog.getByLabel('Geburtstag is read as'), 'Date DD.MM.YYYY');
    await shot(page, `${size}-2-columns`);
    expect(await problemsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Check' }).click();

    await dialog.getByText('9 of 12 cells cannot be read as a date, DD.MM.YYYY').waitFor();
    await dialog.getByText('4 yes · 4 no · 4 say nothing').waitFor();
    const button = dialog.getByRole('button', { name: 'Import' });
    expect(await button.isDisabled()).toBe(true);
    await shot(page, `${size}-3-check`);
    expect(await problemsOf(page)).toEqual([]);
    await dialog.getByLabel('Leave these out').check();
    expect(await button.isEnabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Read as text' }).click();
    await dialog.getByText('12 rows checked').waitFor();
    await dialog.getByText(/cannot be read/).waitFor({ state: 'detached' });
    await button.click();
    await dialog.getByText('12 rows read').waitFor();
    await shot(page, `${size}-4-done`);
    await page.context().close();
  });

  it('asks what the agreement of everyone in a file rests on, and keeps it', async () => {
    const page = await visitDemo(app, size === 'phone' ? { viewport: { width: 1280, height: 900 } } : {});
    const email = `agreed-${size}@import.example`;
    const file = `email,CONFIRM_TIME\n${email},2025-05-01 10:00:00\n`;
    const dialog = await openImport(page, 'agreed.csv', Buffer.from(file));
    await page.setViewportSize(viewport);
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByLabel('CONFIRM_TIME becomes').filter({ hasText: 'Confirmed at' }).waitFor();
    const box = dialog.getByLabel('Everyone in this file agreed to receive marketing emails');
    expect(await box.isChecked()).toBe(false);
    await box.check();
    await choose(dialog.getByLabel('Their agreement'), 'They are customers');
    await dialog.getByLabel('Where', { exact: true }).fill('Checkout');
    await choose(dialog.getByLabel('The words they agreed to'), 'Other words');
    await dialog.getByLabel('Words', { exact: true }).fill('Yes, send me offers.');
    await shot(page, `${size}-5-agreement`);
    expect(await problemsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('1 will be subscribed').waitFor();
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('1 row read').waitFor();
    await page.context().close();
  });
});
