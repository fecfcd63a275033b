import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violations } from './accessibility.ts';
import {
  type App,
  choose,
  chooseField,
  entered,
  goTo,
  startApp,
  tabTo,
  verifyDomain,
  writeHtml,
} from './app.ts';

const domain = 'mail.orchard.example';
const event = 'basket.filled';

const headline = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

it('a workflow is built on the canvas of an empty project, triggered by a tracked event, and followed to its email', async () => {
  const page = await app.visit('/signup');
  await page.getByLabel('Email').fill('orchard@people.example');
  await page.getByLabel('Password').fill('an apple a day');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await headline(page, 'Create your first project');
  await page.getByLabel('Name').fill('Orchard');
  await page.getByRole('button', { name: 'Create project' }).click();
  await entered(page, 'Orchard');
  await verifyDomain(app, page, domain);
  await writeTemplate(page);

  await createWorkflow(page);
  await refuseToEnable(page);
  await buildSteps(page);
  await insertAndDelete(page);
  await letWaysMeet(page);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('switch', { name: 'Enable' }).click();
  await page.getByRole('switch', { name: 'Enabled', checked: true }).waitFor();

  const key = await publicKey(page);
  await track(key, 'ada@people.example', { total: 80 });
  await track(key, 'grace@people.example', { total: 20 });
  await follow(page);
  await tryOut(page);
  await editEmail(page);
  await checkMailbox();
  await page.context().close();
});

async function writeTemplate(page: Page): Promise<void> {
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'New template' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Thanks');
  await page.getByLabel('Subject').fill('Thanks for {{event.total}} apples');
  await page.getByLabel('From', { exact: true }).fill(`hello@${domain}`);
  await choose(page.getByLabel('Type', { exact: true }), /^Transactional/);
  await writeHtml(page, '<p>They are on their way.</p>');
  await page.getByRole('button', { name: 'Save template' }).click();
  await headline(page, 'Thanks');
}

async function createWorkflow(page: Page): Promise<void> {
  await goTo(page, 'Workflows');
  await page.getByText('No workflows yet').waitFor();
  await page.getByRole('link', { name: 'New workflow' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Harvest');

  // An invalid schedule is rejected at its field and leaves no workflow behind.
  await choose(page.getByLabel('Trigger', { exact: true }), 'Schedule');
  await page.getByLabel('Schedule (cron expression)').fill('every monday');
  await page.getByRole('button', { name: 'Create workflow' }).click();
  await page.getByText('A cron expression has 5 fields').waitFor();
  await page.locator('[name="triggerConfig.cron"]:focus[aria-invalid="true"]').waitFor();

  await choose(page.getByLabel('Trigger', { exact: true }), 'Event');
  await page.getByLabel('Event', { exact: true }).fill(event);
  await page.getByRole('button', { name: 'Create workflow' }).click();
  await headline(page, 'Harvest');
  await goTo(page, 'Workflows');
  const link = page.getByRole('link', { name: 'Harvest' });
  await link.waitFor();
  expect(await page.locator('tbody tr').count()).toBe(1);
  await link.click();
  await headline(page, 'Harvest');
}

async function refuseToEnable(page: Page): Promise<void> {
  const enabled = page.getByRole('switch', { name: 'Enable' });
  expect(await enabled.getAttribute('aria-disabled')).toBe('true');
  await page.getByText('Add a step after the trigger.').waitFor();
}

const stepButton = (page: Page, name: string) =>
  page.getByRole('group', { name, exact: true }).getByRole('button');

/** Chooses the type of a new step in the open "Add a step" panel. */
const chooseKind = (page: Page, kind: string) =>
  page.getByRole('region', { name: 'Add a step' }).getByRole('button', { name: kind }).click();

async function addStep(page: Page, after: string, kind: string, fill: () => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: `Add a step after ${after}`, exact: true }).click();
  await chooseKind(page, kind);
  await fill();
  await page.getByRole('button', { name: 'Add step' }).click();
  await page.getByRole('form', { name: 'Step', exact: true }).waitFor();
}

