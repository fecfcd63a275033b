import { unknownFieldsOf } from '@postrider/core/base/kernel';
import { sendEmail } from '@postrider/core/mail/sending';
import { openHttpConnection } from '@postrider/harness/http-connection';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import type { Bench, BenchOptions, BenchResult } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { cpuSeconds } from '../harness/cpu-time.ts';
import { loadHttp } from '../harness/load.ts';
import { nextSendRequest, receiptBody } from '../send/send-request.ts';
import { switchStorageTriggers } from './costs.store.ts';

const connections = 20;
const checks = 200_000;

export const costsBench: Bench = {
  name: 'costs',
  summary:
    '/v1/send with and without the triggers that count storage, by turns; the time that looking for unknown fields takes of a request',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, { rounds, seconds, log }: BenchOptions): Promise<BenchResult> {
  // The worker is stopped: only accepting is measured.
  await stack.stack.processes.worker.stop();
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const project = await createProject(stack.db, { appSecret, signed: false });
  const cpu: Record<'counted' | 'uncounted', number[]> = { counted: [], uncounted: [] };
  const kinds = ['counted', 'uncounted'] as const;
  for (let round = 1; round <= rounds; round += 1) {
    // What comes second in a round finds larger tables: each is second as often as the other.
    for (const kind of round % 2 === 0 ? kinds.toReversed() : kinds) {
      await switchStorageTriggers(stack.db, kind === 'counted' ? 'ENABLE' : 'DISABLE');
      const figures = await acceptSends(stack, project, `${kind}${round}`, seconds);
      cpu[kind].push(figures.cpuMs);
      log(
        `round ${round}, storage ${kind}: ${figures.requestsPerSecond.toFixed(0)} requests/s, ${figures.cpuMs.toFixed(3)} ms CPU each`,
      );
    }
  }
  const checking = Array.from({ length: rounds }, () => timeOfCheck(project.from));
  return {
    series: [
      {
        label: 'CPU of /v1/send, storage counted',
        unit: 'ms',
        digits: 3,
        rounds: cpu.counted,
        against: 'CPU of /v1/send, storage not counted',
        goal: { below: 1.02 },
      },
      { label: 'CPU of /v1/send, storage not counted', unit: 'ms', digits: 3, rounds: cpu.uncounted },
      {
        label: 'looking for unknown fields',
        unit: 'ms',
        digits: 4,
        rounds: checking,
        against: 'CPU of /v1/send, storage counted',
        goal: { below: 0.02 },
      },
    ],
    notes: [
      `${connections} connections, each request with a new recipient and a new content of 4 kB, which is the most that counting can cost; CPU of api and PostgreSQL.`,
      'An import writes no table that is counted for its rows, only its file.',
    ],
  };
}

function acceptSends({ stack, postgres }: BenchStack, project: TestProject, run: string, seconds: number) {
  const pids = [stack.processes.api.pid ?? 0, postgres.pid];
  const origin = stack.urls.api.replace('localhost', '127.0.0.1');
  let content = 0;
  const nextRequest = (): string => {
    content += 1;
    const request = JSON.parse(nextSendRequest(run, project.from)) as object;
    return JSON.stringify({ ...request, body: `${receiptBody}<!-- ${run} ${content} -->` });
  };
  return loadHttp({
    connections,
    open: () => openHttpConnection(origin, `Bearer ${project.secretKey}`),
    warmUpSeconds: 2,
    seconds,
    request: (connection) => connection.post('/v1/send', nextRequest()),
    status: 200,
    cpu: () => cpuSeconds(pids),
  });
}

/** Milliseconds for one request. */
function timeOfCheck(from: string): number {
  const request: unknown = JSON.parse(nextSendRequest('check', from));
  const begun = performance.now();
  for (let n = 0; n < checks; n += 1) unknownFieldsOf(sendEmail.input, request, sendEmail.output, 10);
  return (performance.now() - begun) / checks;
}
