import type { BrowserContext } from 'playwright-core';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type DashboardStack, screen, startDashboardStack } from './dashboard-stack.ts';
import { entryKb } from './entry-size.ts';
import { linkedRooms, loadedRooms, type Room } from './rooms.ts';
import { followLink, line, openRoom, type PageLoad } from './watched-page.ts';

const entryLimitKb = 150;

export const dashboardBench: Bench = {
  name: 'dashboard',
  summary:
    'first paint, readiness and transferred bytes of pages in Chromium, cold and warm; changes of the page with and without prefetch',
  async run(options) {
    const stack = await startDashboardStack(options.log);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: DashboardStack, { rounds, log }: BenchOptions): Promise<BenchResult> {
  const { cookies, project, ids } = await prepare(stack);
  const open = async (): Promise<BrowserContext> => {
    const context = await stack.browser.newContext(screen);
    await context.addCookies(cookies);
    return context;
  };
  const values = new Map<string, Pick<Series, 'unit' | 'goal'> & { rounds: number[] }>();
  const note = (label: string, unit: string, value: number, goal?: Series['goal']) => {
    const known = values.get(label) ?? { unit, rounds: [], ...(goal && { goal }) };
    known.rounds.push(value);
    values.set(label, known);
  };
  const noteLoad = (label: string, { paintedMs, readyMs, bytes }: PageLoad) => {
    note(`${label}: first paint`, 'ms', paintedMs);
    note(`${label}: ready`, 'ms', readyMs);
    note(`${label}: transferred`, 'kB', bytes / 1_000);
  };

  for (let round = 1; round <= rounds; round += 1) {
    log(`round ${round}`);
    note('entry: JavaScript', 'kB', await entryKb(stack.dashboard), { below: entryLimitKb });
    note('login page, cold: JavaScript', 'kB', await loginKb(stack));
    for (const room of loadedRooms(ids)) {
      const context = await open();
      noteLoad(`${room.label}, cold`, (await openRoom(context, project, room)).load);
      noteLoad(`${room.label}, warm`, (await openRoom(context, project, room)).load);
      await context.close();
    }
    for (const isHovered of [false, true]) {
      const context = await open();
      const { page } = await openRoom(context, project, overview);
      await page.waitForTimeout(1_000);
      for (const room of linkedRooms) {
        const ms = await followLink(page, room, isHovered);
        note(`to ${room.label}, first time, ${isHovered ? 'with' : 'without'} prefetch`, 'ms', ms);
      }
      await context.close();
    }
  }
  return {
    series: [...values].map(([label, each]) => ({ label, ...each })),
    notes: [
      `Over an emulated line of ${line.megabitsPerSecond} Mbit/s with ${line.latencyMs} ms of latency for each request, in a window of 1440 × 900, with the demo data. ` +
        'Cold: nothing in the cache. Warm: the same address again. Ready: the page can be used and shows no placeholder.',
    ],
  };
}

const overview: Room = {
  label: 'overview',
  path: '',
  ready: `document.querySelector('h1')?.textContent === 'Overview'`,
};

/** The scripts of the smallest page. */
async function loginKb({ browser, dashboard }: DashboardStack): Promise<number> {
  const context = await browser.newContext(screen);
  const { load } = await openRoom(context, dashboard, {
    label: 'login',
    path: '/login',
    ready: `document.querySelector('h1') !== null`,
  });
  await context.close();
  return load.scriptBytes / 1_000;
}

/** Logs in, and sends a campaign to look at. @returns the session, the address of the project, and paths in it */
async function prepare({ browser, dashboard, api, demo }: DashboardStack) {
  const context = await browser.newContext(screen);
  const page = await context.newPage();
  await page.goto(`${dashboard}/login`);
  await page.getByLabel('Email').fill(demo.email);
  await page.getByLabel('Password').fill(demo.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const project = page.url().replace(/\/$/, '');

  const ask = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(api + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${demo.secretKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  const { data } = await ask<{ data: { id: string } }>('/campaigns', {
    name: 'Measured',
    subject: 'Measured',
    body: '<h1>Measured</h1><p><a href="https://example.com">A link</a></p>',
    from: demo.from,
    audienceType: 'ALL',
  });
  await ask(`/campaigns/${data.id}/send`, {});
  await page.goto(`${project}/campaigns/${data.id}`);
  await page.getByText('Finished', { exact: true }).waitFor({ timeout: 120_000 });
  await page.goto(`${project}/workflows`);
  const workflow = await page.locator('main tbody a').first().getAttribute('href');
  const cookies = await context.cookies();
  await context.close();
  const { pathname } = new URL(project);
  return {
    cookies,
    project,
    ids: { campaign: `/campaigns/${data.id}`, workflow: (workflow ?? '').slice(pathname.length) },
  };
}
