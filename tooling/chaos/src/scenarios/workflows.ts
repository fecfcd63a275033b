import { setTimeout as sleep } from 'node:timers/promises';
import { type ChaosStack, connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import {
  type ExecutionRecord,
  readExecutions,
  strandedExecutions,
  undispatchedEvents,
  waitingAt,
  workflowProgress,
} from '@postrider/harness/workflow.store';
import { untilExecutionsEnd } from '@postrider/harness/workflow-run';
import { trackUntilStored } from '../harness/track-event.ts';
import { startWebhookServer, type WebhookCall, type WebhookServer } from '../harness/webhook-server.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { type BlowName, countKilled } from './blows.ts';
import { describeReport } from './describe-report.ts';
import {
  awaitedEvent,
  buildOnboarding,
  choosePeople,
  entryEvent,
  executionProblems,
  type Onboarding,
  type Person,
} from './onboarding.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { strikeByProgress } from './strike.ts';
import { withStack } from './with-stack.ts';

const killWorker = 'kill -9 of the worker with its delivery processes' satisfies BlowName;
const wipe = "wiping Temporal's store" satisfies BlowName;

/** Delays before the reply to the final dot and before a webhook's reply, so that kills interrupt work in progress. */
const sinkDelayMs = 20;
const webhookDelayMs = 30;
/**
 * The longest time without progress: timers lost with Temporal's store are detected a minute after their due time, the work of a
 * killed worker is resumed sooner, and a transactional email that became UNCERTAIN is sent again after two minutes.
 */
const stallMs = 160_000;

interface Plan {
  blows: BlowName[];
  /** all contacts enter within this time */
  entrySeconds: number;
  /** blows that may come when all is done: beside other tests, wiping the store can take longer than the rest of the steps */
  mayMiss: number;
  env: Record<string, string>;
}

export const workflows: Scenario = {
  name: 'workflows',
  summary:
    'executions with random delays while worker, PostgreSQL and Temporal are killed and its store is wiped: each step once',
  recipients: 500,
  mostSeeds: 2,
  run: (options) =>
    runWorkflows(options, {
      entrySeconds: 20,
      mayMiss: 0,
      env: {},
      blows: [
        killWorker,
        killWorker,
        killWorker,
        killWorker,
        'kill -9 of one delivery process',
        'kill -9 and restart of PostgreSQL',
        'kill -9 and restart of Temporal',
        wipe,
      ],
    }),
};

export const workflowsSmall: Scenario = {
  name: 'workflows-small',
  summary: 'the short form of `workflows` that is part of the tests',
  recipients: 100,
  mostSeeds: Number.POSITIVE_INFINITY,
  run: (options) =>
    runWorkflows(options, {
      entrySeconds: 4,
      mayMiss: 1,
      env: { RECONCILE_SECONDS: '2', RECONCILE_OVERDUE_SECONDS: '5' },
      blows: [killWorker, 'kill -9 and restart of Temporal', wipe],
    }),
};

async function runWorkflows(options: ScenarioOptions, plan: Plan): Promise<ScenarioResult> {
  const random = createRandom(options.seed);
  const people = choosePeople(options.recipients, random);
  const failing = new Set(people.filter((person) => person.webhookFails).map(({ email }) => email));
  const webhooks = await startWebhookServer({
    delayMs: webhookDelayMs,
    failsAtFirst: (email) => failing.has(email),
  });
  try {
    const env = { ...plan.env, WEBHOOK_ALLOWED_HOSTS: webhooks.host };
    return await withStack(options, { env }, (chaos) =>
      runOn(chaos, options, plan, { people, random, webhooks }),
    );
  } finally {
    await webhooks.stop();
  }
}

interface Cast {
  people: Person[];
  random: Random;
  webhooks: WebhookServer;
}

async function runOn(
  chaos: ChaosStack,
  { recipients, log }: ScenarioOptions,
  { blows, entrySeconds, mayMiss }: Plan,
  { people, random, webhooks }: Cast,
): Promise<ScenarioResult> {
  await chaos.sink.setBehaviour({ delayMs: sinkDelayMs });
  const project = await createProject(chaos.db, {
    appSecret: chaos.stack.env.APP_SECRET ?? '',
    signed: false,
  });
  const onboarding = await buildOnboarding(chaos, project, random, webhooks.url);
  const total = people.reduce((sum, person) => sum + onboarding.wayOf(person).length, 0);
  log(`${recipients} people enter within ${entrySeconds} s; their ways have ${total} steps`);

  const order = withInTheMiddle(wipe, random.shuffle(blows));
  const done = async () => (await workflowProgress(chaos.db, onboarding.id)).steps;
  const over = new AbortController();
  const confirmed = confirmWhoWaits(chaos, project, onboarding, people, over.signal);
  const ended = untilExecutionsEnd(chaos, onboarding.id, { executions: recipients, stallMs });
  const [landed] = await Promise.all([
    strikeByProgress(chaos, random, { order, total, done, stallMs, log }),
    enterAll(chaos, project, people, entrySeconds),
    ended.finally(() => over.abort()),
    confirmed,
  ]);

  log('every execution has ended; comparing');
  const executions = await readExecutions(chaos.db, onboarding.id);
  const report = await compareLedgerWithSink(chaos.db, chaos.sink);
  const undispatched = await undispatchedEvents(chaos.db);
  const problems = [
    ...(landed >= blows.length - mayMiss
      ? []
      : [`only ${landed} of ${blows.length} blows fell while steps were taken`]),
    ...wayProblems(executions, people, onboarding),
    ...webhookProblems(executions, webhooks.calls(), onboarding),
    ...(report.emails === 2 * recipients ? [] : [`${recipients} executions, but ${report.emails} emails`]),
    ...(undispatched === 0 ? [] : [`${undispatched} events wait to be dispatched`]),
    ...(await strandedExecutions(chaos.db)),
  ];
  const kills = countKilled(blows);
  return {
    reports: [report],
    problems,
    notes: [
      `${executions.length} executions: ${describeStatuses(executions)}; ${executions.reduce((sum, { steps }) => sum + steps.length, 0)} steps`,
      describeWebhooks(webhooks.calls()),
      ...describeReport(report),
    ],
    kills,
    // Transactional email that was UNCERTAIN is sent once more, and then counts as resent.
    uncertain: { samples: [report.uncertain.length + report.resent], most: kills * connectionsPerProcess },
  };
}

/** Places a blow in the middle of the others. */
function withInTheMiddle(name: BlowName, order: readonly BlowName[]): BlowName[] {
  const others = order.filter((each) => each !== name);
  return others.toSpliced(Math.ceil(others.length / 2), 0, name);
}

/** Spreads the entries evenly over the time; a slow reply does not delay other entries. */
async function enterAll(
  { stack }: ChaosStack,
  { publicKey }: TestProject,
  people: readonly Person[],
  seconds: number,
): Promise<void> {
  const enter = async ({ email, data }: Person, index: number): Promise<void> => {
    await sleep((index * seconds * 1_000) / people.length);
    await trackUntilStored(stack.urls.api, publicKey, `entry ${email}`, { email, event: entryEvent, data });
  };
  await Promise.all(people.map(enter));
}

/** Tracks the awaited event, once per contact, for the contacts that wait for it. */
async function confirmWhoWaits(
  { stack, db }: ChaosStack,
  { publicKey }: TestProject,
  { awaitStepId }: Onboarding,
  people: readonly Person[],
  over: AbortSignal,
): Promise<void> {
  const codes = new Map(people.map(({ email, data }) => [email, data.code]));
  const sent = new Set<string>();
  while (!over.aborted) {
    // While a scenario keeps the database down, the query fails.
    const waiting = await waitingAt(db, awaitStepId).catch(() => []);
    const due = waiting.filter((email) => !sent.has(email));
    for (const email of due) sent.add(email);
    await Promise.all(
      due.map((email) =>
        trackUntilStored(stack.urls.api, publicKey, `confirmation ${email}`, {
          email,
          event: awaitedEvent,
          data: { answer: codes.get(email) },
        }),
      ),
    );
    await sleep(300);
  }
}

function wayProblems(
  executions: readonly ExecutionRecord[],
  people: readonly Person[],
  onboarding: Onboarding,
): string[] {
  return people.flatMap((person) => {
    const own = executions.filter(({ email }) => email === person.email);
    const [execution] = own;
    if (!execution || own.length > 1) return [`${person.email} has ${own.length} executions`];
    return executionProblems(execution, person, onboarding);
  });
}

/** A request can be repeated, but always with the id of the one step execution that it belongs to. */
function webhookProblems(
  executions: readonly ExecutionRecord[],
  calls: readonly WebhookCall[],
  { webhookStepId }: Onboarding,
): string[] {
  const deliveries = new Map<string, Set<string>>();
  for (const { executionId, delivery } of calls)
    deliveries.set(executionId, (deliveries.get(executionId) ?? new Set()).add(delivery));
  return executions.flatMap(({ id, email, steps }) => {
    const wanted = steps.find(({ stepId }) => stepId === webhookStepId)?.id;
    const found = [...(deliveries.get(id) ?? [])];
    if (found.length === 1 && found[0] === wanted) return [];
    return [`the webhook of ${email} came as ${found.join(', ') || 'nothing'}, its step is ${wanted}`];
  });
}

function describeStatuses(executions: readonly ExecutionRecord[]): string {
  const counts = new Map<string, number>();
  for (const { status } of executions) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
}

function describeWebhooks(calls: readonly WebhookCall[]): string {
  const ids = new Set(calls.map(({ delivery }) => delivery));
  const refused = calls.filter(({ status }) => status !== 200).length;
  return (
    `webhooks: ${calls.length} requests under ${ids.size} delivery ids, ${refused} answered 503, ` +
    `${calls.length - refused - ids.size} repeated after a kill`
  );
}