/** Trigger → condition, whose branch `yes` sends an email and whose branch `no` exits with a reason. */
async function buildSteps(page: Page): Promise<void> {
  const name = page.getByRole('form', { name: 'New step' }).getByLabel('Name', { exact: true });
  await addStep(page, `“Trigger: ${event}”`, 'Condition', async () => {
    await name.fill('A full basket?');
    await chooseField(page.getByRole('group', { name: 'Condition 1' }), 'total', 'Context “total”');
    await choose(page.getByLabel('Operator'), 'is greater than');
    await choose(page.getByLabel('Value type'), 'Number');
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.getByText('Enter a value').waitFor();
    await page.getByLabel('Number', { exact: true }).fill('50');
  });
  await addStep(page, '“A full basket?”, yes', 'Send email', async () => {
    await name.fill('Say thanks');
    await choose(page.getByLabel('Template', { exact: true }), 'Thanks');
  });
  await addStep(page, '“A full basket?”, no', 'Exit', async () => {
    await name.fill('Too few');
    await page.getByLabel('Reason').fill('small basket');
  });
}

/** Inserts a step between two others, after a validation error; then inserts another one and deletes it again. */
async function insertAndDelete(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: 'Insert a step between “A full basket?”, yes and “Say thanks”' })
    .click();
  await chooseKind(page, 'Update contact');
  const form = page.getByRole('form', { name: 'New step' });
  await form.getByRole('button', { name: 'Add step' }).click();
  await page.getByRole('alert').waitFor();
  await form.getByLabel('Field', { exact: true }).fill('basket');
  await form.getByLabel('Value', { exact: true }).fill('full');
  await form.getByRole('button', { name: 'Add step' }).click();
  await page.getByRole('button', { name: 'Insert a step between “Update contact” and “Say thanks”' }).click();
  await chooseKind(page, 'Delay');
  await form.getByRole('button', { name: 'Add step' }).click();
  await stepButton(page, 'Delay').click();
  await page.getByRole('form', { name: 'Step', exact: true }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete only this step' }).click();
  await stepButton(page, 'Delay').waitFor({ state: 'detached' });
  await page
    .getByRole('button', { name: 'Insert a step between “Update contact” and “Say thanks”' })
    .waitFor();
}

/** Deletes the connection to a new exit step, and draws it again with the mouse. */
async function letWaysMeet(page: Page): Promise<void> {
  await addStep(page, '“Say thanks”', 'Exit', async () => {
    await page.getByRole('form', { name: 'New step' }).getByLabel('Name', { exact: true }).fill('All done');
    await page.getByLabel('Reason').fill('thanked');
  });
  await page.getByRole('button', { name: 'Fit view' }).click();
  const cut = 'Delete the connection between “Say thanks” and “All done”';
  await page.getByRole('button', { name: cut }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete connection' }).click();
  await page.getByRole('button', { name: 'Add a step after “Say thanks”' }).waitFor();
  await page.getByRole('button', { name: 'Fit view' }).click();

  const outlet = page.getByRole('group', { name: 'Say thanks', exact: true }).locator('.source');
  const from = await outlet.boundingBox();
  const to = await stepButton(page, 'All done').boundingBox();
  if (!from || !to) throw new Error('the steps are not in sight');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
  await page.mouse.up();
  await page.getByRole('button', { name: cut }).waitFor();
}

async function publicKey(page: Page): Promise<string> {
  const back = page.url();
  await goTo(page, 'API keys');
  const key = (await page.getByTestId('public-key').textContent()) ?? '';
  expect(key).toMatch(/^pk_[0-9a-f]{64}$/);
  await page.goto(back);
  await headline(page, 'Harvest');
  return key;
}

async function track(key: string, email: string, data: object): Promise<void> {
  const answer = await fetch(`${app.stack.urls.api}/v1/track`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email, event, data }),
  });
  expect(answer.status).toBe(200);
}

