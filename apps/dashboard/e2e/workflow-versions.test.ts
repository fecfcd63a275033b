import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violations } from './accessibility.ts';
import { type DemoApp, goTo, startDemoApp, visitDemo } from './app.ts';
import { dayWorkflow, lifecycleDay } from './lifecycle-day.ts';

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

interface Detail {
  id: string;
  version: number | null;
  draft: { changes: number } | null;
  steps: { id: string; name: string; type: string }[];
}

interface Executions {
  executions: {
    version: number;
    status: string;
    currentStep: { name: string } | null;
    contact: { email: string };
  }[];
}

async function find(name: string): Promise<Detail> {
  const { data } = await ask<{ data: { id: string; name: string }[] }>(
    'GET',
    `/workflows?search=${encodeURIComponent(name)}`,
  );
  const { id = '' } = data.find((each) => each.name === name) ?? {};
  return ask<Detail>('GET', `/workflows/${id}`);
}

const namesOf = ({ steps }: Detail) => steps.map(({ name }) => name);

/** Where contacts are, and the version that they entered with. */
async function whereabouts(id: string): Promise<Record<string, string>> {
  const { executions } = await ask<Executions>('GET', `/workflows/${id}/executions?pageSize=100`);
  return Object.fromEntries(
    executions.map(({ contact, version, currentStep }) => [
      contact.email,
      `${version}: ${currentStep?.name}`,
    ]),
  );
}

/** The mutations that a page sends while something is done. */
async function requestsDuring(page: Page, act: () => Promise<void>): Promise<string[]> {
  const sent: string[] = [];
  const listen = (request: { method(): string; url(): string }) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && pathname.startsWith('/trpc/'))
      sent.push(pathname.slice('/trpc/'.length));
  };
  page.on('request', listen);
  await act();
  page.off('request', listen);
  return sent;
}

/** Those of an open dialog: what is behind it is hidden, and cannot get the focus, which the engine does not see. */
const violationsInDialog = async (page: Page): Promise<string[]> =>
  (await violations(page)).filter((each) => !each.startsWith('aria_hidden_nontabbable'));

const stepButton = (page: Page, name: string) =>
  page.getByRole('group', { name, exact: true }).getByRole('button');

const people = ['ada@people.example', 'grace@people.example', 'mary@people.example'] as const;

it('a live workflow is edited in a draft, published to everybody with a removed step, and rolled back, while people are inside', async () => {
  for (const email of people) await ask('POST', '/contacts', { email });
  const page = await visitDemo(app);
  const inside = (step: string, version = 1) =>
    Object.fromEntries(people.map((email) => [email, `${version}: ${step}`]));
  const checks: Record<string, (workflow: Detail) => Promise<void>> = {
    async draft(workflow) {
      // Nothing of it is in force: neither for those inside nor for who enters now.
      expect(namesOf(workflow)).toContain('Wait 11 days');
      expect(namesOf(workflow)).not.toContain('Wait a week');
      expect(workflow).toMatchObject({ version: 1, draft: { changes: expect.any(Number) } });
      expect(await whereabouts(workflow.id)).toEqual(inside('Wait 11 days'));
      expect(await violations(page)).toEqual([]);
    },
    'publish-to-everybody': async () => expect(await violationsInDialog(page)).toEqual([]),
    async published(workflow) {
      expect(workflow).toMatchObject({ version: 2, draft: null });
      expect(namesOf(workflow)).not.toContain('Wait 11 days');
      expect(await whereabouts(workflow.id)).toEqual(inside('Wait a week'));
    },
    async 'rolled-back'(workflow) {
      expect(workflow).toMatchObject({ version: 3, draft: null });
      expect(namesOf(workflow)).toContain('Wait 11 days');
      // New people only: those inside stay where they are.
      expect(await whereabouts(workflow.id)).toEqual(inside('Wait a week'));
    },
    versions: async () => expect(await violations(page)).toEqual([]),
    version: async () => expect(await violations(page)).toEqual([]),
    'moved-execution': async () => expect(await violations(page)).toEqual([]),
  };
  const seen = [];
  for await (const stage of lifecycleDay(page, {
    project: page.url(),
    beginTrial: (email) => track('trial.started', email),
    people,
  })) {
    seen.push(stage);
    await checks[stage]?.(await find(dayWorkflow));
  }
  expect(seen).toEqual(expect.arrayContaining(Object.keys(checks)));
  await page.context().close();
});

