import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { choose, chooseField, type DemoApp, startDemoApp, visitDemo } from './app.ts';

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

const track = (event: string, email: string) =>
  ask('POST', '/v1/track', { event, email }, app.demo.publicKey);

const configOf = async (id: string) =>
  (await ask<{ triggerConfig: Record<string, unknown> }>('GET', `/workflows/${id}`)).triggerConfig;

async function openCanvas(id: string): Promise<Page> {
  const page = await visitDemo(app);
  await page.goto(`${page.url()}/workflows/${id}`);
  return page;
}

const selectStep = (page: Page, name: RegExp | string) =>
  page.getByRole('group', { name }).getByRole('button').first().click();

it('what a trigger takes is set on the canvas: data of its event, a filter of its schedule, a date', async () => {
  const { id } = await ask<{ id: string }>('POST', '/workflows', { name: 'Takes', eventName: 'ordered' });
  const page = await openCanvas(id);
  await selectStep(page, /^Trigger/);
  const form = page.getByRole('form', { name: 'Trigger', exact: true });
  await form.getByRole('button', { name: 'Only with certain data' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Enter a property').waitFor();
  await form.getByLabel('Property').fill('plan');
  await form.getByLabel('Value', { exact: true }).fill('pro');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await configOf(id)).toEqual({
    eventName: 'ordered',
    where: [{ property: 'plan', operator: 'equals', value: 'pro' }],
  });

  await choose(form.getByLabel('Trigger', { exact: true }), 'Schedule');
  await form.getByLabel('Schedule (cron expression)').fill('0 9 * * 1');
  await choose(form.getByLabel('Contacts', { exact: true }), 'Those that match a filter');
  await chooseField(form.getByRole('group', { name: 'Condition 1' }), 'email', 'Email address');
  await form.getByLabel('Value', { exact: true }).fill('ada@people.example');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => configOf(id))
    .toMatchObject({
      cron: '0 9 * * 1',
      filter: { groups: [{ filters: [{ field: 'email', value: 'ada@people.example' }] }] },
    });

  await ask('POST', '/contacts', { email: 'born@people.example', data: { birthday: '1990-06-11' } });
  await page.reload();
  await selectStep(page, /^Trigger/);
  await choose(form.getByLabel('Trigger', { exact: true }), 'Date of a contact');
  await form.getByLabel('Field with the date').fill('data.birthday');
  await form.getByText('1 contact has a date there.').waitFor();
  await page.context().close();
});

it('everybody at a step is cancelled there, and a trial has events with data', async () => {
  const { id } = await ask<{ id: string }>('POST', '/workflows', { name: 'Rests', eventName: 'rested' });
  await ask('POST', `/workflows/${id}/steps`, {
    ...{ type: 'DELAY', name: 'A rest', config: { amount: 1, unit: 'days' }, position: { x: 0, y: 200 } },
  });
  await ask('PATCH', `/workflows/${id}`, {
    enabled: true,
    exits: [
      {
        name: 'Large order',
        eventName: 'ordered',
        where: [{ property: 'total', operator: 'greaterThan', value: 10 }],
      },
    ],
  });
  await track('rested', 'one@people.example');
  await track('rested', 'two@people.example');
  const page = await openCanvas(id);
  await page.getByRole('group', { name: 'A rest', exact: true }).getByText('2 here').waitFor();
  await selectStep(page, 'A rest');
  await page.getByRole('region', { name: 'Delay' }).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Cancel everybody at this step' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 executions would end there.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel executions' }).click();
  await page.getByText('2 executions cancelled').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Try it' }).click();
  const form = page.getByRole('form', { name: 'Try it' });
  await form.getByLabel('Contact', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Search: Contact' }).fill('one@');
  await page.getByRole('option', { name: 'one@people.example' }).click();
  await form.getByRole('button', { name: 'Add an event' }).click();
  await form.getByLabel('Event that happens').fill('ordered');
  await form.getByLabel('Its data').fill('total: 11');
  await form.getByRole('button', { name: 'Show the way' }).click();
  const result = page.getByRole('region', { name: 'What would happen' });
  await result.getByText('Exits', { exact: true }).waitFor();
  await page.context().close();
});

it('who was held out is listed, and an email says that it went before the exit', async () => {
  const { data } = await ask<{ data: { id: string; name: string }[] }>('GET', '/templates');
  const [template] = data;
  const { id } = await ask<{ id: string }>('POST', '/workflows', { name: 'Splits', eventName: 'split' });
  const position = { x: 0, y: 200 };
  const branches = [
    { id: 'a', name: 'Mailed', percent: 100 },
    { id: 'b', name: 'Held out', percent: 0 },
  ];
  const step = (type: string, name: string, more: object) =>
    ask<{ id: string }>('POST', `/workflows/${id}/steps`, {
      type,
      name,
      position,
      autoConnect: false,
      ...more,
    });
  const draw = await step('SPLIT', 'Draw', { config: { branches, holdout: 'b' }, autoConnect: true });
  const mail = await step('SEND_EMAIL', 'Mail', { config: {}, templateId: template?.id });
  const rest = await step('DELAY', 'A rest', { config: { amount: 1, unit: 'days' } });
  const connect = (fromStepId: string, toStepId: string, more: object = {}) =>
    ask('POST', `/workflows/${id}/transitions`, { fromStepId, toStepId, ...more });
  await connect(draw.id, mail.id, { branch: 'a' });
  await connect(mail.id, rest.id);
  await ask('PATCH', `/workflows/${id}`, { enabled: true, exits: [{ name: 'Has paid', eventName: 'paid' }] });
  await track('split', 'drawn@people.example');
  type Emails = { data: { status: string; to: string }[] };
  const sent = async () =>
    (await ask<Emails>('GET', '/emails?recipient=drawn@people.example')).data.map(({ status }) => status);
  await expect
    .poll(sent, { timeout: 30_000 })
    .toEqual([expect.stringMatching(/^(?:SENT|DELIVERED|OPENED)$/)]);
  await track('paid', 'drawn@people.example');
  const page = await openCanvas(id);
  await page.goto(`${page.url()}/executions`);
  const row = page.getByRole('row').filter({ hasText: 'drawn@people.example' });
  await row.filter({ hasText: 'Exited' }).waitFor();
  await choose(page.getByLabel('Holdout'), 'Held out');
  await page.getByText('No executions match your filter').waitFor();
  await choose(page.getByLabel('Holdout'), 'Not held out');
  await row.getByRole('link').click();
  await page.getByText('Sent before the exit').waitFor();
  await page.context().close();
});
