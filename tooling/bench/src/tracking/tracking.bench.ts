import { setTimeout as sleep } from 'node:timers/promises';
import { startAnswering } from '@postrider/harness/answering-process';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { openHttpConnection } from '@postrider/harness/http-connection';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import { newsletterBody, newsletterSubject } from '../campaign/campaign-content.ts';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { cpuSeconds } from '../harness/cpu-time.ts';
import { type LoadFigures, loadHttp } from '../harness/load.ts';
import { clickThroughOutage } from './click-through-outage.ts';
import { onePathEach, reader } from './tracked-links.ts';
import { countAllClicks, emailIdsOf } from './tracking.store.ts';

const connections = 64;
const warmUpSeconds = 2;
const stallMs = 60_000;
/** The longest wait for the records of one round. */
const writtenWithinMs = 120_000;
/** Emails whose links are followed only while the database is stopped. */
const outageEmails = 2_000;
/** Emails whose links are followed as fast as possible, at most: each records at most 20 clicks an hour. */
const loadedEmails = 18_000;

export const trackingBench: Bench = {
  name: 'tracking',
  summary:
    'redirects of tracked links beside a bare Fastify route; clicks while PostgreSQL is stopped for 10 s',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, options: BenchOptions): Promise<BenchResult> {
  const { log } = options;
  const { campaignId, emailIds } = await sendEmails(stack, log);
  const outage = emailIds.splice(0, outageEmails);
  // The worker is stopped: only redirects and their records are measured.
  await stack.stack.processes.worker.stop();
  const rates = await compareRates(stack, options, { campaignId, emailIds });
  const found = await clickThroughOutage(stack, outage);
  log(`PostgreSQL stopped for 10 s: ${JSON.stringify(found)}`);
  return {
    series: [
      ...rates,
      { label: 'while PostgreSQL is stopped, p99', unit: 'ms', rounds: [found.p99] },
      {
        label: 'clicks redirected and not recorded',
        unit: 'clicks',
        rounds: [found.redirected - found.recorded],
        goal: { below: 1 },
      },
    ],
    notes: [
      `${connections} connections; each click of a round is recorded in groups with durable commits.`,
      `While PostgreSQL was stopped for 10 s, and 3 s before and after: ${found.redirected} clicks redirected, ${found.recorded} recorded; ` +
        `${found.refused} refused with an error, because their email was not known to the process.`,
    ],
  };
}

interface SentCampaign {
  campaignId: string;
  emailIds: string[];
}

async function sendEmails(stack: BenchStack, log: BenchOptions['log']): Promise<SentCampaign> {
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const project = await createProject(stack.db, { appSecret, signed: false });
  await insertContacts(stack.db, project.id, outageEmails + loadedEmails);
  const content = { subject: newsletterSubject, body: newsletterBody };
  const campaignId = await sendCampaignNow(stack.stack.urls.api, project, content);
  await untilCampaignSent(stack.db, campaignId, { stallMs });
  log(`${outageEmails + loadedEmails} emails sent`);
  return { campaignId, emailIds: await emailIdsOf(stack.db, campaignId) };
}

interface Target {
  label: 'redirects' | 'bare route';
  origin: string;
  pid: number;
  figures: LoadFigures[];
  next: number;
}

async function compareRates(
  stack: BenchStack,
  options: BenchOptions,
  { campaignId, emailIds }: SentCampaign,
): Promise<Series[]> {
  const reference = await startAnswering(new URL('./tracking-reference.ts', import.meta.url), {});
  try {
    const paths = onePathEach(stack.stack.env.APP_SECRET ?? '', emailIds);
    const redirects: Target = {
      label: 'redirects',
      origin: stack.stack.urls.api.replace('localhost', '127.0.0.1'),
      pid: stack.stack.processes.api.pid ?? 0,
      figures: [],
      next: 0,
    };
    const bare: Target = {
      label: 'bare route',
      origin: await reference.ask<string>({}),
      pid: reference.pid,
      figures: [],
      next: 0,
    };
    const recorded: number[] = [];
    const writing: number[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      const cpuBefore = await cpuSeconds([stack.postgres.pid]);
      const begun = performance.now();
      const { answered } = await measureRound(redirects, round, paths, options);
      // The reference is measured beside nothing else, and no record is left over for the next round.
      await untilCounted(stack, campaignId, redirects.figures);
      recorded.push(answered / ((performance.now() - begun) / 1_000));
      writing.push((((await cpuSeconds([stack.postgres.pid])) - cpuBefore) * 1_000) / answered);
      await measureRound(bare, round, paths, options);
    }
    return [
      ...seriesOf(redirects, { against: bare.label, goal: { atLeast: 0.7 } }),
      { label: 'clicks recorded', unit: 'clicks/s', rounds: recorded },
      { label: 'clicks recorded, CPU of PostgreSQL each', unit: 'ms', rounds: writing, digits: 3 },
      ...seriesOf(bare),
    ];
  } finally {
    await reference.stop();
  }
}

async function measureRound(
  target: Target,
  round: number,
  paths: readonly string[],
  { seconds, log }: BenchOptions,
): Promise<LoadFigures> {
  const figures = await loadHttp({
    connections,
    warmUpSeconds,
    seconds,
    status: 302,
    open: () => openHttpConnection(target.origin, null, reader),
    request: (connection) => connection.get(paths[target.next++ % paths.length] ?? ''),
    cpu: () => cpuSeconds([target.pid]),
  });
  log(
    `round ${round}, ${target.label}: ${figures.requestsPerSecond.toFixed(0)} requests/s, p99 ${figures.p99.toFixed(1)} ms, ` +
      `${figures.cpuMs.toFixed(3)} ms of CPU each`,
  );
  target.figures.push(figures);
  return figures;
}

const seriesOf = ({ label, figures }: Target, judgedBy: Pick<Series, 'against' | 'goal'> = {}): Series[] => [
  { label, unit: 'requests/s', rounds: figures.map((one) => one.requestsPerSecond), ...judgedBy },
  { label: `${label}, p99`, unit: 'ms', rounds: figures.map((one) => one.p99), digits: 1 },
  {
    label: `${label}, CPU of the process each`,
    unit: 'ms',
    rounds: figures.map((one) => one.cpuMs),
    digits: 3,
  },
];

/** Until every redirect of all rounds so far is counted. @throws Error when some are not after two minutes */
async function untilCounted(
  { db }: BenchStack,
  campaignId: string,
  figures: readonly LoadFigures[],
): Promise<void> {
  const wanted = figures.reduce((sum, { answered }) => sum + answered, 0);
  const until = Date.now() + writtenWithinMs;
  for (;;) {
    const counted = await countAllClicks(db, campaignId);
    if (counted >= wanted) return;
    if (Date.now() > until) throw new Error(`${wanted - counted} of ${wanted} clicks are not counted.`);
    await sleep(100);
  }
}
