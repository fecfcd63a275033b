import type { Page } from 'playwright-core';

/** Paths within a project; of lists, the page of the first row too, and pages below it. */
const rooms: readonly { path: string; isList?: boolean; below?: readonly string[] }[] = [
  { path: '' },
  { path: 'activity' },
  { path: 'analytics' },
  { path: 'reputation' },
  { path: 'emails', isList: true },
  { path: 'campaigns', isList: true, below: ['edit'] },
  { path: 'campaigns/new' },
  { path: 'workflows', isList: true, below: ['executions', 'versions'] },
  { path: 'workflows/new' },
  { path: 'templates', isList: true, below: ['edit', 'versions/1'] },
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
    if (!isAsked(path, only)) continue;
    await page.goto(`${origin}/${path}`);
    await loaded(page);
    yield path.replace(/\?.*/, '').replaceAll('/', '-');
  }
}

/** @param only words, with commas between them; a room is asked for if its name contains one of them */
export const isAsked = (name: string, only: string): boolean =>
  only.split(',').some((word) => name.includes(word));

interface Doors {
  origin: string;
  isPublic: boolean;
  only: string;
}

/** Goes from room to room; yields the name of each once its data has arrived. */
export async function* everyRoom(page: Page, project: string, only: string): AsyncGenerator<string> {
  for (const { path, isList, below = [] } of rooms) {
    const name = path.replaceAll('/', '-') || 'overview';
    if (!isAsked(name, only)) continue;
    await page.goto(path ? `${project}/${path}` : project);
    await loaded(page);
    yield name;
    const first = page.locator('tbody a').first();
    if (!isList || (await first.count()) === 0) continue;
    await first.click();
    await page.waitForURL((url) => url.pathname !== new URL(`${project}/${path}`).pathname);
    await loaded(page);
    yield `${name}-one`;
    const one = page.url();
    for (const each of below) {
      await page.goto(`${one}/${each}`);
      await loaded(page);
      yield `${name}-${each.replaceAll('/', '-')}`;
    }
  }
}

/** The email in the visual editor can have a heading of the first level too. The role `status` takes no accessible name from its content, so this filters by text. */
export async function loaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await settled(page);
}

/** Nothing of the page is still loading, whether or not a dialog hides its heading. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready');
  const loading = page.getByRole('status').filter({ hasText: /^(Loading|Counting)/ });
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' });
  await page.evaluate(imagesLoaded);
}

/** Images outside of the window may load later. */
const imagesLoaded = `Promise.race([
  Promise.all([...document.images].filter((image) => !image.complete).map((image) => image.decode().catch(() => undefined))),
  new Promise((done) => setTimeout(done, 2_000)),
])`;
