import { composeServices } from '@postrider/core/adapters';
import { readConfig } from '@postrider/core/base/kernel';
import { foldTallies } from '@postrider/core/mail/sending';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { median, percentile } from '@postrider/harness/statistics';
import { pino } from 'pino';
import { fillExplained, idOf } from '../explain/explain.store.ts';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { bytesPerRow, countRows, forgetTallies, makeRare } from './volume.store.ts';

const requestsEach = 20;
const firstPageMs = 100;
const rareMs = 2_500;
const timelineMs = 50;

export const volumeBench: Bench = {
  name: 'volume',
  summary:
    'lists of a project with --emails (5000000) of --contacts (100000): first pages, a rare status, the timeline of a contact, totals beside a count of the rows',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(
  stack: BenchStack,
  { contacts = 100_000, emails = 5_000_000, rounds, log }: BenchOptions,
): Promise<BenchResult> {
  // Nothing else runs, and what waits stays.
  await stack.stack.processes.worker.stop();
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const project = await createProject(stack.db, { appSecret, signed: false, domain: 'large.test' });
  const given = { projectId: project.id, from: project.from, number: 1, contacts, emails, log };
  await fillExplained(stack.db, given);
  const rare = await makeRare(stack.db, project.id, Math.ceil(emails / 60));
  await stack.db.query('VACUUM (ANALYZE) "Email"');
  await stack.db.query('CHECKPOINT');
  const tallyMs = await tally(stack, appSecret, project);
  log(`tallied in ${(tallyMs / 1_000).toFixed(1)} s`);

  const failures = await compareTotals(stack, project, rare);
  const series: Series[] = [];
  for (const [label, path, below] of lists(given)) {
    const times: number[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const ms: number[] = [];
      for (let turn = 0; turn < requestsEach; turn += 1) ms.push((await get(stack, project, path(turn))).ms);
      times.push(ms);
    }
    const p95 = times.map((ms) => percentile(ms, 95));
    series.push({ label: `${label}, p95`, unit: 'ms', rounds: p95, digits: 1, goal: { below } });
    log(`${label}: p95 ${median(p95).toFixed(1)} ms`);
  }
  for (const table of ['Email', 'Event', 'EmailTally'])
    series.push({
      ...{ label: `${table}: bytes of a row with its indexes`, unit: 'B' },
      rounds: [await bytesPerRow(stack.db, table)],
    });
  series.push({
    ...{ label: 'emails of before tallied', unit: 'emails/s' },
    rounds: [emails / (tallyMs / 1_000)],
  });
  return {
    series,
    failures,
    notes: [
      `${contacts} contacts, ${emails} emails, ${rare} of them of the rare status. ${requestsEach} requests of each kind in a round, one after another.`,
    ],
  };
}

/** @returns how long it took to tally what there was before, in milliseconds */
async function tally({ stack, db }: BenchStack, appSecret: string, project: TestProject): Promise<number> {
  await forgetTallies(db, project.id);
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: stack.urls.database,
    APP_SECRET: appSecret,
    TEMPORAL_ADDRESS: stack.urls.temporal,
  });
  const services = composeServices(config, pino({ level: 'warn' }), { connections: 2 });
  try {
    const begun = performance.now();
    for (;;) {
      await foldTallies(services);
      const { rows } = await db.query('SELECT FROM "Project" WHERE "id" = $1 AND "emailsTallied"', [
        project.id,
      ]);
      if (rows.length > 0) return performance.now() - begun;
    }
  } finally {
    await services.close();
  }
}

async function compareTotals(stack: BenchStack, project: TestProject, rare: number): Promise<string[]> {
  const failures: string[] = [];
  const expect = (what: string, shown: number, counted: number) => {
    if (shown !== counted) failures.push(`${what}: the total is ${shown}, and there are ${counted}`);
  };
  expect('emails', (await get(stack, project, '/emails')).total, await countRows(stack.db, project.id));
  const failed = (await get(stack, project, '/emails?status=FAILED')).total;
  expect('FAILED', failed, await countRows(stack.db, project.id, 'FAILED'));
  expect('COMPLAINED', (await get(stack, project, '/emails?status=COMPLAINED')).total, rare);
  let pages = 0;
  for (let cursor: string | null = ''; cursor !== null; pages += 1) {
    const page = await get(
      stack,
      project,
      `/emails?status=COMPLAINED&limit=20${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    cursor = page.cursor;
  }
  expect('pages of COMPLAINED', pages, Math.max(1, Math.ceil(rare / 20)));
  return failures;
}

type List = [label: string, path: (turn: number) => string, below: number];

const lists = ({ number, contacts }: { number: number; contacts: number }): List[] => {
  const contact = (turn: number) => idOf('contact', number, (turn * 7_919) % contacts);
  return [
    ['first page of emails', () => '/emails', firstPageMs],
    ['emails of a day', () => `/emails?from=${daysAgo(100)}&to=${daysAgo(100)}`, firstPageMs],
    ['emails that are DELIVERED', () => '/emails?status=DELIVERED', firstPageMs],
    ['emails that are PENDING', () => '/emails?status=PENDING', firstPageMs],
    ['emails that are SENDING', () => '/emails?status=SENDING', firstPageMs],
    ['emails of a rare status', () => '/emails?status=COMPLAINED', rareMs],
    ['emails of a contact', (turn) => `/emails?contactId=${contact(turn)}`, timelineMs],
    ['first page of contacts', () => '/contacts', firstPageMs],
    ['first page of activity', () => '/activity', firstPageMs],
    ['activity of a contact', (turn) => `/activity?contactId=${contact(turn)}`, timelineMs],
    ['first page of the audit log', () => '/audit', firstPageMs],
    ['first page of campaigns', () => '/campaigns', firstPageMs],
  ];
};

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

interface Page {
  total: number;
  cursor: string | null;
  ms: number;
}

async function get({ stack }: BenchStack, project: TestProject, path: string): Promise<Page> {
  const begun = performance.now();
  const answer = await fetch(new URL(path, stack.urls.api.replace('localhost', '127.0.0.1')), {
    headers: { authorization: `Bearer ${project.secretKey}` },
  });
  const text = await answer.text();
  const ms = performance.now() - begun;
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 500)}`);
  return { ...(JSON.parse(text) as Omit<Page, 'ms'>), ms };
}
