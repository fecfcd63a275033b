import type { Page } from 'playwright-core';
import { isAsked, loaded, settled } from './rooms.ts';

interface State {
  name: string;
  /** The page within the project. */
  path: string;
  /** The page is that of this record of the list. */
  of?: string;
  open: (page: Page) => Promise<void>;
}

const press = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();

/** What opens above or within a page: dialogs, menus, panels and the ways of writing an email. */
const states: readonly State[] = [
  { name: 'command-palette', path: '', open: openPalette },
  { name: 'project-switcher', path: '', open: openSwitcher },
  { name: 'campaigns-draft', path: 'campaigns', open: editDraft },
  { name: 'keys-create', path: 'keys', open: press('Create key') },
  { name: 'webhooks-add', path: 'webhooks', open: press('Add endpoint') },
  { name: 'media-picker', path: 'settings', open: press('Choose image') },
  { name: 'workflows-recipe', path: 'workflows/new', open: press(/^Abandoned cart/) },
  { name: 'workflows-step', path: 'workflows', of: 'Welcome', open: press(/^Send the welcome email/) },
  { name: 'workflows-test', path: 'workflows', of: 'Welcome', open: press('Try it') },
  { name: 'templates-block', path: 'templates/new', open: selectHeading },
  { name: 'templates-gallery', path: 'templates/new', open: press('Choose a template') },
  { name: 'templates-code', path: 'templates/new', open: editHtml },
  { name: 'templates-text', path: 'templates/new', open: press('Text') },
];

/** Opens each state; yields its name. */
export async function* everyState(page: Page, project: string, only: string): AsyncGenerator<string> {
  for (const { name, path, of, open } of states) {
    if (!isAsked(name, only)) continue;
    await page.goto(path ? `${project}/${path}` : project);
    await loaded(page);
    if (of) {
      const list = page.url();
      await page.getByRole('link', { name: of, exact: true }).click();
      await page.waitForURL((url) => url.href !== list);
      await loaded(page);
    }
    await open(page);
    await settled(page);
    yield name;
  }
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog').waitFor();
}

/** The campaign that the demo project begins with. */
async function editDraft(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'First newsletter' }).click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('heading', { name: 'Edit campaign' }).waitFor();
}

/** On narrow screens it is in the menu. */
async function openSwitcher(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await menu.click();
  await press(/switch project$/)(page);
  await page.getByLabel('Find a project').waitFor();
}

async function editHtml(page: Page): Promise<void> {
  await press('Code')(page);
  await press('Edit the HTML')(page);
}

async function selectHeading(page: Page): Promise<void> {
  await press('Edit email')(page);
  await page.getByRole('textbox', { name: 'Email' }).getByRole('heading').first().click();
}
