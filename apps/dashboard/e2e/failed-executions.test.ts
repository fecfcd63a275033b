import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { choose, type DemoApp, goTo, startDemoApp, visitDemo } from './app.ts';

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

async function ask<Answer>(method: string, path: string, body?: object, key = app.demo.secretKey) {
  const answer = await fetch(app.stack.urls.api + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
  return (await answer.json()) as Answer;
}

/** A workflow whose first step fails until the project has a list of this name. */
async function brokenWorkflow() {
  const { id } = await ask<{ id: string }>('POST', '/workflows', { name: 'Greeting', eventName: 'greeted' });
  const step = (type: string, name: string, config: object, y: number) =>
    ask('POST', `/workflows/${id}/steps`, { type, name, config, position: { x: 100, y } });
  await step('UPDATE_CONTACT', 'Note it', { data: { visits: ['first'] } }, 250);
  await step('DELAY', 'Rest', { amount: 2, unit: 'days' }, 400);
  await ask('PATCH', `/workflows/${id}`, { enabled: true });
  const repair = () => ask('PUT', '/contacts/fields/data.visits', { type: 'LIST' });
  return { id, repair };
}

const track = (email: string) =>
  ask('POST', '/v1/track', { event: 'greeted', email, data: {} }, app.demo.publicKey);
const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email });

it('failed executions are found, retried one by one and all at once, and their way is shown', async () => {
  const { id, repair } = await brokenWorkflow();
  for (const name of ['ann', 'bob', 'eve']) await track(`${name}@fails.example`);
  const page = await visitDemo(app);
  const failing = page.getByRole('link', { name: '3 executions of “Greeting” failed in the last 24 hours' });
  await failing.waitFor();
  await goTo(page, 'Workflows');
  await page.getByRole('link', { name: '3 executions of Greeting failed in the last 24 hours' }).waitFor();
  await page.getByRole('link', { name: '3 executions of Greeting failed in the last 24 hours' }).click();

  await page.getByRole('heading', { level: 1, name: 'Executions' }).waitFor();
  await choose(page.getByLabel('Step'), 'Rest');
  await page.getByText('No executions match your filters').waitFor();
  await choose(page.getByLabel('Step'), 'Note it');
  await rowOf(page, 'ann@fails.example').filter({ hasText: 'Failed' }).waitFor();
  await page.getByLabel('Select the execution of ann@fails.example').check();
  await page.getByText('1 selected').waitFor();
  await page
    .getByRole('region', { name: 'Selected executions' })
    .getByRole('button', { name: 'Retry' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  await page.getByText('1 execution retried').waitFor();

  await page.getByRole('link', { name: 'ann@fails.example' }).click();
  await page.getByText('Failed at “Note it”').waitFor();
  await page.getByText('1 earlier failure').click();
  await repair();
  await page.getByRole('button', { name: 'Retry from here' }).click();
  await page.getByText(/Waiting at “Rest” until .+/).waitFor();
  await page.getByText('2 earlier failures').waitFor();

  await page.getByRole('link', { name: 'Executions' }).first().click();
  await page.getByRole('button', { name: 'Retry all failed' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  await page.getByText('2 executions retried').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await rowOf(page, 'eve@fails.example').filter({ hasText: 'Waiting' }).waitFor();

  await page.getByLabel('Select all shown').check();
  await page.getByRole('button', { name: 'Cancel executions' }).click();
  await page.getByRole('dialog').getByLabel('Withdraw their emails that are not sent yet').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel executions' }).click();
  await page.getByText('3 executions cancelled').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  const { executions } = await ask<{ executions: { status: string; retries: number }[] }>(
    'GET',
    `/workflows/${id}/executions`,
  );
  expect(executions.map(({ status, retries }) => [status, retries]).sort()).toEqual([
    ['CANCELLED', 1],
    ['CANCELLED', 1],
    ['CANCELLED', 2],
  ]);
  await page.context().close();
});