/** The counts on the open canvas show where the two contacts went, without a reload. */
async function follow(page: Page): Promise<void> {
  const counted = (name: string, text: string | RegExp) => stepButton(page, name).getByText(text).waitFor();
  await counted(`Trigger: ${event}`, '2 entered');
  await counted('A full basket?', '2 entered');
  await counted('Say thanks', /^1 (entered|sent)$/);
  await counted('All done', '1 entered');
  await counted('Too few', '1 entered');
  await page
    .getByRole('navigation', { name: 'Workflow', exact: true })
    .getByRole('link', { name: 'Executions' })
    .click();
  await headline(page, 'Executions');
  const rows = page.locator('tbody tr');
  await rows.filter({ hasText: 'ada@people.example' }).getByText('Exited').waitFor();
  await rows.filter({ hasText: 'grace@people.example' }).getByText('Exited').waitFor();
}

/** A test run shows the email that a contact would get; the mailbox shows afterwards that it was not sent. */
async function tryOut(page: Page): Promise<void> {
  const tabs = page.getByRole('navigation', { name: 'Workflow', exact: true });
  await tabs.getByRole('link', { name: 'Canvas' }).click();
  await page.getByRole('button', { name: 'Try it' }).click();
  const form = page.getByRole('form', { name: 'Try it' });
  await form.getByRole('button', { name: 'Show the way' }).click();
  await form.getByText('Select a contact of this project').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Search: Contact' }).fill('ada@');
  await page.getByRole('option', { name: 'ada@people.example' }).click();
  await form.getByText(`Seen in ${event}: total`).waitFor();
  await form.getByLabel('Event data').fill('total: 70');
  await form.getByRole('button', { name: 'Show the way' }).click();
  const result = page.getByRole('region', { name: 'What would happen' });
  await result.getByText('Would send “Thanks for 70 apples” to ada@people.example').waitFor();
  await result.getByText('Exits', { exact: true }).waitFor();
  await page.getByRole('group', { name: 'Too few', exact: true }).waitFor();
}

/** The email of a step is edited over the canvas, with the data of the triggering event among the variables. */
async function editEmail(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await stepButton(page, 'Say thanks').first().click();
  const open = page.getByRole('button', { name: 'Edit template “Thanks”' });
  await open.click();
  const sheet = page.getByRole('dialog', { name: 'Edit “Thanks”' });
  await sheet.locator('.cm-content').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('{{event.');
  // By the mouse: the list takes no Enter in its first moments, so that none that was meant for the text chooses from it.
  await sheet.getByRole('option', { name: 'event.total' }).click();
  await sheet.getByText('{{event.total}}').first().waitFor();
  await sheet.getByRole('button', { name: 'Save template' }).click();
  await sheet.waitFor({ state: 'detached' });
  await headline(page, 'Harvest');
  await open.click();
  await sheet.getByText('{{event.total}}').first().waitFor();
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await sheet.waitFor({ state: 'detached' });
}

async function checkMailbox(): Promise<void> {
  const subjects = async () => {
    const answer = await fetch(`${app.stack.urls.mailbox}/api/messages?search=apples`);
    const { messages } = (await answer.json()) as { messages: { subject: string; to: string[] }[] };
    return messages.map(({ subject, to }) => `${subject} → ${to}`);
  };
  await expect.poll(subjects).toEqual(['Thanks for 80 apples → ada@people.example']);
}

/** Whether an element is within the canvas, as far as the eye can see. */
async function isOnCanvas(page: Page, target: Locator): Promise<boolean> {
  const [canvas, box] = [await page.locator('.react-flow').boundingBox(), await target.boundingBox()];
  if (!canvas || !box) return false;
  return (
    box.x >= canvas.x &&
    box.y >= canvas.y &&
    box.x + box.width <= canvas.x + canvas.width &&
    box.y + box.height <= canvas.y + canvas.height
  );
}

