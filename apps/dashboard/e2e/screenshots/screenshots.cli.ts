import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium } from '@postrider/local/chromium';
import { anotherDemo } from '@postrider/local/demo';
import { forceAll } from '@postrider/local/registry';
import { startStack } from '@postrider/local/stack';
import { Postrider } from '@postrider/sdk';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { type DayTools, lifecycleDay, lifecycleOnPhone } from '../lifecycle-day.ts';
import { marketerDay, marketerOnPhone } from '../marketer-day.ts';
import { type Picture, sheetOf } from './contact-sheet.ts';
import { photographMail } from './mail-pictures.ts';
import { everyReaderPage, everyRecipientPage } from './reader-pages.ts';
import { everyDoor, everyRoom, isAsked } from './rooms.ts';
import { everyState } from './states.ts';
import { addTeamRecords } from './team-records.ts';
import { addWeekOfUse } from './week-of-use.ts';
import { addEmptyProject, fillProject, sandboxOf } from './worlds.ts';

/**
 * `npm run screenshots -- [--out folder] [--contacts 1000000] [--only words] [--widths 1440,400]`: every room of the dashboard with a new project, with the
 * demo data, and with many contacts and long names; dialogs and panels; the pages of recipients, each in two languages (`--only recipient`);
 * light and dark, 1440 and 400 pixels wide. Last, an email with every kind of block, 375 and 640 pixels wide; and the days of a lifecycle
 * marketer (`--only lifecycle`) and of a marketer who sends campaigns (`--only marketer`). `index.html` shows them side by side.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: '.postrider/screenshots' },
    contacts: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
    widths: { type: 'string', default: '1440,400' },
  },
});

const sizes = [
  { width: 1440, height: 900 },
  { width: 400, height: 800 },
] as const;
const colors = ['light', 'dark'] as const;

const out = resolve(values.out);
await mkdir(out, { recursive: true });
const dataDir = await mkdtemp(join(tmpdir(), 'postrider-screenshots-'));
process.once('SIGINT', () => {
  forceAll();
  process.exit(130);
});

console.log('Starting Postrider …');
const stack = await startStack({ dataDir, throwAway: true });
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
try {
  const demo = await anotherDemo(stack.env, 'screenshots');
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  await logIn(context, demo);
  const typical = await projectOf(context);
  const worlds = values.only === 'recipient' ? {} : await fillWorlds(context, demo, typical);
  const pictures: Picture[] = [];
  for (const size of sizes.filter(({ width }) => values.widths.split(',').includes(String(width)))) {
    for (const [world, projectId] of Object.entries(worlds)) {
      const rooms = (page: Page) => everyRoom(page, `${stack.urls.dashboard}/p/${projectId}`, values.only);
      pictures.push(...(await photograph(context, { world, size, rooms })));
    }
    if (isAsked('lifecycle', values.only)) {
      const project = `${stack.urls.dashboard}/p/${typical}`;
      const rooms = (page: Page) =>
        size === sizes[0]
          ? lifecycleDay(page, { project, ...trialsOf(demo) })
          : lifecycleOnPhone(page, project);
      pictures.push(...(await photograph(context, { world: 'lifecycle', size, rooms })));
    }
    if (isAsked('marketer', values.only)) {
      const day = { project: `${stack.urls.dashboard}/p/${typical}`, own: 'spring' };
      const rooms = (page: Page) =>
        size === sizes[0]
          ? marketerDay(page, { ...day, mailbox: stack.urls.mailbox ?? '' })
          : marketerOnPhone(page, day);
      pictures.push(...(await photograph(context, { world: 'marketer', size, rooms })));
    }
    const states = (page: Page) => everyState(page, `${stack.urls.dashboard}/p/${typical}`, values.only);
    pictures.push(...(await photograph(context, { world: 'open', size, rooms: states })));
    const doors = { origin: stack.urls.dashboard, only: values.only };
    const account = (page: Page) => everyDoor(page, { ...doors, isPublic: false });
    pictures.push(...(await photograph(context, { world: 'account', size, rooms: account })));
    const stranger = await browser.newContext({ reducedMotion: 'reduce' });
    const open = (page: Page) => everyDoor(page, { ...doors, isPublic: true });
    pictures.push(...(await photograph(stranger, { world: 'public', size, rooms: open })));
    const reader = (page: Page) => everyReaderPage(page, { ...stack.urls, only: values.only });
    pictures.push(...(await photograph(stranger, { world: 'reader', size, rooms: reader })));
    const recipient = (page: Page) =>
      everyRecipientPage(page, { api: stack.urls.api, secretKey: demo.secretKey, only: values.only });
    pictures.push(
      ...(await photograph(stranger, { world: 'recipient', size, rooms: recipient, whole: true })),
    );
    await stranger.close();
  }
  if (values.only === '' || values.only === 'mail')
    pictures.push(...(await photographMail(context, { ...stack.urls, projectId: typical, out })));
  await writeFile(join(out, 'index.html'), sheetOf(pictures));
  console.log(`${pictures.length} pictures in ${out}; index.html shows them side by side`);
} finally {
  await browser.close();
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** The projects whose rooms are photographed, by what they hold: nothing yet, the demo data with a week of use, and as much as a project may. */
async function fillWorlds(
  context: BrowserContext,
  demo: Awaited<ReturnType<typeof anotherDemo>>,
  typical: string,
): Promise<Record<'empty' | 'typical' | 'full', string>> {
  await addWeekOfUse(stack, demo);
  await addTeamRecords(context, { ...stack.urls, projectId: typical, from: demo.from, many: 3 });
  const empty = await addEmptyProject(context, stack.urls.dashboard, 'New project');
  const full = await addEmptyProject(context, stack.urls.dashboard, 'Full project');
  console.log(`Adding ${values.contacts} contacts …`);
  const began = performance.now();
  await fillProject(context, { ...stack.urls, projectId: full, contacts: Number(values.contacts) });
  const from = await sandboxOf(stack.urls.dashboard);
  await addTeamRecords(context, { ...stack.urls, projectId: full, from, many: 12 });
  console.log(`The data was added in ${Math.round((performance.now() - began) / 1000)} s`);
  return { empty, typical, full };
}

