import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@postrider/core/base/lib';
import { countWaitingBefore } from '@postrider/harness/campaign.store';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { mailProcessesOf } from '@postrider/harness/process-tree';
import { createRandom } from '@postrider/harness/random';
import { type DatabaseCluster, startDatabaseCluster } from '../../harness/database-cluster.ts';
import { untilSettled } from '../../harness/until-settled.ts';
import { compareLedgerWithSink } from '../../ledger/compare-ledger-with-sink.ts';
import { describeReport } from '../describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from '../scenario.ts';
import { withStack } from '../with-stack.ts';
import { startTraffic } from './traffic.ts';

/** By how many seconds the clock is set, one after the other, in an order that the seed determines. The sum is 0. */
const steps = [-30, 30, -3_600, 3_600];
/** How long delivery is stopped before each step, so that email accepted before the step is waiting. */
const heldMs = 2_000;
/** Email that waited is sent within this time, however large the step. The clock is compared every 5 s here; the rest is for sending. */
const recoveryMs = 30_000;
const stallMs = 120_000;

export const clock: Scenario = {
  name: 'clock',
  summary:
    "the database's clock is set back and forward by 30 s and by an hour, under transactional, workflow and campaign mail: what waits does not wait for the step, each email once",
  recipients: 1_500,
  mostSeeds: Number.POSITIVE_INFINITY,
  async run(options) {
    const cluster = await startDatabaseCluster({ hasStandby: false, hasClock: true });
    try {
      const env = { DELIVERY_LEASE_SECONDS: '60', MAIL_WORKERS: '1' };
      return await withStack(options, { env, database: cluster }, (chaos) =>
        setClock(chaos, cluster, options),
      );
    } finally {
      await cluster.stop();
    }
  },
};

async function setClock(
  chaos: ChaosStack,
  cluster: DatabaseCluster,
  { recipients, seed, log }: ScenarioOptions,
): Promise<ScenarioResult> {
  const random = createRandom(seed);
  const problems: string[] = [];
  const notes: string[] = [];
  const traffic = await startTraffic(chaos, recipients);
  let shift = 0;
  for (const step of random.shuffle(steps)) {
    await sleep(random.whole(6_000, 9_000));
    const wake = await stopDelivery(chaos);
    await sleep(heldMs);
    shift += step;
    const before = newId();
    const waiting = await countWaitingBefore(chaos.db, before);
    await cluster.setClock(shift * 1_000);
    wake();
    const seconds = await untilSent(chaos, before);
    notes.push(
      `${step > 0 ? '+' : ''}${step} s: the ${waiting} emails that waited were sent ${seconds.toFixed(1)} s later`,
    );
    log(notes.at(-1) ?? '');
    if (waiting === 0) problems.push(`no email waited when the clock was set by ${step} s`);
    if (seconds * 1_000 > recoveryMs)
      problems.push(`email waited for ${seconds.toFixed(1)} s after the clock was set by ${step} s`);
    const { taken, sent } = await traffic.sendOneThrough();
    if ((taken + sent) * 1_000 > recoveryMs)
      problems.push(
        `an email of after the step of ${step} s arrived only ${(taken + sent).toFixed(1)} s later`,
      );
  }
  const { emails: wanted, campaignSeconds, workflowSeconds } = await traffic.finish();
  notes.push(
    `after the last step the campaign ended within ${campaignSeconds.toFixed(1)} s, the workflow within ${workflowSeconds.toFixed(1)} s`,
  );
  await untilSettled(chaos, { stallMs });
  const report = await compareLedgerWithSink(chaos.db, chaos.sink);
  if (report.emails !== wanted) problems.push(`${wanted} emails were asked for, there are ${report.emails}`);
  return { reports: [report], problems, notes: [...describeReport(report), ...notes] };
}

/** @returns lets it go on */
async function stopDelivery({ stack }: ChaosStack): Promise<() => void> {
  const pids = await mailProcessesOf(stack.processes.worker.pid ?? 0);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}

/** @returns the seconds until no email waits that was accepted before */
async function untilSent({ db }: ChaosStack, before: string): Promise<number> {
  const begun = performance.now();
  while ((await countWaitingBefore(db, before)) > 0) {
    if (performance.now() - begun > stallMs) break;
    await sleep(100);
  }
  return (performance.now() - begun) / 1_000;
}
