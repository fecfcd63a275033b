import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { type ChaosStack, connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createProject, insertContacts, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { type BlowName, blows } from './blows.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

const killWorker = 'kill -9 of the worker with its delivery processes' satisfies BlowName;
const killMail = 'kill -9 of one delivery process' satisfies BlowName;

interface Plan {
  processes: number;
  /** the most pauses, each followed by its end: there are fewer if the campaign has sent almost everything before */
  pauses: number;
  /** one pause in this many has a blow while it lasts */
  blowEvery: number;
  /** what 95 of 100 pauses are answered within; null where other tests share the machine */
  answeredMs: number | null;
}

/** Time between the final dot and its reply. */
const sinkDelayMs = 40;
/** After the reply to a pause, messages in hand are finished within this time. */
const inHandMs = 1_500;
/** For how long nothing may arrive then. */
const silenceMs = 500;
const stallMs = 240_000;

export const pauses: Scenario = {
  name: 'pauses',
  summary:
    'a campaign that is paused and resumed at random moments while delivery processes are killed: nothing begins after the reply to a pause, and each contact gets one message',
  recipients: 100_000,
  mostSeeds: 3,
  run: (options) => runPauses(options, { processes: 4, pauses: 100, blowEvery: 5, answeredMs: 1_000 }),
};

export const pausesSmall: Scenario = {
  name: 'pauses-small',
  summary: 'the short form of `pauses` that is part of the long tests',
  recipients: 3_000,
  mostSeeds: 1,
  run: (options) => runPauses(options, { processes: 2, pauses: 4, blowEvery: 2, answeredMs: null }),
};

function runPauses(options: ScenarioOptions, plan: Plan): Promise<ScenarioResult> {
  const { recipients, seed, log } = options;
  const env = { MAIL_WORKERS: String(plan.processes) };
  return withStack(options, { env }, async (chaos) => {
    const random = createRandom(seed);
    await chaos.sink.setBehaviour({ delayMs: sinkDelayMs });
    const appSecret = chaos.stack.env.APP_SECRET ?? '';
    const project = await createProject(chaos.db, { appSecret, signed: false });
    await insertContacts(chaos.db, project.id, recipients);
    const campaignId = await sendCampaignNow(chaos.stack.urls.api, project);
    while ((await chaos.sink.count()) === 0) await sleep(20);
    // A campaign that has sent everything ends its pause by itself, and cannot be resumed.
    const mostSent = 0.8 * recipients;
    const course = await pauseAndResume(chaos, { project, campaignId, mostSent, random, log }, plan);
    log('waiting until the campaign is SENT');
    await untilCampaignSent(chaos.db, campaignId, { stallMs });
    const report = await compareLedgerWithSink(chaos.db, chaos.sink);
    const problems = [...course.problems];
    if (report.emails !== recipients) problems.push(`${recipients} contacts, but ${report.emails} emails`);
    return {
      reports: [report],
      problems,
      notes: [...describeReport(report), ...course.notes],
      kills: course.killed,
      uncertain: { samples: [report.uncertain.length], most: course.killed * connectionsPerProcess },
    };
  });
}

interface Campaign {
  project: TestProject;
  campaignId: string;
  /** after this many messages it is not paused any more */
  mostSent: number;
  random: Random;
  log(line: string): void;
}

async function pauseAndResume(
  chaos: ChaosStack,
  { project, campaignId, mostSent, random, log }: Campaign,
  plan: Plan,
): Promise<{ problems: string[]; notes: string[]; killed: number }> {
  const ask = (action: 'pause' | 'resume') =>
    callApi(chaos.stack.urls.api, project.secretKey, `/campaigns/${campaignId}/${action}`);
  const problems: string[] = [];
  const answers: number[] = [];
  let killed = 0;
  for (let n = 0; n < plan.pauses && (await chaos.sink.count()) < mostSent; n += 1) {
    await sleep(50 + 400 * random.next());
    const asked = performance.now();
    await ask('pause');
    answers.push(performance.now() - asked);
    const atReply = await chaos.sink.count();
    if (n % plan.blowEvery === plan.blowEvery - 1) {
      const blow = random.next() < 0.3 ? killWorker : killMail;
      log(`${atReply} at the sink, paused: ${blow}`);
      await blows[blow](chaos, random);
      killed += blow === killWorker ? plan.processes : 1;
    }
    await sleep(inHandMs);
    const finished = await chaos.sink.count();
    await sleep(silenceMs);
    const later = await chaos.sink.count();
    const inHand = plan.processes * connectionsPerProcess;
    if (finished - atReply > inHand)
      problems.push(`pause ${n}: ${finished - atReply} messages after its reply, ${inHand} can be in hand`);
    if (later > finished) problems.push(`pause ${n}: ${later - finished} messages began while it lasted`);
    await ask('resume');
  }
  const least = Math.min(4, plan.pauses);
  if (answers.length < least)
    problems.push(`${answers.length} pauses before the campaign was sent, not ${least}`);
  const sorted = answers.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 0;
  if (plan.answeredMs !== null && p95 > plan.answeredMs)
    problems.push(`95 of 100 pauses were answered within ${Math.round(p95)} ms`);
  return {
    problems,
    notes: [`${answers.length} pauses, answered within ${Math.round(p95)} ms (p95)`],
    killed,
  };
}
