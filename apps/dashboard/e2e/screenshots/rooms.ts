import type { Page } from 'playwright-core';

/** Paths within a project; of lists, the page of the first row too, and its edit page where there is one. */
const rooms: readonly { path: string; isList?: boolean; edit?: boolean }[] = [
  { path: '' },
  { path: 'activity' },
  { path: 'analytics' },
  { path: 'reputation' },
  { path: 'emails', isList: true },
  { path: 'campaigns', isList: true, edit: true },
  { path: 'campaigns/new' },
  { path: 'workflows', isList: true },
  { path: 'workflows/new' },
  { path: 'templates', isList: true, edit: true },
  { path: 'templates/new' },
  { path: 'media' },
  { path: 'contacts', isList: true },
  { path: 'contacts/fields' },
  { path: 'contacts/imports' },
  { path: 'contacts/suppressions' },
  { path: 'segments', isList: true },
  { path: 'segments/new' },
  { path: 'events', isList: true },
  { path: 'domains', isList: true },
  { path: 'webhooks', isList: true },
  { path: 'keys' },
  { path: 'members' },
  { path: 'billing' },
  { path: 'audit' },
  { path: 'settings' },
];

const accountRooms = ['account', 'new-project', 'no-such-page'];
const publicRooms = [
  'login',
  'signup',
  'forgot-password',
  'auth/reset-password?token=expired',
  'auth/verify-email?token=expired',
];

/** Pages that need no project: these of the account, or, without a session, these that anyone can open. */
export async function* everyDoor(page: Page, { origin, isPublic, only }: Doors): AsyncGenerator<string> {
  for (const path of isPublic ? publicRooms : accountRooms) {
    if (!path.includes(only)) continue;
    await page.goto(`${origin}/${path}`);
    await loaded(page);
    yield path.replace(/\?.*/, '').replaceAll('/', '-');
  }
}

interface Doors {
  origin: string;
  isPublic: boolean;
  only: string;
}

/** Goes from room to room; yields the name of each once its data has arrived. */
export async function* everyRoom(page: Page, project: string, only: string): AsyncGenerator<string> {
  for (const { path, isList, edit } of rooms) {
    if (!path.includes(only)) continue;
    const name = path.replaceAll('/', '-') || 'overview';
    await page.goto(`${project}/${path}`);
    await loaded(page);
    yield name;
    const first = page.locator('tbody a').first();
    if (!isList || (await first.count()) === 0) continue;
    await first.click();
    await page.waitForURL((url) => url.pathname !== new URL(`${project}/${path}`).pathname);
    await loaded(page);
    yield `${name}-one`;
    if (!edit) continue;
    await page.goto(`${page.url()}/edit`);
    await loaded(page);
    yield `${name}-edit`;
  }
}

/** The email in the visual editor can have a heading of the first level too. The role `status` takes no accessible name from its content, so this filters by text. */
async function loaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.evaluate('document.fonts.ready');
  await page
    .getByRole('status')
    .filter({ hasText: /^Loading/ })
    .first()
    .waitFor({ state: 'detached' });
}
