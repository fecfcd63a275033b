import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violations } from './accessibility.ts';
import { choose, type DemoApp, startDemoApp, visitDemo } from './app.ts';

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
  const text = await answer.text();
  expect(answer.ok, `${method} ${path}: ${text}`).toBe(true);
  return JSON.parse(text) as Answer;
}

interface Sent {
  data: { emails: { email: string; contact: { id: string } }[] };
}

/** An email from the sandbox to an address, skipped or scheduled. */
async function send(to: string, more: object = {}): Promise<{ email: string; contactId: string }> {
  const { features } = await ask<{ features: { email: { sandboxFrom: string } } }>('GET', '/config');
  const mail = { to, from: features.email.sandboxFrom, subject: 'Hello', body: '<p>Hello</p>' };
  const { data } = await ask<Sent>('POST', '/v1/send', { ...mail, ...more });
  const [first] = data.emails;
  if (!first) throw new Error('nothing was accepted');
  return { email: first.email, contactId: first.contact.id };
}

const panelOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

it('an email says why it was not sent, what would change that, and what is recorded', async () => {
  await ask('POST', '/suppressions', { emails: ['gone@people.example'] });
  const { email } = await send('gone@people.example');
  const page = await visitDemo(app);
  const home = page.url();
  await page.goto(`${home}/emails/${email}`);
  const panel = panelOf(page, 'Explanation');
  await panel.getByText('The address was put on the suppression list by hand', { exact: true }).waitFor();
  await panel.getByText('Not sent', { exact: true }).waitFor();
  await panel.getByRole('button', { name: /What is recorded \(\d+\)/ }).click();
  await panel.getByRole('listitem').filter({ hasText: 'A request to send it was accepted' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await panel.getByRole('link', { name: 'Open suppressions' }).click();
  await page.getByRole('heading', { level: 1, name: 'Suppression list' }).waitFor();
});

it('a contact says why it gets no email: any, that of a campaign, or of a workflow, and why it is in no segment', async () => {
  const { id: contactId } = await ask<{ id: string }>('POST', '/contacts', {
    email: 'quiet@people.example',
    subscribed: false,
    data: { plan: 'free' },
  });
  const filter = {
    logic: 'AND',
    groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'gold' }] }],
  };
  await ask('POST', '/segments', { name: 'Gold plan', condition: filter });
  const page = await visitDemo(app);
  await page.goto(`${page.url()}/contacts/${contactId}`);
  const panel = panelOf(page, 'Why no email?');
  await panel.getByText('Transactional only').waitFor();
  await panel
    .getByText(/never subscribed/i)
    .first()
    .waitFor();
  await choose(panel.getByRole('combobox', { name: 'Of what' }), 'A segment');
  await choose(panel.getByRole('combobox', { name: 'Which segment' }), 'Gold plan');
  await panel
    .getByText('The contact does not match: data.plan equals "gold", and the contact has "free"')
    .waitFor();
  await choose(panel.getByRole('combobox', { name: 'Of what' }), 'A workflow');
  await panel.getByText('Not entered').waitFor();
  await choose(panel.getByRole('combobox', { name: 'Of what' }), 'A campaign');
  await panel.getByRole('combobox', { name: 'Which campaign' }).waitFor();
});

it('an execution says where it is, and an older one leads to the newest', async () => {
  const { id: workflowId } = await ask<{ id: string }>('POST', '/workflows', {
    name: 'Patience',
    eventName: 'asked',
    allowReentry: true,
  });
  await ask('POST', `/workflows/${workflowId}/steps`, {
    type: 'DELAY',
    name: 'Two days',
    config: { amount: 2, unit: 'days' },
    position: { x: 100, y: 250 },
  });
  await ask('PATCH', `/workflows/${workflowId}`, { enabled: true });
  const { id: contactId } = await ask<{ id: string }>('POST', '/contacts', { email: 'asker@people.example' });
  const begin = () => ask<{ id: string }>('POST', `/workflows/${workflowId}/executions`, { contactId });
  const first = await begin();
  const page = await visitDemo(app);
  const executions = `${page.url()}/workflows/${workflowId}/executions`;
  await page.goto(`${executions}/${first.id}`);
  await panelOf(page, 'Explanation')
    .getByText(/It waits at the step “Two days” until/)
    .waitFor();
  await ask('DELETE', `/workflows/${workflowId}/executions/${first.id}`);
  const second = await begin();
  await page.goto(`${executions}/${first.id}`);
  await panelOf(page, 'Explanation').getByRole('link', { name: 'newest execution' }).click();
  await page.waitForURL(`${executions}/${second.id}`);
});

it('an email of a workflow leads to its workflow, its execution and its template', async () => {
  const { id: templateId } = await ask<{ id: string }>('POST', '/templates', {
    ...{ name: 'Warm letter', subject: 'Hi {{firstName ?? there}}', body: '<p>Hello</p>' },
    ...{ from: app.demo.from, type: 'TRANSACTIONAL' },
  });
  const { id: workflowId } = await ask<{ id: string }>('POST', '/workflows', {
    name: 'Letters',
    eventName: 'wrote',
  });
  await ask('POST', `/workflows/${workflowId}/steps`, {
    type: 'SEND_EMAIL',
    name: 'Answer',
    config: { templateId },
    position: { x: 100, y: 250 },
  });
  await ask('PATCH', `/workflows/${workflowId}`, { enabled: true });
  const { id: contactId } = await ask<{ id: string }>('POST', '/contacts', {
    email: 'writer@people.example',
  });
  const execution = await ask<{ id: string }>('POST', `/workflows/${workflowId}/executions`, { contactId });
  const emails = () => ask<{ data: { id: string }[] }>('GET', `/emails?contactId=${contactId}`);
  await expect.poll(async () => (await emails()).data.length, { timeout: 30_000 }).toBe(1);
  const [email] = (await emails()).data;

  const page = await visitDemo(app);
  const home = page.url();
  await page.goto(`${home}/emails/${email?.id}`);
  await page.getByRole('heading', { level: 1, name: 'Hi there' }).waitFor();
  const details = panelOf(page, 'Details');
  await details.getByRole('link', { name: 'Letters' }).waitFor();
  await details.getByRole('link', { name: 'Warm letter' }).waitFor();
  await details.getByRole('link', { name: 'View execution' }).click();
  await page.waitForURL(`${home}/workflows/${workflowId}/executions/${execution.id}`);
});

it('a recipient of a campaign says why it did not get it, in a dialog', async () => {
  const { features } = await ask<{ features: { email: { sandboxFrom: string } } }>('GET', '/config');
  await ask('POST', '/contacts', { email: 'stranger@people.example', subscribed: true });
  const {
    data: { id },
  } = await ask<{ data: { id: string } }>('POST', '/campaigns', {
    name: 'To strangers',
    subject: 'Hello',
    body: '<p>Hello</p>',
    from: features.email.sandboxFrom,
    audienceType: 'FILTERED',
    audienceCondition: {
      logic: 'AND',
      groups: [{ filters: [{ field: 'email', operator: 'equals', value: 'stranger@people.example' }] }],
    },
  });
  await ask('POST', `/campaigns/${id}/send`, {});
  const page = await visitDemo(app);
  await page.goto(`${page.url()}/campaigns/${id}`);
  await page.getByRole('button', { name: 'Why: stranger@people.example' }).click();
  const dialog = page.getByRole('dialog', { name: 'stranger@people.example' });
  await dialog.getByText('The sandbox sender reaches only members of the project').waitFor();
  await dialog.getByRole('link', { name: 'Open domains' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
});
