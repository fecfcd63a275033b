import type { Page } from 'playwright-core';

/** What the day of a lifecycle marketer needs from outside of the dashboard. */
export interface DayTools {
  /** the address of the project in the dashboard */
  project: string;
  /** Tells that a trial began, which enters the contact into the workflow. */
  beginTrial: (email: string) => Promise<unknown>;
  people: readonly [string, ...string[]];
}

export const dayWorkflow = 'Trial end';

const headline = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const stepButton = (page: Page, name: string) =>
  page.getByRole('group', { name, exact: true }).getByRole('button');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Chooses an option of a select by its label. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/**
 * A day of a lifecycle marketer: a workflow is built from a recipe, tried, and enabled; while people are inside it is edited, looked at, published
 * to everybody and rolled back. Tests check what has happened at each stage, and the command for screenshots takes pictures.
 *
 * @yields the name of each stage, when its data has arrived
 */
export async function* lifecycleDay(
  page: Page,
  { project, beginTrial, people }: DayTools,
): AsyncGenerator<string> {
  await page.goto(`${project}/workflows/new`);
  await page.getByRole('button', { name: /^Trial end/ }).click();
  await page.getByRole('dialog').getByLabel('From', { exact: true }).waitFor();
  yield 'recipe';
  await button(page, 'Create workflow').last().click();
  await headline(page, dayWorkflow).waitFor();
  await stepButton(page, 'Trial is over').waitFor();
  yield 'built';

  const [first] = people;
  await button(page, 'Try it').click();
  const form = page.getByRole('form', { name: 'Try it' });
  await form.getByLabel('Contact', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Search: Contact' }).fill(first);
  await page.getByRole('option', { name: first }).click();
  await button(page, 'Show the way').click();
  await page.getByRole('region', { name: 'What would happen' }).waitFor();
  yield 'tested';
  await button(page, 'Close').click();

  await page.getByRole('switch', { name: 'Enable' }).click();
  await page.getByText('Live: version 1').waitFor();
  for (const email of people) await beginTrial(email);
  await stepButton(page, 'Wait 11 days').getByText(`${people.length} here`).waitFor();
  yield 'live';

  await stepButton(page, 'Wait 11 days').click();
  await page.getByRole('form', { name: 'Step', exact: true }).getByRole('button', { name: 'Delete' }).click();
  const deletion = page.getByRole('dialog');
  await deletion.getByText(`${people.length} contacts at this step`).waitFor();
  yield 'delete-with-people';
  await deletion.getByRole('button', { name: 'Delete only this step' }).click();
  await stepButton(page, 'Wait 11 days').waitFor({ state: 'detached' });
  await page.getByText(/^Draft: \d changes?$/).waitFor();

  await page
    .getByRole('button', { name: 'Insert a step between “Trigger: trial.started” and “Already on a plan?”' })
    .click();
  await page.getByRole('region', { name: 'Add a step' }).getByRole('button', { name: 'Delay' }).click();
  const added = page.getByRole('form', { name: 'New step' });
  await added.getByLabel('Name', { exact: true }).fill('Wait a week');
  await added.getByLabel('Duration', { exact: true }).fill('7');
  await choose(page, 'Unit', 'days');
  await button(page, 'Add step').click();
  await stepButton(page, 'Wait a week').getByText('new', { exact: true }).waitFor();
  yield 'draft';
  await button(page, 'Live').click();
  await stepButton(page, 'Wait 11 days').getByText(`${people.length} here`).waitFor();
  yield 'live-beside-draft';
  await button(page, 'Draft').click();
  await stepButton(page, 'Wait a week').waitFor();

  await button(page, 'Publish').click();
  const publish = page.getByRole('dialog', { name: 'Publish the draft?' });
  await publish
    .getByText(/contacts? (is|are) inside/)
    .first()
    .waitFor();
  yield 'publish';
  await publish.getByText('Everybody', { exact: true }).click();
  await choose(page, '“Wait 11 days” is removed', 'Go on at “Wait a week”');
  await publish.getByLabel('Note').fill('A week is enough');
  yield 'publish-to-everybody';
  await publish.getByRole('button', { name: 'Publish', exact: true }).click();
  const moved = page.getByRole('dialog', { name: 'Version 2 is live' });
  await moved.getByText(`${people.length} contacts moved`).waitFor();
  yield 'moved';
  await moved.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Live: version 2').waitFor();
  await stepButton(page, 'Wait a week').getByText(`${people.length} here`).waitFor();
  yield 'published';

  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  const again = page.getByRole('dialog', { name: 'Publish version 1 again?' });
  await again
    .getByText('“Wait a week” is removed')
    .or(again.getByText('Wait a week', { exact: true }))
    .first()
    .waitFor();
  await again.getByLabel('Note').fill('Back to eleven days');
  yield 'undo';
  await again.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Live: version 3').waitFor();
  await stepButton(page, 'Wait 11 days').waitFor();
  yield 'rolled-back';

  const tabs = page.getByRole('navigation', { name: 'Workflow', exact: true });
  await tabs.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('row').filter({ hasText: 'Back to eleven days' }).waitFor();
  yield 'versions';
  await page.getByRole('link', { name: 'Version 2' }).click();
  await headline(page, 'Version 2').waitFor();
  await page.getByRole('list', { name: 'Differences to the live version' }).waitFor();
  yield 'version';

  await page.goBack();
  await tabs.getByRole('link', { name: 'Executions' }).click();
  await page.getByRole('row').filter({ hasText: first }).getByRole('link').click();
  await page.getByRole('link', { name: 'Moved to version 2' }).waitFor();
  await page.getByRole('region', { name: 'Path through the workflow' }).getByText('waiting').waitFor();
  yield 'moved-execution';
}

/** The same workflow on a phone, where it is looked at. */
export async function* lifecycleOnPhone(page: Page, project: string): AsyncGenerator<string> {
  await page.goto(`${project}/workflows`);
  await page.getByRole('link', { name: dayWorkflow }).first().click();
  await page.getByText(/^Live: version/).waitFor();
  await stepButton(page, 'Wait 11 days').waitFor();
  yield 'canvas';
  await button(page, 'List').click();
  const list = page.getByRole('list', { name: `Steps of ${dayWorkflow}` });
  await list.scrollIntoViewIfNeeded();
  yield 'list';
  await list.getByRole('button', { name: /^Subscribed\?/ }).click();
  await page.getByRole('dialog', { name: 'Subscribed?' }).waitFor();
  yield 'step';
  const workflow = page.url().replace(/\?.*/, '');
  await page.goto(`${workflow}/versions`);
  await page.getByRole('link', { name: 'Version 2' }).waitFor();
  yield 'versions';
  await page.goto(`${workflow}/versions/2`);
  await page.getByRole('list', { name: 'Differences to the live version' }).waitFor();
  yield 'version';
}
