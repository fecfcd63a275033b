import { setTimeout as sleep } from 'node:timers/promises';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { openDeliveries } from '@postrider/harness/campaign.store';
import { createProject, insertContacts, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { percentile } from '@postrider/harness/statistics';
import { measureWakeLatency, randomPause, untilIdle } from '@postrider/harness/wake-latency';
import { newsletterBody, newsletterSubject } from '../campaign/campaign-content.ts';
import type { Bench, BenchOptions, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';

const samples = 25;
/** Samples during a campaign; few enough that they are normally taken long before it ends. */
const duringSamples = 12;
const stallMs = 60_000;
const goalMs = 50;

type State = 'idle' | 'during';

export const latencyBench: Bench = {
  name: 'latency',
  summary: 'time from the answer of /v1/send to the mail server: idle, and during a campaign',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, { rounds, recipients, log }: BenchOptions) {
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const project = await createProject(stack.db, { appSecret, signed: true });
  await insertContacts(stack.db, project.id, recipients);
  const found: Record<State, number[][]> = { idle: [], during: [] };
  const notes: string[] = [];
  const random = createRandom(1);
  for (let round = 1; round <= rounds; round += 1) {
    found.idle.push(await whileIdle(stack, project, random));
    log(`round ${round}, idle: ${describe(found.idle.at(-1))}`);
  }
  for (let round = 1; round <= rounds; round += 1) {
    const during = await duringCampaign(stack, project);
    found.during.push(during.ms);
    log(`round ${round}, during a campaign: ${describe(during.ms)}`);
    if (during.open === 0)
      notes.push(`Round ${round}: the campaign ended before the last sample; give more --recipients.`);
  }
  return { series: toSeries(found), notes };
}

const describe = (ms: number[] = []): string =>
  `median ${percentile(ms, 50).toFixed(0)} ms, p95 ${percentile(ms, 95).toFixed(0)} ms`;

function toSeries(found: Record<State, number[][]>): Series[] {
  const of = (state: State, percent: number): number[] => found[state].map((ms) => percentile(ms, percent));
  const unit = 'ms';
  return [
    { label: 'idle, median', unit, rounds: of('idle', 50), goal: { below: goalMs } },
    { label: 'idle, p95', unit, rounds: of('idle', 95) },
    { label: 'during a campaign, median', unit, rounds: of('during', 50) },
    { label: 'during a campaign, p95', unit, rounds: of('during', 95), goal: { below: 100 } },
  ];
}

const whileIdle = (stack: BenchStack, project: TestProject, random: Random): Promise<number[]> =>
  measureWakeLatency(stack, project, {
    samples,
    async before() {
      await untilIdle(stack, project.id);
      await randomPause(random, 100, 400);
    },
  });

async function duringCampaign(
  stack: BenchStack,
  project: TestProject,
): Promise<{ ms: number[]; open: number }> {
  const content = { subject: newsletterSubject, body: newsletterBody };
  await stack.sink.clear();
  const campaignId = await sendCampaignNow(stack.stack.urls.api, project, content);
  while ((await stack.sink.count()) === 0) await sleep(10);
  const random = createRandom(2);
  const ms = await measureWakeLatency(stack, project, {
    samples: duringSamples,
    before: () => randomPause(random, 50, 250),
  });
  const open = await openDeliveries(stack.db, campaignId);
  await untilCampaignSent(stack.db, campaignId, { stallMs });
  return { ms, open };
}
