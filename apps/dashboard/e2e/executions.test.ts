import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choose, type DemoApp, goTo, startDemoApp, visitDemo } from './app.ts';

let app: DemoApp;
beforeAll(async () => {
  app = await startDemoApp();
});
afterAll(() => app?.close());

const headline = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

async function ask<Answer>(method: string, path: string, body?: object, key = app.demo.secretKey) {
  const answer = await fetch(app.stack.urls.api + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
  return (await answer.json()) as Answer;
}

const track = (event: string, email: string, data = {}) =>
  ask('POST', '/v1/track', { event, email, data }, app.demo.publicKey);

/** A workflow whose first step waits two days, before its condition. */
async function patientWorkflow(eventName: string): Promise<string> {
  const { id } = await ask<{ id: string }>('POST', '/workflows', { name: `After ${eventName}`, eventName });
  const step = (type: string, name: string, config: object, y: number) =>
    ask('POST', `/workflows/${id}/steps`, { type, name, config, position: { x: 100, y } });
  await step('DELAY', 'Two days', { amount: 2, unit: 'days' }, 250);
  await step('CONDITION', 'On the pro plan', { field: 'data.plan', operator: 'equals', value: 'pro' }, 400);
  await step('EXIT', 'Enough', { reason: 'pays already' }, 550);
  await ask('PATCH', `/workflows/${id}`, { enabled: true });
  return id;
}

async function openExecutions(workflowId: string): Promise<Page> {
  const page = await visitDemo(app);
  await page.goto(`${page.url()}/workflows/${workflowId}/executions`);
  await headline(page, 'Executions');
  return page;
}

describe('an execution', () => {
  it('appears when its event is tracked, shows until when it waits, and ends when it is cancelled', async () => {
    const page = await openExecutions(await patientWorkflow('looked'));
    await page.getByText('No executions yet').waitFor();
    await track('looked', 'patient@example.com', { plan: 'free', page: 'prices' });
    const row = page.getByRole('row').filter({ hasText: 'patient@example.com' });
    await row.filter({ hasText: 'Waiting' }).filter({ hasText: 'Two days' }).waitFor();
    await row.getByRole('link', { name: 'patient@example.com' }).click();

    await headline(page, 'patient@example.com');
    await page.getByText(/Waiting at “Two days” until .+/).waitFor();
    const graph = page.getByRole('region', { name: 'Path through the workflow' });
    await graph.getByRole('button', { name: /^Trigger: looked.*completed/ }).waitFor();
    await graph.getByRole('button', { name: /^Two days.*waiting/ }).waitFor();
    await graph.getByRole('button', { name: /^On the pro plan.*not reached/ }).waitFor();

    const story = page.getByRole('region', { name: 'What happened' });
    const entry = story.getByRole('listitem').filter({ hasText: 'Two days' });
    await entry.getByText(/Waiting 2 days, until .+/).waitFor();
    await entry.getByText('Input and output').click();
    await entry.getByText('"amount": 2').waitFor();
    await page.getByRole('region', { name: 'Context', exact: true }).getByText('"page": "prices"').waitFor();

    await page.getByRole('button', { name: 'Cancel execution' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel execution' }).click();
    await page.getByText('Cancelled by user.').waitFor();
    await entry.getByText('Cancelled with the execution').waitFor();
    await page.getByRole('link', { name: 'Executions' }).click();
    await row.filter({ hasText: 'Cancelled by user' }).waitFor();
    await page.context().close();
  });

  it('can be filtered by status, and all active ones can be cancelled at once', async () => {
    const workflowId = await patientWorkflow('asked');
    const page = await openExecutions(workflowId);
    await track('asked', 'first@example.com');
    await track('asked', 'second@example.com');
    await page.getByText('2 active').waitFor();
    await page.getByRole('button', { name: 'Cancel execution of first@example.com' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel execution' }).click();
    await page.getByText('1 active').waitFor();
    await choose(page.getByLabel('Status'), 'Waiting');
    await page.getByRole('link', { name: 'first@example.com' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'second@example.com' }).waitFor();

    await page.getByRole('button', { name: 'Cancel all active' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel 1 active execution?' });
    await dialog.getByRole('button', { name: 'Cancel all' }).click();
    await page.getByText('1 execution cancelled').waitFor();
    await page.getByText('No executions match your filter').waitFor();
    const { executions } = await ask<{ executions: { status: string }[] }>(
      'GET',
      `/workflows/${workflowId}/executions`,
    );
    expect(executions.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED']);
    await page.context().close();
  });

  it('links to the email it sent', async () => {
    const { data } = await ask<{ data: { id: string; name: string }[] }>('GET', '/workflows?search=Welcome');
    const page = await openExecutions(data[0]?.id ?? '');
    await track('signed up', 'newcomer@example.com');
    const row = page.getByRole('row').filter({ hasText: 'newcomer@example.com' });
    await row.filter({ hasText: 'Completed' }).waitFor();
    await row.getByRole('link').click();
    await page.getByText('Queued an email to newcomer@example.com').waitFor();
    await page.getByRole('link', { name: 'View email' }).click();
    await headline(page, 'Welcome, there');
    await page.context().close();
  });
});

describe('events', () => {
  it('are listed by name and one by one, and those of an unused name can be deleted', async () => {
    await track('opened a box', 'curious@example.com', { box: 'red' });
    await track('opened a box', 'other@example.com', { box: 'blue' });
    const page = await visitDemo(app);
    await goTo(page, 'Events');
    await headline(page, 'Events');
    const names = page.getByRole('table', { name: 'Event names' });
    await names.getByRole('row', { name: /opened a box.*2/ }).waitFor();

    const events = page.getByRole('table', { name: 'Events', exact: true });
    const other = events.getByRole('link', { name: 'other@example.com' });
    await other.waitFor();
    await page.getByLabel('Exact email address').fill('curious@example.com');
    await other.waitFor({ state: 'detached' });
    const event = events.getByRole('row').filter({ hasText: 'opened a box' });
    expect(await event.count()).toBe(1);
    await event.getByRole('button', { name: 'box: red' }).click();
    await event.getByText('red', { exact: true }).waitFor();

    await names.getByRole('link', { name: 'opened a box' }).click();
    await headline(page, 'opened a box');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 events' }).click();
    await headline(page, 'Events');
    await page.getByText('2 events deleted').waitFor();
    await names.getByRole('link', { name: 'opened a box' }).waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('that trigger a workflow cannot be deleted, and the dialog explains why', async () => {
    await track('signed up', 'kept@example.com');
    const page = await visitDemo(app);
    await goTo(page, 'Events');
    await page.getByRole('link', { name: 'signed up' }).first().click();
    await headline(page, 'signed up');
    const use = page.getByRole('region', { name: 'Used in' });
    await use.getByRole('link', { name: 'Welcome' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Delete \d+ events?$/ }).click();
    await dialog.getByText('It is used by the workflow “Welcome”. Remove it there first.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'kept@example.com' }).waitFor();
    await page.context().close();
  });

  it('emitted by Postrider cannot be deleted', async () => {
    await track('signed up', 'welcomed@example.com');
    const page = await visitDemo(app);
    await goTo(page, 'Events');
    await page.getByRole('table', { name: 'Event names' }).getByRole('link', { name: 'email.sent' }).click();
    await headline(page, 'email.sent');
    await page.getByText('Postrider creates these events').waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);

    const event = page.getByRole('table', { name: 'Events', exact: true }).getByRole('row');
    const ofWelcome = event.filter({ hasText: 'welcomed@example.com' });
    await ofWelcome.getByRole('button', { name: 'Welcome, there' }).click();
    await ofWelcome.getByRole('link', { name: 'Welcome, there' }).click();
    await headline(page, 'Welcome, there');
    await page.context().close();
  });
});
