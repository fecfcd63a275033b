import { startAnswering } from '@postrider/harness/answering-process';
import { openHttpConnection } from '@postrider/harness/http-connection';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import type { Bench, BenchOptions, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { cpuSeconds } from '../harness/cpu-time.ts';
import { type LoadFigures, loadHttp } from '../harness/load.ts';
import { nextSendRequest } from './send-request.ts';

/** The goals are those of many clients; with 20 there is less to share. */
const loads = [
  { connections: 20, atLeast: 1 },
  { connections: 64, atLeast: 2.5 },
  { connections: 200, atLeast: 2.5 },
];
const warmUpSeconds = 2;

interface Target {
  /** processes whose CPU time is counted */
  pids: number[];
  origin: string;
  project: TestProject;
}

export const sendBench: Bench = {
  name: 'send',
  summary: '/v1/send beside bare Fastify + zod + pg writing the same rows',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, options: BenchOptions) {
  const { log, rounds, seconds } = options;
  // The worker is stopped: only accepting is measured, and the reference delivers nothing either.
  await stack.stack.processes.worker.stop();
  const reference = await startAnswering(new URL('./send-reference.ts', import.meta.url), {
    DATABASE_URL: stack.reference.url,
  });
  try {
    const appSecret = stack.stack.env.APP_SECRET ?? '';
    const product: Target = {
      pids: [stack.stack.processes.api.pid ?? 0, stack.postgres.pid],
      origin: stack.stack.urls.api.replace('localhost', '127.0.0.1'),
      project: await createProject(stack.db, { appSecret, signed: false }),
    };
    const bare: Target = {
      pids: [reference.pid, stack.postgres.pid],
      origin: await reference.ask<string>({}),
      project: await createProject(stack.reference.db, { appSecret, signed: false }),
    };
    const measured: LoadFiguresOfBoth[] = loads.map(() => ({ product: [], bare: [] }));
    for (let round = 1; round <= rounds; round += 1) {
      for (const [index, { connections }] of loads.entries()) {
        for (const [name, target] of Object.entries({ product, bare }) as ['product' | 'bare', Target][]) {
          const figures = await loadHttp({
            connections,
            open: () => openHttpConnection(target.origin, `Bearer ${target.project.secretKey}`),
            warmUpSeconds,
            seconds,
            request: (connection) =>
              connection.post('/v1/send', nextSendRequest(`${name}${round}`, target.project.from)),
            status: 200,
            cpu: () => cpuSeconds(target.pids),
          });
          log(
            `round ${round}, ${connections} connections, ${name}: ${figures.requestsPerSecond.toFixed(0)} requests/s, p99 ${figures.p99.toFixed(1)} ms, ${figures.cpuMs.toFixed(2)} ms CPU each`,
          );
          measured[index]?.[name].push(figures);
        }
      }
    }
    const notes = [
      'Each connection sends one request at a time, to one new recipient, with about 4 kB of HTML; the worker is stopped while this runs.',
    ];
    if (options.profile) notes.push('', 'Statements:', ...(await stack.slowest()));
    const series = loads.flatMap((load, index) =>
      toSeries(load, measured[index] ?? { product: [], bare: [] }),
    );
    return { series, notes };
  } finally {
    await reference.stop();
  }
}

interface LoadFiguresOfBoth {
  product: LoadFigures[];
  bare: LoadFigures[];
}

function toSeries(
  { connections, atLeast }: (typeof loads)[number],
  { product, bare }: LoadFiguresOfBoth,
): Series[] {
  const series = (
    what: string,
    key: keyof LoadFigures,
    options: Pick<Series, 'unit' | 'goal' | 'digits'>,
  ) => {
    const labelOf = (server: string): string => `${connections} connections, ${server}${what}`;
    const { goal, ...shared } = options;
    return [
      {
        ...shared,
        label: labelOf('/v1/send'),
        rounds: product.map((one) => one[key]),
        against: labelOf('bare'),
        ...(goal ? { goal } : {}),
      },
      { ...shared, label: labelOf('bare'), rounds: bare.map((one) => one[key]) },
    ];
  };
  return [
    ...series('', 'requestsPerSecond', { unit: 'requests/s', goal: { atLeast } }),
    ...series(' p50', 'p50', { unit: 'ms', digits: 1 }),
    ...series(' p99', 'p99', { unit: 'ms', digits: 1, goal: { below: 1 } }),
    ...series(' CPU per request, with PostgreSQL', 'cpuMs', { unit: 'ms', digits: 2 }),
  ];
}
