import { setTimeout as sleep } from 'node:timers/promises';
import { type AnsweringProcess, startAnswering } from '@postrider/harness/answering-process';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { percentile } from '@postrider/harness/statistics';
import { untilIdle } from '@postrider/harness/wake-latency';
import { strandedExecutions } from '@postrider/harness/workflow.store';
import { untilExecutionsEnd } from '@postrider/harness/workflow-run';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { cpuSeconds } from '../harness/cpu-time.ts';
import { measureFirstMail } from './first-mail-latency.ts';
import { buildOnboarding, onboarding } from './onboarding.ts';
import { trackPeople } from './track-people.ts';
import { readFigures } from './workflows.store.ts';
import type { BareFigures, BareRun } from './workflows-reference.ts';

/** Executions before the measurement, so that both sides can compile code and fill caches. */
const warmUp = 200;
const latencySamples = 25;
/** On a slow machine, Temporal processes thousands of starts before the first execution sends. */
const stallMs = 180_000;
/** One activity: the least that a workflow for each person would have. Executions of the product have none. */
const activities = 1;
/** Temporal's rate does not depend on how many executions there are; more of them only take longer. */
const bareExecutions = 2_000;
const goal = 20;

export const workflowsBench: Bench = {
  name: 'workflows',
  summary: 'executions from tracked event to sent mail beside a bare Temporal workflow; track to first mail',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

interface Scene {
  stack: BenchStack;
  reference: AnsweringProcess;
  project: TestProject;
  workflowId: string;
  api: string;
}

interface Figures {
  rate: number;
  /** CPU time per execution of all processes except the sink and this one, in milliseconds */
  cpuMs: number;
  /** the part of the Temporal server */
  temporalMs: number;
  /** the part of each process of the product, for the log */
  parts: string;
  /** from the first request to the last reply of /v1/track, in seconds */
  tracking: number;
}

type Bare = Pick<Figures, 'rate' | 'cpuMs' | 'temporalMs'>;

async function measure(stack: BenchStack, options: BenchOptions): Promise<BenchResult> {
  const { rounds, executions, log } = options;
  const reference = await startAnswering(new URL('./workflows-reference.ts', import.meta.url), {
    TEMPORAL_ADDRESS: stack.stack.urls.temporal,
  });
  try {
    const api = stack.stack.urls.api.replace('localhost', '127.0.0.1');
    const project = await createProject(stack.db, {
      appSecret: stack.stack.env.APP_SECRET ?? '',
      signed: false,
    });
    const workflowId = await buildOnboarding(api, project);
    const scene: Scene = { stack, reference, project, workflowId, api };
    await warm(scene);
    log('warm');
    if (options.profile) await stack.slowest();
    const own: Figures[] = [];
    const bare: Bare[] = [];
    const notes = describe(executions);
    for (let round = 1; round <= rounds; round += 1) {
      const ours = await runOurs(scene, `r${round}`, executions);
      own.push(ours);
      log(
        `round ${round}, product: ${ours.rate.toFixed(0)} executions/s, ${ours.cpuMs.toFixed(2)} ms CPU each (${ours.parts}), tracked in ${ours.tracking.toFixed(1)} s`,
      );
      if (options.profile && round === 1)
        notes.push('', 'Statements of round 1:', ...(await stack.slowest(40)));
      const theirs = await runBare(scene, { executions: Math.min(executions, bareExecutions), activities });
      bare.push(theirs);
      log(
        `round ${round}, bare: ${theirs.rate.toFixed(0)} executions/s, ${theirs.cpuMs.toFixed(1)} ms CPU each (Temporal ${theirs.temporalMs.toFixed(1)})`,
      );
    }
    const stepwise = await runBare(scene, {
      executions: Math.ceil(Math.min(executions, bareExecutions) / onboarding.steps),
      activities: onboarding.steps,
    });
    const latencies: number[][] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const found = await whileIdle(scene, `l${round}`);
      latencies.push(found);
      log(
        `round ${round}, idle: first mail after ${percentile(found, 50).toFixed(0)} ms, p95 ${percentile(found, 95).toFixed(0)} ms`,
      );
    }
    return { series: toSeries(own, bare, stepwise, latencies), notes };
  } finally {
    await reference.stop();
  }
}

const describe = (executions: number): string[] => [
  `Per execution: ${onboarding.steps} steps (TRIGGER → SEND_EMAIL → CONDITION → EXIT), ${onboarding.mails} mail; ${executions} new people. A bare workflow: ${activities} activity; at most ${bareExecutions} of them.`,
  'product: from the first request of /v1/track to the last mail at the sink or the last end of an execution, whichever is later.',
  'bare: from the first start to the end of the last activity, which does nothing; client (25 starts at once) and worker in one process.',
  'CPU: product = api, worker, PostgreSQL and Temporal; bare = reference process and Temporal. The sink and the bench are not counted.',
];

