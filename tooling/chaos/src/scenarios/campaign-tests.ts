import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import { untilCampaignSent } from '@postrider/harness/campaign';
import { type ChaosStack, connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createProject, insertContacts, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { clickIn, decisionsTold, endTests, readTest, testedEmails } from '../harness/campaign-tests.store.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { type BlowName, blows } from './blows.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

const killWorker = 'kill -9 of the worker with its delivery processes' satisfies BlowName;
const killMail = 'kill -9 of one delivery process' satisfies BlowName;

interface Plan {
  processes: number;
  tests: number;
  /** tests that end at the same time, with kills around it */
  atOnce: number;
}

/** Bytes of the body of B that A has not, by which their messages are told apart. */
const longer = 20_000;
const stallMs = 240_000;
const startMs = 120_000;

export const campaignTests: Scenario = {
  name: 'tests',
  summary:
    'campaigns that compare two variants, with kills around the end of their tests: one winner each, every message of the rest has its content, and none began before the decision',
  recipients: 25_000,
  mostSeeds: 3,
  run: (options) => runTests(options, { processes: 4, tests: 50, atOnce: 5 }),
};

export const campaignTestsSmall: Scenario = {
  name: 'tests-small',
  summary: 'the short form of `tests` that is part of the long tests',
  recipients: 800,
  mostSeeds: 1,
  run: (options) => runTests(options, { processes: 2, tests: 4, atOnce: 2 }),
};

function runTests(options: ScenarioOptions, plan: Plan): Promise<ScenarioResult> {
  const { recipients, seed, log } = options;
  return withStack(options, { env: { MAIL_WORKERS: String(plan.processes) } }, async (chaos) => {
    const random = createRandom(seed);
    const appSecret = chaos.stack.env.APP_SECRET ?? '';
    const problems: string[] = [];
    const campaignIds: string[] = [];
    let killed = 0;
    for (let begun = 0; begun < plan.tests; begun += plan.atOnce) {
      const project = await createProject(chaos.db, { appSecret, signed: false });
      await insertContacts(chaos.db, project.id, Math.ceil(recipients / plan.tests));
      const ids: string[] = [];
      for (let n = 0; n < Math.min(plan.atOnce, plan.tests - begun); n += 1)
        ids.push(await sendTested(chaos, project));
      campaignIds.push(...ids);
      await untilStarted(chaos, ids);
      for (const id of ids) if (random.next() < 0.5) await clickIn(chaos.db, id, 2, 5);
      log(`${begun + ids.length} of ${plan.tests} tests are about to end`);
      killed += await endUnderBlows(chaos, ids, { random, log, processes: plan.processes });
      for (const id of ids) await untilCampaignSent(chaos.db, id, { stallMs });
    }
    problems.push(...(await problemsOfTests(chaos, campaignIds)));
    const report = await compareLedgerWithSink(chaos.db, chaos.sink);
    return {
      reports: [report],
      problems,
      notes: [
        ...describeReport(report),
        `${campaignIds.length} tests, ${killed} processes killed around their ends`,
      ],
      kills: killed,
      uncertain: { samples: [report.uncertain.length], most: killed * connectionsPerProcess },
    };
  });
}

const body = (more: number): string =>
  `<p>Dear {{name ?? reader}}</p><p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>${'<p>word</p>'.repeat(more / 11)}`;

async function sendTested(chaos: ChaosStack, project: TestProject): Promise<string> {
  const { api } = chaos.stack.urls;
  const made = await callApi<{ data: { id: string } }>(api, project.secretKey, '/campaigns', {
    ...{
      name: 'Campaign with a test',
      subject: 'News',
      body: body(0),
      from: project.from,
      audienceType: 'ALL',
    },
    test: { variants: [{ body: body(longer) }], sample: 40, hours: 1 },
  });
  await callApi(api, project.secretKey, `/campaigns/${made.data.id}/send`, {});
  return made.data.id;
}

/** Until the samples are sent. */
async function untilStarted(chaos: ChaosStack, ids: readonly string[]): Promise<void> {
  const deadline = Date.now() + startMs;
  for (const id of ids)
    while (!(await readTest(chaos.db, id))?.testStartedAt) {
      if (Date.now() > deadline)
        throw new Error(`The test of ${id} has not begun after ${startMs / 1_000} s.`);
      await sleep(100);
    }
}

async function endUnderBlows(
  chaos: ChaosStack,
  ids: readonly string[],
  { random, log, processes }: { random: Random; log(line: string): void; processes: number },
): Promise<number> {
  let killed = 0;
  await endTests(chaos.db, ids, 1_000);
  while (
    (await Promise.all(ids.map((id) => readTest(chaos.db, id)))).some((test) => test?.testState !== 'DECIDED')
  ) {
    await sleep(500 + 2_500 * random.next());
    // Time for the worker to come back between two kills.
    if (killed > 3 * processes) continue;
    const blow = random.next() < 0.5 ? killWorker : killMail;
    log(blow);
    await blows[blow](chaos, random);
    killed += blow === killWorker ? processes : 1;
  }
  await blows[killMail](chaos, random);
  return killed + 1;
}

async function problemsOfTests(chaos: ChaosStack, campaignIds: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  const told = await decisionsTold(chaos.db, campaignIds);
  const emails = new Map((await testedEmails(chaos.db, campaignIds)).map((email) => [email.id, email]));
  const tests = new Map<string, NonNullable<Awaited<ReturnType<typeof readTest>>>>();
  for (const id of campaignIds) {
    const test = await readTest(chaos.db, id);
    if (test?.testState !== 'DECIDED') problems.push(`the test of ${id} is ${test?.testState}`);
    if (told.get(id) !== 1) problems.push(`${id} has told ${told.get(id) ?? 0} decisions`);
    if (test) tests.set(id, test);
  }
  for (const { emailId, size, at } of await chaos.sink.messages()) {
    const email = emails.get(emailId);
    const test = email && tests.get(email.campaignId);
    if (!email || !test) continue;
    const isLong = size > longer;
    const expected = email.variant === 0 ? test.testWinner : email.variant;
    if (isLong !== (expected === 2)) problems.push(`${emailId} has not the content of its variant`);
    if (email.variant === 0 && at < (test.testDecidedAt?.getTime() ?? Number.POSITIVE_INFINITY))
      problems.push(`${emailId} of the rest arrived before the decision`);
  }
  return problems;
}
