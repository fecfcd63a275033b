import { setTimeout as sleep } from 'node:timers/promises';
import { createSegment } from '@postrider/core/audience/segments';
import { dispatchBatch } from '@postrider/core/automation/workflows';
import { type Services, systemContext } from '@postrider/core/base/kernel';
import { openHttpConnection } from '@postrider/harness/http-connection';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { percentile } from '@postrider/harness/statistics';
import { createTemporalClient } from '@postrider/harness/temporal-client';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { ownServices } from '../harness/own-services.ts';
import { nextSendRequest } from '../send/send-request.ts';
import {
  analyze,
  expiredKeys,
  fillWithEvents,
  insertExpiredKeys,
  queuedEvents,
  stopAutovacuum,
} from './growth.store.ts';

const events = 20_000;
const perSecond = 20;
const sweepStallMs = 600_000;

export const growthBench: Bench = {
  name: 'growth',
  summary:
    'dispatch of 20,000 events of a project that statistics do not know yet beside one that they know; requests while a million expired rows (--rows) are removed',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      const dispatched = await measureDispatch(stack, options);
      const swept = await measureSweep(stack, options);
      return {
        series: [...dispatched.series, ...swept.series],
        notes: [...dispatched.notes, ...swept.notes],
      };
    } finally {
      await stack.stop();
    }
  },
};

async function measureDispatch(stack: BenchStack, { rounds, log }: BenchOptions): Promise<BenchResult> {
  const { worker } = stack.stack.processes;
  // The worker is stopped: it would dispatch the events as well.
  await worker.stop();
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const services = ownServices(stack, { connections: 4, level: 'error' });
  const found: Record<'unknown' | 'known', number[]> = { unknown: [], known: [] };
  try {
    await stopAutovacuum(stack.db);
    const project = (name: string) =>
      createProject(stack.db, { appSecret, signed: false, domain: `${name}.test` });
    // These projects make the tables large, so that the planner expects a new project to be empty.
    for (const name of ['first', 'second']) {
      await filledProject(services, stack, await project(name));
      await analyze(stack.db);
    }
    for (let round = 1; round <= rounds; round += 1) {
      for (const kind of ['unknown', 'known'] as const) {
        const { id } = await filledProject(services, stack, await project(`${kind}${round}`));
        if (kind === 'known') await analyze(stack.db);
        const ms = await dispatchAll(services, stack, id);
        found[kind].push(ms);
        log(`round ${round}, dispatch of ${events} events, ${kind} project: ${ms.toFixed(0)} ms`);
      }
    }
  } finally {
    await services.close();
    await worker.start();
  }
  return {
    series: [
      {
        label: 'dispatch, unknown project',
        unit: 'ms',
        rounds: found.unknown,
        against: 'dispatch, known project',
        goal: { below: 1.5 },
      },
      { label: 'dispatch, known project', unit: 'ms', rounds: found.known },
    ],
    notes: [
      `Dispatch: ${events} contacts with an event each, inserted right before, in batches of 500; a tracked segment reads the events. "Known": the tables were analysed after the insertion.`,
    ],
  };
}

async function filledProject(
  services: Services,
  stack: BenchStack,
  project: TestProject,
): Promise<TestProject> {
  const state = {
    id: project.id,
    name: 'Bench',
    disabled: false,
    language: 'en',
    timeZone: 'UTC',
    tracking: 'ENABLED',
    definesFields: false,
  } as const;
  const segment = await createSegment.run(systemContext(services, { project: state }), {
    name: 'Seen',
    type: 'DYNAMIC',
    trackMembership: true,
    condition: { logic: 'AND', groups: [{ filters: [{ field: 'event.seen', operator: 'triggered' }] }] },
  });
  await fillWithEvents(stack.db, project.id, segment.id, 'seen', events);
  return project;
}

async function dispatchAll(services: Services, stack: BenchStack, projectId: string): Promise<number> {
  const queued = await queuedEvents(stack.db, projectId);
  if (queued !== events) throw new Error(`${queued} of ${events} events are queued`);
  const begun = performance.now();
  while ((await dispatchBatch(services, projectId)).taken > 0);
  return performance.now() - begun;
}

async function measureSweep(stack: BenchStack, { rows, seconds, log }: BenchOptions): Promise<BenchResult> {
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const project = await createProject(stack.db, { appSecret, signed: false, domain: 'swept.test' });
  const temporal = createTemporalClient(stack.stack.urls.temporal);
  try {
    await insertExpiredKeys(stack.db, project.id, rows);
    await sleep(5_000);
    const idle = await requestTimes(stack, project, async () => sleep(seconds * 1_000));
    log(`without the sweep: p95 ${percentile(idle, 95).toFixed(1)} ms of ${idle.length} requests`);
    const begun = performance.now();
    let removal = 0;
    const during = await requestTimes(stack, project, async () => {
      await temporal.runSchedule('sweep');
      while ((await expiredKeys(stack.db)) > 0) {
        if (performance.now() - begun > sweepStallMs) throw new Error('expired rows are left');
        await sleep(500);
      }
      removal = (performance.now() - begun) / 1_000;
    });
    log(
      `during the sweep: p95 ${percentile(during, 95).toFixed(1)} ms of ${during.length} requests; ${rows} rows in ${removal.toFixed(1)} s`,
    );
    return { series: sweepSeries(idle, during, removal), notes: [sweepNote(rows)] };
  } finally {
    await temporal.close();
  }
}

const sweepNote = (rows: number): string =>
  `Sweep: ${rows} expired idempotency keys, removed by one run; meanwhile ${perSecond} /v1/send a second.`;

const sweepSeries = (idle: number[], during: number[], removal: number): Series[] => [
  {
    label: '/v1/send p95 during the sweep',
    unit: 'ms',
    digits: 1,
    rounds: [percentile(during, 95)],
    against: '/v1/send p95 without it',
  },
  { label: '/v1/send p95 without it', unit: 'ms', digits: 1, rounds: [percentile(idle, 95)] },
  { label: 'sweep', unit: 's', digits: 1, rounds: [removal] },
];

/** Sends requests at a steady rate until `work` is done. @returns the time that each took, in milliseconds */
async function requestTimes(
  stack: BenchStack,
  { secretKey, from }: TestProject,
  work: () => Promise<void>,
): Promise<number[]> {
  const origin = stack.stack.urls.api.replace('localhost', '127.0.0.1');
  const connection = await openHttpConnection(origin, `Bearer ${secretKey}`);
  const times: number[] = [];
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  try {
    while (!isOver) {
      const begun = performance.now();
      const { status, body, ms } = await connection.post('/v1/send', nextSendRequest('growth', from));
      if (status !== 200) throw new Error(`The answer is ${status}: ${body.slice(0, 300)}`);
      times.push(ms);
      await sleep(Math.max(0, 1_000 / perSecond - (performance.now() - begun)));
    }
  } finally {
    connection.close();
  }
  await working;
  return times;
}
