import { createProject, type TestProject } from '@postrider/chaos/harness/project.store';
import type { Bench, BenchOptions, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { cpuSeconds } from '../harness/cpu-time.ts';
import { type LoadFigures, loadSend } from '../harness/load.ts';
import { startReference } from '../harness/reference-process.ts';
import { nextSendRequest } from './send-request.ts';

const connections = 20;
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
  const reference = await startReference(new URL('./send-reference.ts', import.meta.url), {
    DATABASE_URL: stack.reference.url,
  });
  try {
    const appSecret = stack.stack.env.APP_SECRET ?? '';
    const product: Target = {
      pids: [stack.stack.processes.api.pid ?? 0, stack.postgresPid],
      origin: stack.stack.urls.api.replace('localhost', '127.0.0.1'),
      project: await createProject(stack.db, { appSecret, signed: false }),
    };
    const bare: Target = {
      pids: [reference.pid, stack.postgresPid],
      origin: await reference.ask<string>({}),
      project: await createProject(stack.reference.db, { appSecret, signed: false }),
    };
    const figures: Record<'product' | 'bare', LoadFigures[]> = { product: [], bare: [] };
    for (let round = 1; round <= rounds; round += 1) {
      for (const [name, target] of Object.entries({ product, bare }) as ['product' | 'bare', Target][]) {
        const measured = await loadSend({
          origin: target.origin,
          secretKey: target.project.secretKey,
          connections,
          warmUpSeconds,
          seconds,
          body: () => nextSendRequest(`${name}${round}`, target.project.from),
          cpu: () => cpuSeconds(target.pids),
        });
        log(
          `round ${round}, ${name}: ${measured.requestsPerSecond.toFixed(0)} requests/s, ${measured.cpuMs.toFixed(2)} ms CPU each`,
        );
        figures[name].push(measured);
      }
    }
    const notes = [
      `${connections} connections, one new recipient each, about 4 kB of HTML; the worker is stopped while this runs.`,
    ];
    if (options.profile) notes.push('', 'Statements:', ...(await stack.slowest()));
    return { series: toSeries(figures.product, figures.bare), notes };
  } finally {
    await reference.stop();
  }
}

function toSeries(product: LoadFigures[], bare: LoadFigures[]): Series[] {
  const of = (figures: LoadFigures[], key: keyof LoadFigures): number[] => figures.map((one) => one[key]);
  return [
    {
      label: '/v1/send',
      unit: 'requests/s',
      rounds: of(product, 'requestsPerSecond'),
      against: 'bare',
      goal: { atLeast: 0.5 },
    },
    { label: 'bare', unit: 'requests/s', rounds: of(bare, 'requestsPerSecond') },
    { label: '/v1/send p50', unit: 'ms', rounds: of(product, 'p50'), against: 'bare p50', digits: 1 },
    { label: 'bare p50', unit: 'ms', rounds: of(bare, 'p50'), digits: 1 },
    { label: '/v1/send p99', unit: 'ms', rounds: of(product, 'p99'), against: 'bare p99', digits: 1 },
    { label: 'bare p99', unit: 'ms', rounds: of(bare, 'p99'), digits: 1 },
    {
      label: 'CPU per request, api and PostgreSQL',
      unit: 'ms',
      rounds: of(product, 'cpuMs'),
      against: 'CPU per request, bare and PostgreSQL',
      digits: 2,
    },
    { label: 'CPU per request, bare and PostgreSQL', unit: 'ms', rounds: of(bare, 'cpuMs'), digits: 2 },
  ];
}
