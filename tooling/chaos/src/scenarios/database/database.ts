import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { mailProcessesOf } from '@postrider/harness/process-tree';
import { createRandom, type Random } from '@postrider/harness/random';
import { type DatabaseCluster, startDatabaseCluster } from '../../harness/database-cluster.ts';
import { untilSettled } from '../../harness/until-settled.ts';
import { compareLedgerWithSink } from '../../ledger/compare-ledger-with-sink.ts';
import { describeReport } from '../describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from '../scenario.ts';
import { withStack } from '../with-stack.ts';
import { type DisturbanceName, disturbances } from './disturbances.ts';
import { startTraffic } from './traffic.ts';

const restart = 'restart (fast shutdown)' satisfies DisturbanceName;
const kill = 'kill -9 and restart' satisfies DisturbanceName;
/** Each seed adds one of these to the two restarts: all of them would take minutes. */
const special = [
  'failover to the promoted standby',
  'half-open connections, the server is gone',
  'read-only for 20 s',
  'every connection taken by others',
  'half-open connections, the server does not notice either',
] as const satisfies readonly DisturbanceName[];

/** Long enough that a disturbance falls between the start of an SMTP transaction and the server's reply. */
const sinkDelayMs = 150;
/** An email that is sent after a disturbance reaches the mail server within this time. Half-open connections need most. */
const recoveryMs = 30_000;
const stallMs = 120_000;

export const database: Scenario = {
  name: 'database',
  summary:
    'PostgreSQL is restarted, killed, and fails over, is half-open, read-only or full, under transactional, workflow and campaign mail: each email once, none UNCERTAIN, no process ends',
  recipients: 1_500,
  mostSeeds: Number.POSITIVE_INFINITY,
  run(options) {
    const random = createRandom(options.seed);
    const third = special[options.seed % special.length] ?? special[0];
    return runDatabase(options, random, random.shuffle([restart, kill, third]));
  },
};

export const databaseSmall: Scenario = {
  name: 'database-small',
  summary: 'the short form of `database` that is part of the tests: a restart and a kill',
  recipients: 300,
  mostSeeds: 1,
  run: (options) => runDatabase(options, createRandom(options.seed), [restart, kill]),
};

async function runDatabase(
  options: ScenarioOptions,
  random: Random,
  plan: readonly DisturbanceName[],
): Promise<ScenarioResult> {
  const cluster = await startDatabaseCluster({
    hasStandby: plan.some((name) => name.startsWith('failover')),
  });
  try {
    // Leases as in production: no process ends in this run, so nothing has to be taken over.
    const env = { DELIVERY_LEASE_SECONDS: '60', MAIL_WORKERS: '1' };
    return await withStack(options, { env, database: cluster }, (chaos) =>
      disturb(chaos, cluster, random, plan, options),
    );
  } finally {
    await cluster.stop();
  }
}

async function disturb(
  chaos: ChaosStack,
  cluster: DatabaseCluster,
  random: Random,
  plan: readonly DisturbanceName[],
  { recipients, log }: ScenarioOptions,
): Promise<ScenarioResult> {
  const problems: string[] = [];
  const notes: string[] = [];
  await chaos.sink.setBehaviour({ delayMs: sinkDelayMs });
  const before = await processIds(chaos);
  const traffic = await startTraffic(chaos, recipients);
  for (const name of plan) {
    await sleep(random.whole(1_500, 3_000));
    log(name);
    await disturbances[name](cluster);
    const { taken, sent } = await traffic.sendOneThrough();
    const seconds = taken + sent;
    notes.push(
      `${name}: an email sent after it was taken after ${taken.toFixed(1)} s and arrived ${sent.toFixed(1)} s later`,
    );
    log(notes.at(-1) ?? '');
    if (seconds * 1_000 > recoveryMs)
      problems.push(`an email arrived only ${seconds.toFixed(1)} s after: ${name}`);
  }
  const { emails: wanted, campaignSeconds, workflowSeconds } = await traffic.finish();
  notes.push(
    `after the last disturbance the campaign ended within ${campaignSeconds.toFixed(1)} s, the workflow within ${workflowSeconds.toFixed(1)} s`,
  );
  await untilSettled(chaos, { stallMs });
  const report = await compareLedgerWithSink(chaos.db, chaos.sink);
  const after = await processIds(chaos);
  if (after !== before) problems.push(`a process ended: the processes were ${before}, now they are ${after}`);
  if (report.emails !== wanted) problems.push(`${wanted} emails were asked for, there are ${report.emails}`);
  if (report.byStatus.SENT !== wanted)
    problems.push(`${report.byStatus.SENT ?? 0} of ${wanted} emails are SENT`);
  return { reports: [report], problems, notes: [...describeReport(report), ...notes] };
}

/** The ids of api, worker and delivery processes, as text. */
async function processIds({ stack }: ChaosStack): Promise<string> {
  const { api, worker } = stack.processes;
  const mail = worker.pid === undefined ? [] : await mailProcessesOf(worker.pid);
  return [api.pid, worker.pid, ...mail].join(' ');
}