it('a workflow is built, changed, and changed back by keyboard alone, with the trigger in sight all the time', async () => {
  const page = await app.visit('/signup');
  await page.getByLabel('Email').fill('keys@people.example');
  await page.getByLabel('Password').fill('no mouse at all');
  await page.getByRole('button', { name: 'Sign up' }).press('Enter');
  await headline(page, 'Create your first project');
  await page.getByLabel('Name').fill('Keys');
  await page.keyboard.press('Enter');
  await entered(page, 'Keys');
  await tabTo(page, page.getByRole('link', { name: 'Workflows', exact: true }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('link', { name: 'New workflow' }));
  await page.keyboard.press('Enter');
  await headline(page, 'New workflow');
  await tabTo(page, page.getByLabel('Name', { exact: true }));
  await page.keyboard.type('By keys');
  await tabTo(page, page.getByLabel('Event', { exact: true }));
  await page.keyboard.type('trial.started');
  await tabTo(page, page.getByRole('button', { name: 'Create workflow' }));
  await page.keyboard.press('Enter');
  await headline(page, 'By keys');

  const trigger = stepButton(page, 'Trigger: trial.started');
  const stepForm = page.getByRole('form', { name: 'Step', exact: true });
  const add = async (after: string, kind: string, key: 'Tab' | 'Shift+Tab', fill?: () => Promise<void>) => {
    await tabTo(page, page.getByRole('button', { name: `Add a step after ${after}`, exact: true }), key);
    expect(await isOnCanvas(page, trigger)).toBe(true);
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('region', { name: 'Add a step' }).getByRole('button', { name: kind }));
    await page.keyboard.press('Enter');
    await fill?.();
    await tabTo(page, page.getByRole('button', { name: 'Add step' }));
    await page.keyboard.press('Enter');
    await stepForm.waitFor();
  };
  await add('“Trigger: trial.started”', 'Condition', 'Tab', async () => {
    await tabTo(page, page.getByRole('group', { name: 'Condition 1' }).getByLabel('Field', { exact: true }));
    await page.keyboard.press('Enter');
    await page.getByLabel('Search: Field').waitFor();
    await page.keyboard.type('plan');
    await page.getByRole('option', { name: 'Contact field “plan”', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByLabel('Value', { exact: true }));
    await page.keyboard.type('pro');
  });
  await add('“Condition”, yes', 'Exit', 'Shift+Tab');
  await add('“Condition”, no', 'Delay', 'Shift+Tab');

  // The new step is selected, and its keys work from its panel.
  await page.keyboard.press('ControlOrMeta+d');
  await stepForm.locator('[name="name"][value="Delay 2"]').waitFor();
  await page.keyboard.press('Delete');
  const deletion = page.getByRole('dialog').getByRole('button', { name: 'Delete step' });
  await tabTo(page, deletion);
  await page.keyboard.press('Enter');
  await stepButton(page, 'Delay 2').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).and(page.locator(':enabled')).waitFor();
  // What was undone is said for some seconds, which may be over when the step is there.
  const said = page.getByText('Undone: deletion of “Delay 2”').waitFor();
  await page.keyboard.press('ControlOrMeta+z');
  await Promise.all([said, stepButton(page, 'Delay 2').waitFor()]);
  const saidAgain = page.getByText('Undone: duplicate of “Delay”').waitFor();
  await page.keyboard.press('ControlOrMeta+z');
  await Promise.all([saidAgain, stepButton(page, 'Delay 2').waitFor({ state: 'detached' })]);
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await stepButton(page, 'Delay 2').waitFor();
  for (const name of ['Condition', 'Exit', 'Delay', 'Delay 2']) {
    await tabTo(page, stepButton(page, name), 'Tab');
    expect(await isOnCanvas(page, stepButton(page, name))).toBe(true);
    expect(await isOnCanvas(page, trigger)).toBe(true);
  }
  await page.context().close();
});