/** An enabled workflow that waits for two days. */
async function patientWorkflow(name: string, eventName: string): Promise<string> {
  const { id } = await ask<{ id: string }>('POST', '/workflows', { name, eventName });
  const step = (type: string, title: string, config: object) =>
    ask('POST', `/workflows/${id}/steps`, { type, name: title, config, position: { x: 0, y: 0 } });
  await step('DELAY', 'Two days', { amount: 2, unit: 'days' });
  await step('EXIT', 'Enough', { reason: 'done' });
  await ask('PATCH', `/workflows/${id}`, { enabled: true });
  return id;
}

async function openWorkflow(id: string, name: string): Promise<Page> {
  const page = await visitDemo(app);
  await page.goto(`${page.url()}/workflows/${id}`);
  await page.getByRole('heading', { level: 1, name }).waitFor();
  return page;
}

it('a step is added to a live workflow by one request, saved settings wait in the draft, and a discarded draft comes back', async () => {
  const id = await patientWorkflow('Patience', 'hurried');
  const page = await openWorkflow(id, 'Patience');
  await page.getByText('Live: version 1').waitFor();
  await page.getByRole('button', { name: 'Insert a step between “Two days” and “Enough”' }).click();
  await page
    .getByRole('region', { name: 'Add a step' })
    .getByRole('button', { name: 'Update contact' })
    .click();
  const form = page.getByRole('form', { name: 'New step' });
  await form.getByLabel('Field', { exact: true }).fill('patient');
  await form.getByLabel('Value', { exact: true }).fill('yes');
  const sent = await requestsDuring(page, async () => {
    await form.getByRole('button', { name: 'Add step' }).click();
    await stepButton(page, 'Update contact').getByText('new', { exact: true }).waitFor();
  });
  expect(sent).toEqual(['workflows.replaceGraph']);

  await stepButton(page, 'Two days').click();
  const settings = page.getByRole('form', { name: 'Step', exact: true });
  await settings.getByLabel('Duration', { exact: true }).fill('3');
  await settings.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved in the draft').waitFor();
  await page.getByText('Draft: 2 changes').waitFor();
  expect(namesOf(await find('Patience'))).not.toContain('Update contact');

  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Discard the draft?' });
  await dialog.getByText('Delay: 2 days → Delay: 3 days').waitFor();
  await dialog.getByRole('button', { name: 'Discard draft' }).click();
  await stepButton(page, 'Update contact').waitFor({ state: 'detached' });
  await expect.poll(async () => (await find('Patience')).draft).toBeNull();
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await stepButton(page, 'Update contact').waitFor();
  await page.getByText('Draft: 2 changes').waitFor();

  // The keys of the canvas change the draft too.
  await stepButton(page, 'Update contact').click();
  await page.keyboard.press('ControlOrMeta+d');
  await stepButton(page, 'Update contact 2').waitFor();
  await page.keyboard.press('ControlOrMeta+z');
  await page.getByText('Undone: duplicate of “Update contact”').waitFor();
  await stepButton(page, 'Update contact 2').waitFor({ state: 'detached' });
  await page.context().close();
});

