import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { callApi } from '@postrider/harness/call-api';
import { type ChaosStack, connectionsPerProcess, startChaosStack } from '@postrider/harness/chaos-stack';
import { createProject, insertContacts, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { createTemplate, createWorkflow } from '@postrider/harness/workflow';
import { workflowProgress } from '@postrider/harness/workflow.store';
import { untilSettled } from '../harness/until-settled.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { type BlowName, blows, countKilled } from '../scenarios/blows.ts';
import { describeReport } from '../scenarios/describe-report.ts';
import { describeSamples, judgeSamples } from './judge.ts';
import { startLoad } from './load.ts';
import { type Sample, takeSample } from './sample.ts';
import { countOpenCampaigns } from './soak.store.ts';

/** A leak that is put in, to see that it is found. */
export const plants = ['memory', 'descriptors', 'workflows'] as const;
export type Plant = (typeof plants)[number];

export interface SoakOptions {
  seconds: number;
  seed: number;
  /** requests a second */
  rate: number;
  plant?: Plant | undefined;
  build?: boolean;
  onSample?(sample: Sample): void;
  log(line: string): void;
}

export interface SoakResult {
  samples: Sample[];
  problems: string[];
  notes: string[];
}

const people = 2_000;
const sampleMs = 10_000;
const killSeconds = 1_200;
/** After a blow, requests may have to be repeated for this time. */
const recoveryMs = 90_000;
const settleMs = 240_000;
/** Executions wait for a minute, at whose end short runs would have to wait as well. */
const waitsFromSeconds = 600;

const order: readonly BlowName[] = [
  'kill -9 of one delivery process',
  'kill -9 of the api',
  'kill -9 of the worker with its delivery processes',
  'kill -9 and restart of Temporal',
  'kill -9 and restart of PostgreSQL',
];

/** Runs the product as real processes under everything at once, with a kill now and then, and looks at it every ten seconds. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const { seed, plant, build = false, log } = options;
  log('starting PostgreSQL, Temporal, sink, api and worker');
  const chaos = await startChaosStack({ build, onEvent: log, env: envOf(plant) });
  let keepFolder = true;
  try {
    const result = await soak(chaos, createRandom(seed), options);
    keepFolder = result.problems.length > 0;
    return result;
  } finally {
    if (keepFolder) log(`logs are kept in ${chaos.folder}`);
    await chaos.stop({ keepFolder });
  }
}

/** Limits that the load would meet, and the leak. */
const envOf = (plant: Plant | undefined): Record<string, string> => ({
  MAIL_WORKERS: '1',
  RECONCILE_SECONDS: '60',
  ...(plant === 'memory' || plant === 'descriptors'
    ? { NODE_OPTIONS: `--import ${fileURLToPath(new URL(`./plants/${plant}.ts`, import.meta.url))}` }
    : {}),
});

async function soak(
  chaos: ChaosStack,
  random: Random,
  { seconds, rate, plant, onSample, log }: SoakOptions,
): Promise<SoakResult> {
  const project = await createProject(chaos.db, {
    appSecret: chaos.stack.env['APP_SECRET'] ?? '',
    signed: true,
  });
  await insertContacts(chaos.db, project.id, people);
  const workflowId = await buildWorkflow(chaos.stack.urls.api, project, seconds >= waitsFromSeconds);
  const begun = performance.now();
  const load = startLoad({
    ...{ chaos, project, random, rate, people },
    campaignSeconds: Math.min(1_800, Math.max(60, seconds / 3)),
    importSeconds: Math.min(300, Math.max(20, seconds / 3)),
    ...(plant === 'workflows'
      ? { onAccepted: (id: string) => void chaos.temporal.startIdle(`soak/${id}`).catch(() => undefined) }
      : {}),
  });
  const samples: Sample[] = [];
  const struck: BlowName[] = [];
  const problems: string[] = [];
  const between = Math.min(killSeconds, seconds / 3);
  let struckAt = Number.NEGATIVE_INFINITY;
  let nextBlow = between;
  const elapsed = (): number => (performance.now() - begun) / 1_000;
  while (elapsed() < seconds) {
    await sleep(sampleMs);
    const sample = await takeSample(chaos, elapsed(), () => load.take());
    if (sample !== null) {
      samples.push(sample);
      onSample?.(sample);
      if (sample.requests.repeated > 0 && performance.now() - struckAt > recoveryMs)
        problems.push(
          `${sample.requests.repeated} requests had to be repeated at ${sample.seconds.toFixed(0)} s, long after the last kill`,
        );
    }
    if (elapsed() > nextBlow && elapsed() < seconds - between / 2) {
      nextBlow += between;
      const name = order[random.whole(0, order.length)];
      if (name === undefined) continue;
      struck.push(name);
      log(`${elapsed().toFixed(0)} s: ${name}`);
      await blows[name](chaos, random);
      struckAt = performance.now();
    }
  }
  log('the load ends; waiting until every email is settled');
  await load.stop();
  await untilEnded(chaos, workflowId);
  await untilSettled(chaos, { stallMs: settleMs });
  const report = await compareLedgerWithSink(chaos.db, chaos.sink);
  const uncertain = report.uncertain.length + report.resent;
  const mostUncertain = countKilled(struck) * connectionsPerProcess;
  return {
    samples,
    problems: [
      ...judgeSamples(samples),
      ...(samples.length * sampleMs < (seconds * 1_000) / 3
        ? [`only ${samples.length} samples were taken: nothing can be said of the rest`]
        : []),
      ...problems.slice(0, 10),
      ...load.refusals,
      ...report.problems,
      ...(uncertain > mostUncertain
        ? [`${uncertain} emails became UNCERTAIN, at most ${mostUncertain} may`]
        : []),
    ],
    notes: [
      `${samples.length} samples in ${(elapsed() / 60).toFixed(1)} minutes, ${struck.length} kills; ${load.accepted} emails accepted one by one`,
      ...describeSamples(samples),
      ...describeReport(report).filter((line) => !line.startsWith(' ')),
    ],
  };
}

/** Executions that wait have email to send, and a campaign is closed once the last of its email is known. */
async function untilEnded({ db }: ChaosStack, workflowId: string): Promise<void> {
  const deadline = Date.now() + settleMs;
  for (;;) {
    const [{ active }, campaigns] = [await workflowProgress(db, workflowId), await countOpenCampaigns(db)];
    if (active + campaigns === 0) return;
    if (Date.now() > deadline)
      throw new Error(
        `${active} executions and ${campaigns} campaigns have not ended ${settleMs / 1_000} s after the load`,
      );
    await sleep(500);
  }
}

/** An email, after a wait in long runs, for each sign-up of a contact. */
async function buildWorkflow(api: string, project: TestProject, waits: boolean): Promise<string> {
  const templateId = await createTemplate(api, project, { name: 'Welcome', type: 'TRANSACTIONAL' });
  const workflow = await createWorkflow(api, project, { name: 'Onboarding', eventName: 'signup' });
  const welcome = await workflow.add('SEND_EMAIL', 'Welcome', { recipient: { type: 'CONTACT' } }, templateId);
  if (waits) {
    const wait = await workflow.add('DELAY', 'Wait', { amount: 1, unit: 'minutes' });
    await workflow.join(workflow.triggerId, wait);
    await workflow.join(wait, welcome);
  } else await workflow.join(workflow.triggerId, welcome);
  await callApi(api, project.secretKey, `/workflows/${workflow.id}`, { allowReentry: true }, 'PATCH');
  await workflow.enable();
  return workflow.id;
}
