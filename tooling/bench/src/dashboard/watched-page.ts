import type { BrowserContext, Page } from 'playwright-core';
import type { Room } from './rooms.ts';

/** A line of a user, since everything is instant on loopback. */
export const line = { latencyMs: 40, megabitsPerSecond: 10 };

const bytesPerMegabit = 125_000;

export interface PageLoad {
  /** first contentful paint, in milliseconds */
  paintedMs: number;
  /** until the page can be used and shows no placeholder, in milliseconds */
  readyMs: number;
  /** bytes of all responses as transferred, headers included */
  bytes: number;
  /** the same of scripts alone */
  scriptBytes: number;
}

/** Runs in the page: looks at each frame whether the page is ready, and notes when. */
const watcher = `window.bench = {
  readyAt: 0,
  watch(isReady) {
    this.readyAt = 0;
    const look = () => {
      if (isReady() && document.querySelector('main [class*="skeleton"]') === null) this.readyAt = performance.now();
      else requestAnimationFrame(look);
    };
    look();
  },
};`;

const readyMs = async (page: Page, room: Room): Promise<number> => {
  const giveUpAt = Date.now() + 30_000;
  for (;;) {
    const at = await page.evaluate<number>('window.bench.readyAt');
    if (at > 0) return at;
    if (Date.now() > giveUpAt)
      throw new Error(`The page ${room.label} is not ready after 30 s: ${page.url()}`);
    await page.waitForTimeout(20);
  }
};

/** Opens a page over the emulated line and loads a room in it. */
export async function openRoom(
  context: BrowserContext,
  origin: string,
  room: Room,
): Promise<{ page: Page; load: PageLoad }> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const throughput = line.megabitsPerSecond * bytesPerMegabit;
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: line.latencyMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await page.addInitScript(`${watcher}\nwindow.bench.watch(() => ${room.ready});`);
  await page.goto(origin + room.path, { waitUntil: 'commit' });
  const ready = await readyMs(page, room);
  // What is ready in the page is painted with the next frame.
  await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))`);
  const load = await page.evaluate<Omit<PageLoad, 'readyMs'>>(`(() => {
    const resources = performance.getEntriesByType('resource');
    const bytesOf = (entries) => entries.reduce((sum, { transferSize }) => sum + transferSize, 0);
    return {
      paintedMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      bytes: bytesOf([...performance.getEntriesByType('navigation'), ...resources]),
      scriptBytes: bytesOf(resources.filter(({ name }) => new URL(name).pathname.endsWith('.js'))),
    };
  })()`);
  return { page, load: { ...load, readyMs: ready } };
}

/** Follows a link of the sidebar. @returns from the click until the page can be used, in milliseconds */
export async function followLink(page: Page, room: Room, isHovered: boolean): Promise<number> {
  if (isHovered) {
    const places = page.getByRole('navigation', { name: 'Project', exact: true });
    await places.getByRole('link', { name: room.label, exact: true }).hover();
    // A pointer rests on a link for about as long before it is pressed.
    await page.waitForTimeout(250);
  }
  await page.evaluate(`(() => {
    const links = [...document.querySelectorAll('nav[aria-label="Project"] a')];
    window.bench.begunAt = performance.now();
    window.bench.watch(() => ${room.ready});
    links.find(({ textContent }) => textContent === '${room.label}').click();
  })()`);
  const ready = await readyMs(page, room);
  return ready - (await page.evaluate<number>('window.bench.begunAt'));
}
