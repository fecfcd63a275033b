import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, entered, goTo, startApp } from './app.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

it('Settings show the storage of the project and the limit of its owner, in the megabytes of the setting, also on a phone', async () => {
  const page = await app.visit('/signup');
  await page.getByLabel('Email').fill(`owner-${randomBytes(4).toString('hex')}@people.test`);
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Storage');
  await page.getByRole('button', { name: 'Create project' }).click();
  await entered(page, 'Storage');
  await goTo(page, 'Settings');
  // The owner's address is not proven: the limit is that of all such owners together.
  const limit = page.getByRole('progressbar', { name: / of 1,000 MB of all owners who have not confirmed/ });
  await limit.waitFor();
  await page.getByText('Templates, campaigns and blocks').waitFor();
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    const percent = page.getByText(/^[\d.]+%$/);
    const box = await percent.boundingBox();
    // One line has 20 pixels.
    expect(box?.height).toBeLessThan(30);
  }
});
