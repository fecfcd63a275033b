import { setTimeout as sleep } from 'node:timers/promises';
import { type ChaosStack, connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createRandom, type Random } from '@postrider/harness/random';
import { startBalancer } from '../../harness/balancer.ts';
import { type DatabaseServers, startDatabaseServers } from '../../harness/database-servers.ts';
import { untilSettled } from '../../harness/until-settled.ts';
import { compareLedgerWithSink } from '../../ledger/compare-ledger-with-sink.ts';
import { startTraffic } from '../database/traffic.ts';
import { describeReport } from '../describe-report.ts';
import { startFleet } from '../machines/fleet.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from '../scenario.ts';
import { withStack } from '../with-stack.ts';
import { type Cluster, type ClusterBlow, clusterBlows, type Struck } from './blows.ts';

/** Long enough that a blow falls between the start of an SMTP transaction and the server's reply. */
const sinkDelayMs = 150;
/** An email that is sent after a blow reaches the mail server within this time. */
const recoveryMs = 30_000;
const stallMs = 180_000;

const all = Object.keys(clusterBlows) as ClusterBlow[];

export const cluster: Scenario = {
  name: 'cluster',
  summary:
    'two api behind a balancer, two workers, and PostgreSQL with a synchronous standby and an agent that promotes it: groups are killed and stopped, the primary is killed or cut off, the standby is away: each email once, none UNCERTAIN by a failover',
  recipients: 3_000,
  mostSeeds: Number.POSITIVE_INFINITY,
  async run(options) {
    const random = createRandom(options.seed);
    const servers = await startDatabaseServers();
    try {
      // A lease outlasts the pauses of a busy machine, and not what a blow takes.
      const env = { MAIL_WORKERS: '1', DELIVERY_LEASE_SECONDS: '10', RECONCILE_SECONDS: '5' };
      return await withStack(options, { env, database: servers }, (chaos) =>
        runCluster(chaos, servers, random, options),
      );
    } finally {
      await servers.stop();
    }
  },
};

async function runCluster(
  chaos: ChaosStack,
  servers: DatabaseServers,
  random: Random,
  options: ScenarioOptions,
): Promise<ScenarioResult> {
  const { stack } = chaos;
  const second = await stack.addApi();
  const fleet = await startFleet(chaos, 2);
  const apis = [stack.processes.api, second.service];
  const ports = [stack.urls.api, second.url].map((url) => Number(new URL(url).port));
  const balancer = await startBalancer(ports);
  try {
    const balanced = { ...chaos, stack: { ...stack, urls: { ...stack.urls, api: balancer.url } } };
    return await strikeAll({ chaos: balanced, servers, apis, fleet }, random, options);
  } finally {
    await balancer.stop();
  }
}

async function strikeAll(
  struck: Cluster,
  random: Random,
  { recipients, log }: ScenarioOptions,
): Promise<ScenarioResult> {
  const { chaos, servers, apis, fleet } = struck;
  const problems: string[] = [];
  const notes: string[] = [];
  const results: Struck[] = [];
  await chaos.sink.setBehaviour({ delayMs: sinkDelayMs });
  const traffic = await startTraffic(chaos, recipients);
  for (const name of random.shuffle(all)) {
    await sleep(random.whole(1_000, 2_500));
    await fleet.untilComplete();
    log(name);
    const result = await clusterBlows[name](struck, random);
    const { taken, sent } = await traffic.sendOneThrough();
    results.push(result);
    notes.push(
      `${name}: ${result.uncertain} UNCERTAIN; an email sent after it was taken after ${taken.toFixed(1)} s and arrived ${sent.toFixed(1)} s later`,
    );
    log(notes.at(-1) ?? '');
    problems.push(...result.problems.map((problem) => `${name}: ${problem}`));
    if ((taken + sent) * 1_000 > recoveryMs)
      problems.push(`an email arrived only ${(taken + sent).toFixed(1)} s after: ${name}`);
  }
  const { emails: wanted, campaignSeconds, workflowSeconds } = await traffic.finish();
  const seconds = servers.failovers.map((each) => `${each.toFixed(1)} s`).join(', ');
  notes.push(
    `commits were confirmed again after each loss of the primary: ${seconds}`,
    `after the last blow the campaign ended within ${campaignSeconds.toFixed(1)} s, the workflow within ${workflowSeconds.toFixed(1)} s`,
  );
  await untilSettled(chaos, { stallMs });
  const report = await compareLedgerWithSink(chaos.db, chaos.sink);
  if (report.emails !== wanted) problems.push(`${wanted} emails were asked for, there are ${report.emails}`);
  const restarts = [...apis, ...fleet.workers].reduce((sum, service) => sum + service.restarts, 0);
  const killed = results.filter((result) => result.killed);
  // Of the api and the worker that were killed.
  if (restarts > 2) problems.push(`processes were started again ${restarts} times, and 2 were killed`);
  return {
    reports: [report],
    problems,
    notes: [...describeReport(report), ...notes],
    kills: killed.length,
    uncertain: { samples: killed.map(({ uncertain }) => uncertain), most: connectionsPerProcess },
  };
}
