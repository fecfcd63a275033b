import { sendCampaignNow, untilCampaignSent } from '@postrider/chaos/harness/campaign';
import { openHttpConnection } from '@postrider/chaos/harness/http-connection';
import { createProject, insertContacts } from '@postrider/chaos/harness/project.store';
import { newsletterBody, newsletterSubject } from '../campaign/campaign-content.ts';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { cpuSeconds } from '../harness/cpu-time.ts';
import { type LoadFigures, loadHttp } from '../harness/load.ts';
import { startReference } from '../harness/reference-process.ts';
import { clickThroughOutage } from './click-through-outage.ts';
import { clickPaths, reader } from './tracked-links.ts';
import { emailIdsOf } from './tracking.store.ts';

const connections = 64;
const warmUpSeconds = 2;
const stallMs = 60_000;
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
  const emailIds = await sendEmails(stack, log);
  const outage = emailIds.splice(0, outageEmails);
  // The worker is stopped: only redirects and their records are measured.
  await stack.stack.processes.worker.stop();
  const rates = await compareRates(stack, options, emailIds);
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

/** @returns the ids of sent emails of one campaign */
async function sendEmails(stack: BenchStack, log: BenchOptions['log']): Promise<string[]> {
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const project = await createProject(stack.db, { appSecret, signed: false });
  await insertContacts(stack.db, project.id, outageEmails + loadedEmails);
  const content = { subject: newsletterSubject, body: newsletterBody };
  const campaignId = await sendCampaignNow(stack.stack.urls.api, project, content);
  await untilCampaignSent(stack.db, campaignId, { stallMs });
  log(`${outageEmails + loadedEmails} emails sent`);
  return emailIdsOf(stack.db, campaignId);
}

async function compareRates(
  stack: BenchStack,
  { rounds, seconds, log }: BenchOptions,
  emailIds: readonly string[],
): Promise<Series[]> {
  const reference = await startReference(new URL('./tracking-reference.ts', import.meta.url), {});
  try {
    const paths = clickPaths(stack.stack.env.APP_SECRET ?? '', emailIds);
    const targets = [
      {
        label: 'redirects',
        origin: stack.stack.urls.api.replace('localhost', '127.0.0.1'),
        pids: [stack.stack.processes.api.pid ?? 0, stack.postgres.pid],
        figures: [] as LoadFigures[],
        next: 0,
      },
      {
        label: 'bare route',
        origin: await reference.ask<string>({}),
        pids: [reference.pid],
        figures: [] as LoadFigures[],
        next: 0,
      },
    ];
    for (let round = 1; round <= rounds; round += 1) {
      for (const target of targets) {
        const figures = await loadHttp({
          connections,
          warmUpSeconds,
          seconds,
          status: 302,
          open: () => openHttpConnection(target.origin, null, reader),
          request: (connection) => connection.get(paths[target.next++ % paths.length] ?? ''),
          cpu: () => cpuSeconds(target.pids),
        });
        log(
          `round ${round}, ${target.label}: ${figures.requestsPerSecond.toFixed(0)} requests/s, p99 ${figures.p99.toFixed(1)} ms`,
        );
        target.figures.push(figures);
      }
    }
    return targets.flatMap(({ label, figures }) => [
      {
        label,
        unit: 'requests/s',
        rounds: figures.map((one) => one.requestsPerSecond),
        ...(label === 'redirects' && { against: 'bare route', goal: { atLeast: 0.7 } }),
      },
      { label: `${label}, p99`, unit: 'ms', rounds: figures.map((one) => one.p99), digits: 1 },
      { label: `${label}, CPU each`, unit: 'ms', rounds: figures.map((one) => one.cpuMs), digits: 3 },
    ]);
  } finally {
    await reference.stop();
  }
}
