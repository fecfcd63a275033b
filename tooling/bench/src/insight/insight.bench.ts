import { openHttpConnection } from '@postrider/harness/http-connection';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import { percentile } from '@postrider/harness/statistics';
import { sendCampaign } from '../campaign/send-campaign.ts';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { countRows, enterFigures, loadInsight, middleCampaign } from './insight-data.store.ts';

const requestsPerPath = 40;
const longestMs = 300;

export const insightBench: Bench = {
  name: 'insight',
  summary:
    'p95 of every request of analytics and activity, and of the search of emails, in a large project; what entering figures costs a campaign',
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
  const { emails = 5_000_000, log } = options;
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const rates = await compareRates(stack, options);
  const project = await createProject(stack.db, { appSecret, signed: false, domain: 'large.test' });
  const begun = performance.now();
  await loadInsight(stack.db, { projectId: project.id, emails, log });
  const loaded = (performance.now() - begun) / 1_000;
  await untilFolded(stack, project.id);
  const folded = (performance.now() - begun) / 1_000;
  const rows = await countRows(stack.db, project.id);
  log(`loaded in ${loaded.toFixed(0)} s, added up after ${folded.toFixed(0)} s: ${JSON.stringify(rows)}`);
  const paths = pathsOf(await middleCampaign(stack.db, project.id));
  const series: Series[] = [];
  for (const [label, path] of paths) {
    const ms = await latencies(stack, project.secretKey, path);
    log(`${label}: p95 ${percentile(ms, 95).toFixed(1)} ms, first ${(ms[0] ?? 0).toFixed(1)} ms`);
    series.push({ label, unit: 'ms', rounds: [percentile(ms, 95)], digits: 1, goal: { below: longestMs } });
  }
  return {
    series: [...rates, ...series],
    notes: [
      `${rows['Email']} emails and ${rows['Event']} events of 90 days, loaded in ${loaded.toFixed(0)} s and added up after ${folded.toFixed(0)} s; ` +
        `p95 of ${requestsPerPath} requests, one after another, the first one included.`,
      `The campaigns have ${options.recipients} recipients and were sent before loading.`,
    ],
  };
}

async function compareRates(stack: BenchStack, { rounds, recipients, log }: BenchOptions): Promise<Series[]> {
  const project = await createProject(stack.db, {
    appSecret: stack.stack.env.APP_SECRET ?? '',
    signed: false,
  });
  await insertContacts(stack.db, project.id, recipients);
  const pids = [stack.stack.processes.worker.pid ?? 0];
  const shapes = [
    { label: 'campaign with figures', isOn: true, rates: [] as number[] },
    { label: 'campaign without figures', isOn: false, rates: [] as number[] },
  ];
  for (let round = 1; round <= rounds; round += 1) {
    for (const { label, isOn, rates } of round % 2 === 0 ? shapes.toReversed() : shapes) {
      await enterFigures(stack.db, isOn);
      const { rate } = await sendCampaign(stack, project, recipients, pids);
      log(`round ${round}, ${label}: ${rate.toFixed(0)} messages/s`);
      rates.push(rate);
    }
  }
  await enterFigures(stack.db, true);
  return shapes.map(({ label, isOn, rates }) => ({
    label,
    unit: 'messages/s',
    rounds: rates,
    ...(isOn && { against: 'campaign without figures', goal: { atLeast: 0.95 } }),
  }));
}

/** The worker adds entries up every minute. */
async function untilFolded({ db }: BenchStack, projectId: string): Promise<void> {
  for (;;) {
    const { rows } = await db.query('SELECT FROM "FigureEntry" WHERE "projectId" = $1 LIMIT 1', [projectId]);
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

const dayMs = 86_400_000;

function pathsOf(campaignId: string): [string, string][] {
  const ago = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();
  const quarter = `from=${ago(90)}&to=${ago(0)}`;
  return [
    ['timeseries, 30 days', '/analytics/timeseries?tz=Europe/Berlin'],
    [
      'timeseries, 90 days by hour, compared',
      `/analytics/timeseries?${quarter}&granularity=hour&compare=true`,
    ],
    ['top campaigns', '/analytics/top-campaigns'],
    ['campaign stats, 90 days, compared', `/analytics/campaign-stats?${quarter}&compare=true`],
    ['top events, 30 days', '/analytics/top-events'],
    ['top events, 90 days', `/analytics/top-events?${quarter}`],
    ['providers, 90 days, compared', `/analytics/breakdown?by=provider&${quarter}&compare=true`],
    ['templates, 90 days', `/analytics/breakdown?by=template&${quarter}`],
    ['steps, 90 days', `/analytics/breakdown?by=step&${quarter}`],
    ['campaigns, 90 days, compared', `/analytics/breakdown?by=campaign&${quarter}&compare=true`],
    ['domains, 90 days', `/analytics/breakdown?by=domain&${quarter}`],
    ['clients, 90 days', `/analytics/clients?${quarter}`],
    ['links of a campaign', `/analytics/links?campaignId=${campaignId}`],
    ['contacts, 90 days, compared', `/analytics/contacts?${quarter}&compare=true`],
    ['report of a campaign', `/campaigns/${campaignId}/report`],
    ['activity', '/activity'],
    ['activity, opens', '/activity?types=email.opened,email.clicked'],
    ['activity, a rare type', '/activity?types=email.bounced'],
    ['activity stats', '/activity/stats'],
    ['recent activity', '/activity/recent-count?minutes=1440'],
    ['upcoming activity', '/activity/upcoming'],
    ['emails', '/emails'],
    ['emails, search by address', '/emails?search=person4711%40'],
    ['emails, search by subject', '/emails?search=number%20117'],
    ['emails, search without a result', '/emails?search=nothing-like-this'],
    ['emails, search by a frequent domain', '/emails?search=gmail.com'],
  ];
}

async function latencies({ stack }: BenchStack, secretKey: string, path: string): Promise<number[]> {
  const connection = await openHttpConnection(
    stack.urls.api.replace('localhost', '127.0.0.1'),
    `Bearer ${secretKey}`,
  );
  try {
    const found: number[] = [];
    for (let request = 0; request < requestsPerPath; request += 1) {
      const { status, body, ms } = await connection.get(path);
      if (status !== 200) throw new Error(`GET ${path} answers ${status}: ${body.slice(0, 300)}`);
      found.push(ms);
      if (ms > 5_000) break;
    }
    return found;
  } finally {
    connection.close();
  }
}
