import { createProject } from '@postrider/harness/project.store';
import { runSweeps } from '@postrider/worker/retention/run-sweeps';
import { sweeps } from '@postrider/worker/retention/sweeps';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { ownServices } from '../harness/own-services.ts';
import { fill, fills } from './sweep.store.ts';

const minute = 60_000;

export const sweepBench: Bench = {
  name: 'sweep',
  summary: 'removal of --rows old rows of each kind that comes in numbers, beside as many that stay',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, { rows, log }: BenchOptions): Promise<BenchResult> {
  // The worker is stopped: what is measured runs here.
  await stack.stack.processes.worker.stop();
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const own = ownServices(stack, { connections: 2 });
  const services = { ...own, config: { ...own.config, EMAIL_DAYS: 400 } };
  const series: Series[] = [];
  try {
    for (const sweep of sweeps) {
      const kind = fills[sweep.kind];
      if (!kind) continue;
      const { id: projectId } = await createProject(stack.db, {
        appSecret,
        signed: false,
        domain: `${sweep.kind.replaceAll(' ', '-')}.test`,
      });
      await fill(stack.db, kind, { projectId, rows });
      const since = performance.now();
      const removed = await runSweeps(services, [sweep], 10 * minute);
      const perSecond = removed / ((performance.now() - since) / 1_000);
      if (removed < rows) throw new Error(`${sweep.kind}: ${removed} of ${rows} were removed`);
      log(`${sweep.kind}: ${perSecond.toFixed(0)} a second`);
      series.push({ label: sweep.kind, unit: 'rows/s', rounds: [perSecond], goal: { atLeast: 5_000 } });
    }
  } finally {
    await own.close();
  }
  return {
    series,
    notes: [
      'With the pauses that the sweep makes after each statement. An execution has five steps, a content is one text with two links.',
    ],
  };
}