async function logIn(target: BrowserContext, account: { email: string; password: string }): Promise<void> {
  const page = await target.newPage();
  await page.goto(`${stack.urls.dashboard}/login`);
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL('**/p/**');
  await page.close();
}

/** The project that the account opens first. */
async function projectOf(target: BrowserContext): Promise<string> {
  const page = await target.newPage();
  await page.goto(stack.urls.dashboard);
  await page.waitForURL('**/p/**');
  const [, id = ''] = /\/p\/([^/?]+)/.exec(page.url()) ?? [];
  await page.close();
  return id;
}

/** Contacts of the demo project who begin a trial. */
function trialsOf({ publicKey }: { publicKey: string }): Pick<DayTools, 'people' | 'beginTrial'> {
  const visitor = new Postrider({ apiKey: publicKey, baseUrl: stack.urls.api });
  return {
    people: ['contact-0301@people.example', 'contact-0302@people.example', 'contact-0303@people.example'],
    beginTrial: (email) => visitor.track({ email, event: 'trial.started' }),
  };
}

interface Shots {
  world: string;
  size: (typeof sizes)[number];
  rooms: (page: Page) => AsyncGenerator<string>;
  /** the whole page, where it is longer than the screen */
  whole?: boolean;
}

/** Each room in both colours. Reports rooms that are wider than the screen. */
async function photograph(
  target: BrowserContext,
  { world, size, rooms, whole = false }: Shots,
): Promise<Picture[]> {
  const page = await target.newPage();
  await page.setViewportSize(size);
  const pictures: Picture[] = [];
  for await (const room of rooms(page)) {
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (width > size.width) console.warn(`${room}, ${world}: ${width} pixels wide on ${size.width}`);
    for (const colorScheme of colors) {
      await page.emulateMedia({ colorScheme });
      const file = `${room}-${world}-${size.width}-${colorScheme}.png`;
      await page.screenshot({ path: join(out, file), fullPage: whole });
      pictures.push({ room, world, look: `${size.width} ${colorScheme}`, file });
    }
  }
  await page.close();
  console.log(`${world}, ${size.width} pixels: ${pictures.length} pictures`);
  return pictures;
}