function toSeries(own: Figures[], bare: Bare[], stepwise: Bare, latencies: number[][]): Series[] {
  const of = <Key extends string>(figures: Record<Key, number>[], key: Key): number[] =>
    figures.map((one) => one[key]);
  const percentiles = (percent: number): number[] => latencies.map((ms) => percentile(ms, percent));
  const unit = 'executions/s';
  return [
    {
      label: 'tracked event to sent mail',
      unit,
      rounds: of(own, 'rate'),
      against: 'bare, one activity',
      goal: { atLeast: goal },
    },
    { label: 'bare, one activity', unit, rounds: of(bare, 'rate') },
    {
      label: 'bare, an activity per step',
      unit,
      rounds: [stepwise.rate],
      against: 'bare, one activity',
    },
    {
      label: 'CPU per execution',
      unit: 'ms',
      rounds: of(own, 'cpuMs'),
      against: 'CPU per bare execution',
      digits: 1,
    },
    { label: 'of it Temporal', unit: 'ms', rounds: of(own, 'temporalMs'), digits: 1 },
    { label: 'CPU per bare execution', unit: 'ms', rounds: of(bare, 'cpuMs'), digits: 1 },
    { label: 'of that Temporal', unit: 'ms', rounds: of(bare, 'temporalMs'), digits: 1 },
    { label: 'track to first mail, idle, median', unit: 'ms', rounds: percentiles(50) },
    { label: 'track to first mail, idle, p95', unit: 'ms', rounds: percentiles(95) },
  ];
}

async function warm(scene: Scene): Promise<void> {
  await runOurs(scene, 'warm', warmUp);
  await runBare(scene, { executions: warmUp, activities });
}

async function runOurs(scene: Scene, name: string, executions: number): Promise<Figures> {
  const { stack, project, workflowId, api } = scene;
  const { db, sink } = stack;
  await sink.clear();
  const { api: apiProcess, worker, temporal } = stack.stack.processes;
  const processes = {
    api: apiProcess.pid ?? 0,
    worker: worker.pid ?? 0,
    PostgreSQL: stack.postgres.pid,
    Temporal: temporal?.pid ?? 0,
  };
  const names = Object.keys(processes);
  const readCpu = (): Promise<number[]> =>
    Promise.all(Object.values(processes).map((pid) => cpuSeconds([pid])));
  const before = await readCpu();
  const emails = Array.from({ length: executions }, (_, n) => `${name}.${n + 1}@people.test`);
  const tracked = await trackPeople(api, project, emails);
  // Polling the database costs CPU time, so it starts when the emails have arrived.
  await untilMailsCome(sink, executions * onboarding.mails);
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "WorkflowExecution" WHERE "workflowId" = $1`,
    [workflowId],
  );
  await untilExecutionsEnd(stack, workflowId, { executions: rows[0]?.count ?? executions, stallMs });
  const after = await readCpu();
  const spent = after.map((seconds, at) => ((seconds - (before[at] ?? 0)) * 1_000) / executions);
  const figures = await readFigures(db, workflowId, tracked.from);
  const expected = {
    exited: executions,
    others: 0,
    steps: executions * onboarding.steps,
    sent: executions * onboarding.mails,
  };
  for (const [key, count] of Object.entries(expected)) {
    const found = figures[key as keyof typeof expected];
    if (found !== count) throw new Error(`${key}: ${found} where ${count} are expected`);
  }
  const messages = await sink.messages();
  const people = new Set(messages.flatMap(({ to }) => to));
  if (messages.length !== expected.sent || people.size !== executions)
    throw new Error(`${executions} people, but ${messages.length} mails to ${people.size} of them`);
  const stranded = await strandedExecutions(stack.db);
  if (stranded.length > 0) throw new Error(stranded.join('; '));
  const lastMailAt = messages.reduce((latest, { at }) => Math.max(latest, at), 0);
  const seconds = (Math.max(lastMailAt, figures.lastEndedAt) - tracked.from) / 1_000;
  return {
    rate: executions / seconds,
    cpuMs: spent.reduce((sum, ms) => sum + ms, 0),
    temporalMs: spent.at(-1) ?? 0,
    parts: names.map((name, at) => `${name} ${spent[at]?.toFixed(2)}`).join(', '),
    tracking: (tracked.until - tracked.from) / 1_000,
  };
}

/** @throws Error if no new email arrives for `stallMs` */
async function untilMailsCome(sink: BenchStack['sink'], expected: number): Promise<void> {
  let [seen, movedAt] = [0, Date.now()];
  for (;;) {
    const count = await sink.count();
    if (count >= expected) return;
    if (count > seen) [seen, movedAt] = [count, Date.now()];
    if (Date.now() - movedAt > stallMs)
      throw new Error(`Only ${count} of ${expected} mails came, and no other for ${stallMs / 1_000} s.`);
    await sleep(100);
  }
}

async function runBare({ stack, reference }: Scene, run: BareRun): Promise<Bare> {
  const temporalPid = stack.stack.processes.temporal?.pid ?? 0;
  const pids = [reference.pid, temporalPid];
  const before = await Promise.all([cpuSeconds(pids), cpuSeconds([temporalPid])]);
  const { seconds } = await reference.ask<BareFigures>(run);
  const after = await Promise.all([cpuSeconds(pids), cpuSeconds([temporalPid])]);
  return {
    rate: run.executions / seconds,
    cpuMs: ((after[0] - before[0]) * 1_000) / run.executions,
    temporalMs: ((after[1] - before[1]) * 1_000) / run.executions,
  };
}

const whileIdle = ({ stack, project }: Scene, name: string): Promise<number[]> =>
  measureFirstMail(
    stack,
    project,
    Array.from({ length: latencySamples }, (_, n) => `${name}.${n + 1}@people.test`),
    () => untilIdle(stack, project.id),
  );