it('a draft that lacks something is not published, and the dialog leads to the step', async () => {
  const id = await patientWorkflow('Lacking', 'lacked');
  const page = await openWorkflow(id, 'Lacking');
  // The API can leave out what the form asks for.
  await ask('POST', `/workflows/${id}/steps`, {
    type: 'SEND_EMAIL',
    name: 'Say hello',
    config: {},
    position: { x: 0, y: 0 },
    publish: false,
  });
  // The open canvas shows what others change in the draft.
  await stepButton(page, 'Say hello').getByText('new', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish the draft?' });
  await dialog.getByText('This cannot be published yet').waitFor();
  expect(await dialog.getByRole('button', { name: 'Publish', exact: true }).isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: '“Say hello” has no template' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByRole('form', { name: 'Step', exact: true })
    .locator('[name="name"][value="Say hello"]')
    .waitFor();
  await page.context().close();
});

it('a workflow is exported as JSON and TypeScript, and imported, with what is wrong at its line', async () => {
  const id = await patientWorkflow('Portable', 'carried');
  const page = await openWorkflow(id, 'Portable');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export the workflow' });
  await dialog.getByText('"postrider-workflow/1"').waitFor();
  const download = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    const folder = await mkdtemp(join(tmpdir(), 'postrider-export-'));
    const path = join(folder, 'document');
    await file.saveAs(path);
    const text = await readFile(path, 'utf8');
    await rm(folder, { recursive: true });
    return { name: file.suggestedFilename(), text };
  };
  const json = await download();
  expect(json.name).toBe('portable.workflow.json');
  await dialog.getByRole('button', { name: 'TypeScript' }).click();
  await dialog.getByText("import { workflow } from '@postrider/sdk/workflow'").waitFor();
  const program = await download();
  expect(program.name).toBe('portable.workflow.ts');
  expect(program.text).toContain('export default workflow("Portable"');
  await dialog.getByRole('button', { name: 'Close' }).click();

  await goTo(page, 'Workflows');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const form = page.getByRole('form', { name: 'Import a workflow' });
  const text = form.getByLabel('Document');
  await text.fill(program.text.replace('"Enough"', 'document.cookie'));
  await form.getByRole('button', { name: 'Import' }).click();
  await form.getByText(/^Line \d+: only calls of the builders with plain values can be read/).waitFor();
  await text.fill(program.text);
  await form.getByRole('button', { name: 'Import' }).click();
  await page.getByRole('heading', { level: 1, name: 'Portable (2)' }).waitFor();
  await stepButton(page, 'Two days').waitFor();
  await goTo(page, 'Workflows');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const wrong = JSON.parse(json.text) as { steps: { template?: string; config: object }[] };
  const [step] = wrong.steps;
  if (!step) throw new Error('the document has steps');
  step.template = 'template:nobody';
  const wrongText = JSON.stringify(wrong, null, 2);
  await text.fill(wrongText);
  await form.getByRole('button', { name: 'Import' }).click();
  const line = wrongText.split('\n').findIndex((each) => each.includes('template:nobody')) + 1;
  await form.getByText(`Line ${line}, steps.0.template: The project has nothing of this name`).waitFor();
  expect(await violationsInDialog(page)).toEqual([]);
  await form.locator('input[type="file"]').setInputFiles({
    name: json.name,
    mimeType: 'application/json',
    buffer: Buffer.from(json.text),
  });
  await expect.poll(() => text.inputValue()).toBe(json.text);
  await form.getByRole('button', { name: 'Import' }).click();
  await page.getByRole('heading', { level: 1, name: 'Portable (3)' }).waitFor();
  await stepButton(page, 'Two days').waitFor();
  await page.context().close();
});

it('on a phone a workflow is looked at: as a canvas or a list, each step with its settings, and nothing is wider than the screen', async () => {
  const id = await patientWorkflow('Pocket', 'pocketed');
  const page = await visitDemo(app, { viewport: { width: 390, height: 844 } });
  await page.goto(`${page.url()}/workflows/${id}`);
  await page.getByText('Live: version 1').waitFor();
  await stepButton(page, 'Two days').waitFor();
  expect(await page.getByRole('button', { name: /^(Add|Insert) a step/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'List', exact: true }).click();
  const list = page.getByRole('list', { name: 'Steps of Pocket' });
  expect(await list.getByRole('listitem').count()).toBe(3);
  await list.getByRole('button', { name: /^Two days/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Two days' });
  expect(await dialog.getByLabel('Duration', { exact: true }).isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect(await violations(page)).toEqual([]);
  for (const path of ['', '/versions', '/versions/1']) {
    await page.goto(
      `${new URL(page.url()).origin}${new URL(page.url()).pathname.replace(/(\/workflows\/[^/]+).*/, '$1')}${path}`,
    );
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page
      .getByRole('navigation', { name: 'Workflow', exact: true })
      .or(page.getByText('By this version'))
      .first()
      .waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  }
  await page.context().close();
});
