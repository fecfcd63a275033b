import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { median, percentile } from '@postrider/harness/statistics';
import { type EndpointKind, type EndpointServer, startEndpointServer } from '../harness/endpoint-server.ts';
import { trackUntilStored } from '../harness/track-event.ts';
import { type EndpointDeliveries, readDeliveries } from '../harness/webhook.store.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

const event = 'ordered';
/** Requests that track events at the same time. */
const lanes = 20;
/** Longer than the lease of a delivery whose process was killed. */
const stallMs = 90_000;
interface Plan {
  endpoints: readonly EndpointKind[];
  /** the worker is killed when these shares of the deliveries have arrived */
  killsAt: readonly number[];
  /** events after the kills, tracked one after the other while other endpoints still hang, for the lag of each endpoint */
  paced: number;
  /** an endpoint may be late by this because of others; the tests have no such goal, since they also run on busy machines */
  mostLagMs?: number;
}

const of = (count: number, kind: EndpointKind): EndpointKind[] => Array.from({ length: count }, () => kind);

export const webhooks: Scenario = {
  name: 'webhooks',
  summary:
    'events for 20 endpoints, of which 5 hang, 3 fail at first and 1 redirects inward, while the worker is killed three times: each event arrives, signed',
  recipients: 10_000,
  mostSeeds: 3,
  run: (options) =>
    runWebhooks(options, {
      endpoints: [...of(11, 'healthy'), ...of(5, 'hanging'), ...of(3, 'failing'), ...of(1, 'redirecting')],
      killsAt: [0.15, 0.4, 0.7],
      paced: 100,
      mostLagMs: 1_000,
    }),
};

export const webhooksSmall: Scenario = {
  name: 'webhooks-small',
  summary: 'the short form of `webhooks` that is part of the long tests',
  recipients: 300,
  mostSeeds: Number.POSITIVE_INFINITY,
  run: (options) =>
    runWebhooks(options, {
      endpoints: [...of(3, 'healthy'), ...of(2, 'hanging'), ...of(1, 'failing'), ...of(1, 'redirecting')],
      killsAt: [0.3],
      paced: 20,
    }),
};

async function runWebhooks(options: ScenarioOptions, plan: Plan): Promise<ScenarioResult> {
  const inside = await startInside();
  const server = await startEndpointServer(inside.url);
  try {
    const env = { WEBHOOK_ALLOWED_HOSTS: server.host, MAIL_WORKERS: '1' };
    return await withStack(options, { env }, (chaos) => runOn(chaos, options, plan, { server, inside }));
  } finally {
    await server.stop();
    await inside.stop();
  }
}

interface Inside {
  url: string;
  requests(): number;
  stop(): Promise<void>;
}

