import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { freePort } from '@postrider/local/ports';
import type { Answer } from '../../harness/answers.ts';
import { startDatabaseServers } from '../../harness/database-servers.ts';
import { startHaproxy } from '../../harness/haproxy.ts';
import { type Network, startNetwork } from '../../harness/network.ts';
import { createShiftedClock } from '../../harness/shifted-clock.ts';
import { startTcpProxy } from '../../harness/tcp-proxy.ts';
import { startTemporalServer } from '../../harness/temporal-roles.ts';
import { untilSettled } from '../../harness/until-settled.ts';
import { compareLedgerWithSink } from '../../ledger/compare-ledger-with-sink.ts';
import { startTraffic, type Traffic } from '../database/traffic.ts';
import { describeReport } from '../describe-report.ts';
import { startFleet } from '../machines/fleet.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from '../scenario.ts';
import { withStack } from '../with-stack.ts';
import { clusterBlows } from './blows.ts';
import { chooseBlows } from './choose-blows.ts';
import { type Blow, type Cluster, type Struck, untilReady } from './groups.ts';
import { judgeAnswers, promisedIds, type Span } from './judge-answers.ts';
import { missingRows } from './promised.store.ts';

const apiCount = 3;
const workerCount = 2;
/** Processes of each role of the Temporal server. */
const roleCopies = 2;
/** The group of each kind whose clock can be set. */
const withClock = 1;
/** Long enough that a blow falls between the start of an SMTP transaction and the server's reply. */
const sinkDelayMs = 150;
const stallMs = 180_000;

export const cluster: Scenario = {
  name: 'cluster',
  summary:
    'three api behind HAProxy, two workers with delivery, PostgreSQL with a synchronous standby and an agent that promotes it, the Temporal server in its roles, twice each; ten of its blows by turns (groups killed and stopped, two at once, the primary lost or cut off, the standby away, roles of Temporal lost or stopped, ways of a group cut, half-closed or stalled, a clock ahead): each email once, none UNCERTAIN without a reason, no request refused for good',
  recipients: 15_000,
  mostSeeds: Number.POSITIVE_INFINITY,
  async run(options) {
    const folder = await mkdtemp(join(tmpdir(), 'postrider-chaos-cluster-'));
    const stops: (() => Promise<void>)[] = [];
    let isWhole = false;
    try {
      const result = await runIn(folder, stops, options);
      isWhole = result.problems.length === 0;
      return result;
    } finally {
      for (const stop of stops.toReversed()) await stop();
      if (isWhole) await rm(folder, { recursive: true, force: true });
      else options.log(`the logs of Temporal's roles are kept in ${folder}`);
    }
  },
};

async function runIn(
  folder: string,
  stops: (() => Promise<void>)[],
  options: ScenarioOptions,
): Promise<ScenarioResult> {
  const { log } = options;
  log('starting two servers of PostgreSQL, and the roles of the Temporal server');
  const servers = await startDatabaseServers();
  stops.push(() => servers.stop());
  const temporal = await startTemporalServer({
    databaseUrl: servers.directUrl,
    folder: join(folder, 'temporal'),
    copies: roleCopies,
  });
  stops.push(() => temporal.stop());
  const clock = await createShiftedClock(folder);
  const smtpPort = await freePort();
  const networkOf = async (): Promise<Network> => {
    const network = await startNetwork({
      databaseUrl: servers.url,
      databasePorts: servers.ports,
      temporal: temporal.frontends,
      smtpPort,
    });
    stops.push(() => network.stop());
    servers.follow((place, port) => network.ways.PostgreSQL[place]?.retarget(port));
    return network;
  };
  const networks = {
    api: await Promise.all(Array.from({ length: apiCount }, networkOf)),
    worker: await Promise.all(Array.from({ length: workerCount }, networkOf)),
  };
  const own = await startTcpProxy(temporal.frontends);
  stops.push(() => own.stop());
  const envOf = (kind: keyof typeof networks, index: number): Record<string, string> => ({
    ...networks[kind][index]?.env,
    ...(index === withClock ? clock.env : {}),
  });
  const env = {
    MAIL_WORKERS: '1',
    // A lease outlasts the pauses of a busy machine, and not what a blow takes.
    DELIVERY_LEASE_SECONDS: '10',
    RECONCILE_SECONDS: '5',
    TEMPORAL_ADDRESS: `127.0.0.1:${own.port}`,
  };
  const first = { api: envOf('api', 0), worker: envOf('worker', 0) };
  return withStack(options, { env, database: servers, sink: { port: smtpPort }, first }, async (chaos) => {
    const { stack } = chaos;
    const others = [];
    for (let index = 1; index < apiCount; index++) others.push(await stack.addApi(envOf('api', index)));
    const fleet = await startFleet(chaos, workerCount, (index) => envOf('worker', index));
    const services = [{ url: stack.urls.api, service: stack.processes.api }, ...others];
    const haproxy = await startHaproxy(
      services.map(({ url }) => Number(new URL(url).port)),
      { folder },
    );
    try {
      const behind = { ...chaos, stack: { ...stack, urls: { ...stack.urls, api: haproxy.url } } };
      const groupOf = <S extends object>(kind: keyof typeof networks, of: readonly S[]) =>
        of.flatMap((one, index) => {
          const network = networks[kind][index];
          return network ? [{ ...one, network }] : [];
        });
      const keys = { appSecret: stack.env.APP_SECRET ?? '', signed: false };
      const project = await createProject(chaos.db, { ...keys, domain: 'vain.test' });
      const struck: Cluster = {
        ...{ chaos: behind, servers, temporal, fleet, clock, project },
        apis: groupOf('api', services),
        workers: groupOf(
          'worker',
          fleet.workers.map((service) => ({ service })),
        ),
      };
      return await strikeAll(struck, createRandom(options.seed), options);
    } finally {
      await haproxy.stop();
    }
  });
}

