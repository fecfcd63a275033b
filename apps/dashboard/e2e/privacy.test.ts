import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DemoApp, goTo, startDemoApp, visitDemo } from './app.ts';

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

const email = 'jane@people.example';

async function ask(path: string, body: object): Promise<void> {
  const { stack, demo } = app;
  const answer = await fetch(stack.urls.api + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.ok).toBe(true);
}

it('a person is found, exported as a document, and erased with a receipt that does not name them', async () => {
  await ask('/contacts', { email, data: { plan: 'pro' } });
  const page = await visitDemo(app);
  await goTo(page, 'Privacy');
  await page.getByText('No erasures yet').waitFor();
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByText('is a contact of this project').waitFor();

  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const downloaded = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download JSON' }).click();
  const file = await (await downloaded).createReadStream();
  expect(JSON.parse(await text(file))).toMatchObject({
    person: { email },
    contact: { data: { plan: 'pro' } },
  });
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  await dialog.getByLabel('Reason').fill('Request of the person');
  await dialog.getByRole('button', { name: 'Erase person' }).click();
  await page.getByRole('heading', { level: 1, name: /^Person [0-9a-f]{8}$/ }).waitFor();
  await page.getByText('Request of the person').waitFor();
  expect(await page.getByText(email).count()).toBe(0);
  await goTo(page, 'Privacy');
  await page
    .getByRole('row', { name: /Person [0-9a-f]{8}/ })
    .getByText('Running')
    .waitFor();
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByText('No contact has the address').waitFor();
  await page.context().close();
});