/** A host that no endpoint may reach: its address is private and not allowed. */
async function startInside(): Promise<Inside> {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/inside`,
    requests: () => requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function runOn(
  chaos: ChaosStack,
  { recipients: events, log }: ScenarioOptions,
  { endpoints, killsAt, paced, mostLagMs = Number.POSITIVE_INFINITY }: Plan,
  { server, inside }: { server: EndpointServer; inside: Inside },
): Promise<ScenarioResult> {
  const api = chaos.stack.urls.api;
  const project = await createProject(chaos.db, {
    appSecret: chaos.stack.env.APP_SECRET ?? '',
    signed: false,
  });
  for (const [index, kind] of endpoints.entries()) {
    const endpoint = { url: server.urlOf(index), types: [`event.${event}`] };
    const { secret } = await callApi<{ secret: string }>(
      api,
      project.secretKey,
      '/webhook-endpoints',
      endpoint,
    );
    server.listen(index, kind, secret);
  }
  const answering = server.receipts().filter(({ kind }) => kind === 'healthy' || kind === 'failing');
  const arrived = (): number => answering.reduce((sum, { idsOf }) => sum + idsOf.size, 0);
  const wanted = answering.length * events;
  log(`${events} events for ${endpoints.length} endpoints`);
  const begun = performance.now();
  const rate = watchRate(arrived);
  const tracking = trackAll(api, project, { from: 0, count: events });
  for (const share of killsAt) {
    await untilArrived(arrived, wanted * share);
    log(`kill -9 of the worker after ${arrived()} of ${wanted} deliveries`);
    await chaos.stack.processes.worker.kill();
  }
  await tracking;
  await untilArrived(arrived, wanted);
  const seconds = (performance.now() - begun) / 1_000;
  const best = rate.stop();
  log(`all arrived after ${seconds.toFixed(1)} s; ${paced} more, one after the other`);
  for (let number = events; number < events + paced; number += 1) {
    await trackAll(api, project, { from: number, count: 1 });
    await sleep(50);
  }
  await untilArrived(arrived, answering.length * (events + paced));
  await untilSettled(chaos, project, answering.length * (events + paced));
  const deliveries = await readDeliveries(chaos.db, project.id);
  const lags = answering
    .filter(({ kind }) => kind === 'healthy')
    .map(({ lagOf }) => [...lagOf].filter(([number]) => number >= events).map(([, ms]) => ms));
  return {
    reports: [],
    problems: [
      ...receiptProblems(server, events + paced),
      ...recordProblems(deliveries, server, endpoints, events + paced),
      ...lags.flatMap((each, index) =>
        median(each) < mostLagMs ? [] : [`endpoint ${index} was late by ${median(each)} ms (median)`],
      ),
      ...(inside.requests() === 0 ? [] : [`${inside.requests()} requests followed a redirect inward`]),
    ],
    notes: [
      `${wanted} deliveries to ${answering.length} endpoints in ${seconds.toFixed(1)} s with ${killsAt.length} kills; at most ${best} in a second`,
      `${answering.reduce((sum, { requests }) => sum + requests, 0) - arrived()} further requests to them: failures and repetitions after a kill`,
      `lag of single events at healthy endpoints meanwhile: median ${median(lags.flat()).toFixed(0)} ms, the slowest endpoint ${Math.max(...lags.map(median)).toFixed(0)} ms, p95 ${percentile(lags.flat(), 95).toFixed(0)} ms`,
    ],
  };
}

async function trackAll(
  api: string,
  { publicKey, id }: TestProject,
  { from, count }: { from: number; count: number },
): Promise<void> {
  let next = from;
  const lane = async (): Promise<void> => {
    while (next < from + count) {
      const number = next;
      next += 1;
      const email = `p${number % 500}@people.test`;
      const data = { number, trackedAt: Date.now() };
      await trackUntilStored(api, publicKey, `${id}:${number}`, { email, event, data });
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, count) }, lane));
}

async function untilArrived(arrived: () => number, wanted: number): Promise<void> {
  let last = -1;
  let movedAt = Date.now();
  while (arrived() < wanted) {
    if (arrived() !== last) movedAt = Date.now();
    last = arrived();
    if (Date.now() - movedAt > stallMs)
      throw new Error(`Nothing arrived for ${stallMs / 1_000} s, after ${last} of ${wanted}.`);
    await sleep(20);
  }
}

/** A request arrives before its result is stored. */
async function untilSettled({ db }: ChaosStack, { id }: TestProject, wanted: number): Promise<void> {
  for (const deadline = Date.now() + stallMs; Date.now() < deadline; await sleep(200)) {
    const rows = await readDeliveries(db, id);
    if (rows.reduce((sum, { delivered }) => sum + delivered, 0) >= wanted) return;
  }
}

/** The largest number of deliveries that arrived within a second. */
function watchRate(arrived: () => number): { stop(): number } {
  let [before, best] = [0, 0];
  const timer = setInterval(() => {
    best = Math.max(best, arrived() - before);
    before = arrived();
  }, 1_000);
  return {
    stop() {
      clearInterval(timer);
      return best;
    },
  };
}

function receiptProblems(server: EndpointServer, events: number): string[] {
  return server.receipts().flatMap(({ kind, idsOf, unverified }, index) => {
    const name = `endpoint ${index} (${kind})`;
    const unstable = [...idsOf.values()].filter((ids) => ids.size > 1).length;
    const distinct = new Set([...idsOf.values()].flatMap((ids) => [...ids])).size;
    const isAnswering = kind === 'healthy' || kind === 'failing';
    return [
      ...(unverified.length > 0 ? [`${name}: ${unverified.length} not verified, ${unverified[0]}`] : []),
      ...(unstable > 0 ? [`${name}: ${unstable} events came with several ids`] : []),
      ...(isAnswering && idsOf.size !== events ? [`${name}: ${idsOf.size} of ${events} events`] : []),
      ...(isAnswering && distinct !== events ? [`${name}: ${distinct} ids for ${events} events`] : []),
    ];
  });
}

function recordProblems(
  deliveries: readonly EndpointDeliveries[],
  server: EndpointServer,
  endpoints: readonly EndpointKind[],
  events: number,
): string[] {
  return endpoints.flatMap((kind, index) => {
    const row = deliveries.find(({ url }) => url === server.urlOf(index));
    if (!row?.enabled) return [`endpoint ${index} (${kind}) is disabled`];
    const isAnswering = kind === 'healthy' || kind === 'failing';
    const expected = isAnswering ? row.delivered === events : row.pending === events;
    return expected
      ? []
      : [
          `endpoint ${index} (${kind}): ${row.delivered} delivered, ${row.pending} pending, ${row.failed} failed`,
        ];
  });
}