async function strikeAll(
  struck: Cluster,
  random: Random,
  { recipients, seed, log }: ScenarioOptions,
): Promise<ScenarioResult> {
  const { chaos, servers, apis, fleet, temporal } = struck;
  const problems: string[] = [];
  const notes: string[] = [];
  const results: Struck[] = [];
  const answers: Answer[] = [];
  const spans: Span[] = [];
  const endsOfTemporal = (): number => temporal.processes.reduce((sum, { ends }) => sum + ends, 0);
  // Some end at their start, when another one makes the first rows at the same time.
  const endsAtStart = endsOfTemporal();
  await chaos.sink.setBehaviour({ delayMs: sinkDelayMs });
  const traffic = await startTraffic(chaos, recipients, (answer) => answers.push(answer));
  // Everything flows before the first blow.
  await traffic.sendOneThrough();
  for (const name of chooseBlows([...clusterBlows.keys()], seed, random)) {
    const blow = clusterBlows.get(name);
    if (!blow) continue;
    await sleep(random.whole(1_000, 2_500));
    await fleet.untilComplete();
    const { result, span, line } = await strikeOne(name, blow, struck, traffic, random, log);
    results.push(result);
    spans.push(span);
    notes.push(line);
    log(line);
    problems.push(...result.problems.map((problem) => `${name}: ${problem}`));
  }
  const { emails: wanted, campaignSeconds, workflowSeconds } = await traffic.finish();
  const judged = judgeAnswers(answers, spans);
  problems.push(...judged.problems);
  const seconds = servers.failovers.map((each) => `${each.toFixed(1)} s`).join(', ');
  notes.push(
    ...judged.notes,
    `commits were confirmed again after each loss of the primary: ${seconds || 'none was lost'}`,
    `after the last blow the campaign ended within ${campaignSeconds.toFixed(1)} s, the workflow within ${workflowSeconds.toFixed(1)} s`,
    `processes of Temporal that ended by themselves: ${endsOfTemporal() - endsAtStart}`,
  );
  await untilSettled(chaos, { stallMs });
  const report = await compareLedgerWithSink(chaos.db, chaos.sink);
  if (report.emails !== wanted) problems.push(`${wanted} emails were asked for, there are ${report.emails}`);
  const missing = await missingRows(chaos.db, promisedIds(answers));
  if (missing.emails + missing.events > 0)
    problems.push(`${missing.emails} emails and ${missing.events} events were confirmed and have no row`);
  const restarts = [...apis.map(({ service }) => service), ...fleet.workers].reduce(
    (sum, service) => sum + service.restarts,
    0,
  );
  const kills = results.reduce((sum, result) => sum + result.kills, 0);
  if (restarts > kills)
    problems.push(`processes were started again ${restarts} times, and ${kills} were killed`);
  const unclear = results.filter(({ mostUncertain }) => mostUncertain > 0);
  return {
    reports: [report],
    problems,
    notes: [...describeReport(report), ...notes],
    kills,
    uncertain: { samples: unclear.map(({ uncertain }) => uncertain), most: connectionsPerProcess },
  };
}

/** Strikes, and waits until every api is ready, an email gets through, and the workflow engine has worked for a campaign. */
async function strikeOne(
  name: string,
  blow: Blow,
  struck: Cluster,
  traffic: Traffic,
  random: Random,
  log: (line: string) => void,
): Promise<{ result: Struck; span: Span; line: string }> {
  log(name);
  const from = performance.now();
  const result = await blow(struck, random);
  const ready = await untilReady(struck.apis);
  if (ready === null) result.problems.push('an api was not ready within a minute');
  const { taken, sent } = await traffic.sendOneThrough();
  const until = performance.now();
  const campaign = await traffic.sendCampaignThrough();
  const figures = [
    `${result.uncertain} UNCERTAIN`,
    `all api ready after ${ready?.toFixed(1) ?? 'more than 60'} s`,
    `an email was taken after ${taken.toFixed(1)} s and arrived ${sent.toFixed(1)} s later`,
    `a campaign was sent within ${campaign.toFixed(1)} s`,
    ...result.notes,
  ];
  return {
    result,
    span: { name, from, until, brokeConnections: result.brokeConnections },
    line: `${name}: ${figures.join('; ')}`,
  };
}
