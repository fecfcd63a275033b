import { afterAll, beforeAll, expect, it } from 'vitest';
import { choose, type DemoApp, startDemoApp, visitDemo } from './app.ts';

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

it('an endpoint can be added, tested, changed, disabled, replayed and deleted in the dashboard', async () => {
  const page = await visitDemo(app, { viewport: { width: 380, height: 800 } });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  const pick = async (name: string) => {
    await press('More actions');
    await page.getByRole('menuitem', { name, exact: true }).press('Enter');
  };
  const answer = (name: string) => page.getByRole('dialog').getByRole('button', { name }).press('Enter');
  const headline = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  await page.getByRole('dialog').getByRole('link', { name: 'Webhooks' }).press('Enter');
  await headline('Webhooks');
  await press('Add endpoint');
  await page.getByLabel('URL').fill('http://localhost/webhooks');
  await answer('Add endpoint');
  await page.locator('input[name="url"][aria-invalid="true"]').waitFor();

  await page.getByLabel('URL').fill('https://example.com/webhooks');
  await choose(page.getByLabel('Events', { exact: true }), 'Only selected types');
  await page.getByLabel('email.bounce').check();
  await page.getByLabel('Event of your project').fill('signed up');
  await page.getByLabel('Event of your project').press('Enter');
  await page.getByLabel('event.signed up').waitFor();
  await answer('Add endpoint');
  const created = await page.getByTestId('signing-secret').innerText();
  expect(created).toMatch(/^whsec_/);
  await page.keyboard.press('Escape');
  expect(await page.getByTestId('signing-secret').innerText()).toBe(created);
  await answer('Done');
  await headline('https://example.com/webhooks');
  await page.getByText('Receives events of 2 types').waitFor();
  await page.getByText('No deliveries yet').waitFor();

  await pick('Rotate secret');
  await answer('Rotate secret');
  expect(await page.getByTestId('signing-secret').innerText()).not.toBe(created);
  await answer('Done');

  await press('Send test event');
  await headline('webhook.test');
  await page.getByText('A test event from Postrider').waitFor();
  await press('Replay');
  await page.getByText('Queued again').waitFor();
  await page.getByRole('link', { name: 'Webhook endpoint', exact: true }).press('Enter');
  await page.getByRole('table').getByRole('link', { name: 'webhook.test' }).waitFor();

  await choose(page.getByLabel('Status'), 'Delivered');
  await page.getByText('No deliveries match your filters').waitFor();
  expect(new URL(page.url()).search).toBe('?status=DELIVERED');

  await pick('Replay');
  await page.getByLabel('Only failed deliveries').uncheck();
  await answer('Replay deliveries');
  await page.getByText('1 delivery queued again').waitFor();
  await answer('Done');

  await press('Edit');
  await choose(page.getByLabel('Events', { exact: true }), 'All types');
  await answer('Save');
  await page.getByText('Receives events of all types.').waitFor();

  await pick('Disable');
  await page.getByRole('button', { name: 'Enable' }).waitFor();
  await pick('Delete');
  await answer('Delete endpoint');
  await headline('Webhooks');
  await page.getByText('No webhook endpoints yet').waitFor();
  await page.context().close();
});
