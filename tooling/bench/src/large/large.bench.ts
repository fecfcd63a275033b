import { setTimeout as sleep } from 'node:timers/promises';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { type ProbeFigures, probe } from '@postrider/harness/probe';
import { mailProcessesOf } from '@postrider/harness/process-tree';
import { createProject, insertContacts, type TestProject } from '@postrider/harness/project.store';
import { createRandom } from '@postrider/harness/random';
import { percentile } from '@postrider/harness/statistics';
import { latencyRecipients, measureWakeLatency, randomPause } from '@postrider/harness/wake-latency';
import { newsletterBody, newsletterSubject } from '../campaign/campaign-content.ts';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { sampleMemory } from '../harness/sample-processes.ts';

/** Sections of the campaign whose rates are compared. */
const sections = 10;
const stallMs = 120_000;
const pageEveryMs = 1_000;
const pagePatienceMs = 20_000;
/** The measured mail of another project: at most as many samples as fit into the campaign. */
const samplesPerSecond = 2;
const assumedRate = 12_000;

export const largeBench: Bench = {
  name: 'large',
  summary:
    'one large campaign (--recipients 1000000): rate of each tenth, memory of each process over time, its pages and other mail meanwhile',
  async run(options) {
    const stack = await startBenchStack(options, {}, { keepOnlyTo: latencyRecipients });
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, { recipients, log }: BenchOptions): Promise<BenchResult> {
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const project = await createProject(stack.db, { appSecret, signed: false });
  const other = await createProject(stack.db, { appSecret, signed: false, domain: 'other.test' });
  log(`inserting ${recipients} contacts`);
  await insertContacts(stack.db, project.id, recipients);
  const processes = await processesOf(stack);
  const begun = performance.now();
  const content = { subject: newsletterSubject, body: newsletterBody };
  const campaignId = await sendCampaignNow(stack.stack.urls.api, project, content);
  while ((await stack.sink.count()) === 0) await sleep(50);
  const waitSeconds = (performance.now() - begun) / 1_000;
  log(`first message ${waitSeconds.toFixed(1)} s after the send request`);
  const pages = watchPages(stack, project, campaignId);
  const memory = followMemory(stack, processes, recipients, log);
  const latencies = await latenciesOf(
    stack,
    other,
    Math.max(5, (recipients / assumedRate) * samplesPerSecond),
  );
  await untilCampaignSent(stack.db, campaignId, { stallMs });
  const seconds = (performance.now() - begun) / 1_000;
  log(`SENT after ${seconds.toFixed(1)} s`);
  const [statsPage, recipientsPage] = await Promise.all(pages.map((page) => page.stop()));
  const samples = await memory.stop();
  const { first, last, marks, messages } = await stack.sink.summarize(Math.ceil(recipients / sections));
  return {
    series: [
      { label: 'campaign', unit: 'messages/s', rounds: [(messages * 1_000) / Math.max(1, last - first)] },
      { label: 'each tenth', unit: 'messages/s', rounds: tenths(first, marks, recipients) },
      { label: 'send to SENT', unit: 's', rounds: [seconds], digits: 1 },
      { label: 'send to first message', unit: 's', rounds: [waitSeconds], digits: 1 },
      ...pageSeries('stats page', statsPage),
      ...pageSeries('recipients page', recipientsPage),
      { label: 'other mail to the sink, median', unit: 'ms', rounds: [percentile(latencies, 50)] },
      {
        label: 'other mail to the sink, p95',
        unit: 'ms',
        rounds: [percentile(latencies, 95)],
        goal: { below: 100 },
      },
      ...[...processes.keys()].map((name) => ({
        label: `memory of ${name}, each tenth`,
        unit: 'MiB',
        rounds: samples.map((sample) => sample.get(name) ?? 0),
      })),
    ],
    notes: [
      `${recipients} recipients in one run; ${latencies.length} other emails, by a second project, during it.`,
    ],
  };
}

async function processesOf({ stack, postgres, sink }: BenchStack): Promise<Map<string, number>> {
  const { api, worker } = stack.processes;
  const mail = await mailProcessesOf(worker.pid ?? 0);
  return new Map([
    ['api', api.pid ?? 0],
    ['worker', worker.pid ?? 0],
    ...mail.map((pid, index) => [`delivery process ${index + 1}`, pid] as const),
    ["PostgreSQL's first process", postgres.pid],
    ['the mail server of the run', sink.pid],
  ]);
}

/** Samples at the end of each section, and at the end. */
function followMemory(
  { sink }: BenchStack,
  processes: ReadonlyMap<string, number>,
  recipients: number,
  log: (line: string) => void,
) {
  const samples: Map<string, number>[] = [];
  const over = new AbortController();
  const following = (async () => {
    while (!over.signal.aborted && samples.length < sections) {
      const count = await sink.count();
      if (count >= ((samples.length + 1) * recipients) / sections) {
        const sample = await sampleMemory(processes);
        samples.push(sample);
        log(
          `${count} messages; ${[...sample].map(([name, size]) => `${name} ${size.toFixed(0)} MiB`).join(', ')}`,
        );
      } else await sleep(100, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop(): Promise<Map<string, number>[]> {
      over.abort();
      await following;
      return samples;
    },
  };
}

const watchPages = ({ stack }: BenchStack, { secretKey }: TestProject, campaignId: string) =>
  ['stats', 'recipients'].map((page) =>
    probe(new URL(`/campaigns/${campaignId}/${page}`, stack.urls.api), {
      secretKey,
      patienceMs: pagePatienceMs,
      everyMs: pageEveryMs,
    }),
  );

function latenciesOf(stack: BenchStack, project: TestProject, samples: number): Promise<number[]> {
  const random = createRandom(3);
  const pause = 1_000 / samplesPerSecond;
  return measureWakeLatency(stack, project, {
    samples: Math.round(samples),
    before: () => randomPause(random, pause / 2, pause * 1.5),
  });
}

function pageSeries(label: string, figures: ProbeFigures | undefined): Series[] {
  const { latencies, failures } = figures ?? { latencies: [], failures: [] };
  return [
    { label: `${label}, median`, unit: 'ms', rounds: [percentile(latencies, 50)] },
    { label: `${label}, slowest`, unit: 'ms', rounds: [percentile(latencies, 100)], goal: { below: 300 } },
    ...(failures.length > 0 ? [{ label: `${label}, failures`, unit: '', rounds: [failures.length] }] : []),
  ];
}

/** The rate of each section of the campaign. */
function tenths(first: number, marks: readonly number[], recipients: number): number[] {
  const size = Math.ceil(recipients / sections);
  return marks.map((mark, index) => (size * 1_000) / Math.max(1, mark - (marks[index - 1] ?? first)));
}
