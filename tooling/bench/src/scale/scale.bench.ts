import { createProject, insertContacts } from '@postrider/harness/project.store';
import type { Service } from '@postrider/local/service';
import { type CampaignFigures, sendCampaign } from '../campaign/send-campaign.ts';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';

/** Worker apps, and delivery processes of each. */
const shapes = [
  { label: 'one machine, one delivery process', machines: 1, processes: 1 },
  { label: 'one machine, two delivery processes', machines: 1, processes: 2 },
  { label: 'two machines, one delivery process each', machines: 2, processes: 1 },
] as const;

export const scaleBench: Bench = {
  name: 'scale',
  summary: 'one campaign sent by one and two delivery processes, and by two worker apps like two machines',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, { rounds, recipients, log }: BenchOptions): Promise<BenchResult> {
  const project = await createProject(stack.db, {
    appSecret: stack.stack.env.APP_SECRET ?? '',
    signed: false,
  });
  await insertContacts(stack.db, project.id, recipients);
  await stack.stack.processes.worker.stop();
  const found: CampaignFigures[][] = shapes.map(() => []);
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, { label, machines, processes }] of shapes.entries()) {
      const workers = await startWorkers(stack, machines, processes);
      const pids = workers.map(({ pid }) => pid ?? 0);
      const figures = await sendCampaign(stack, project, recipients, pids);
      await Promise.all(workers.map((worker) => worker.stop()));
      log(
        `round ${round}, ${label}: ${figures.rate.toFixed(0)} messages/s, ${figures.cpuMs.toFixed(3)} ms CPU each`,
      );
      found[index]?.push(figures);
    }
  }
  return {
    series: toSeries(found),
    notes: [`${recipients} recipients; all processes share the cores of this machine.`],
  };
}

async function startWorkers(stack: BenchStack, machines: number, processes: number): Promise<Service[]> {
  const workers: Service[] = [];
  for (let count = 0; count < machines; count += 1)
    workers.push(await stack.stack.addWorker({ MAIL_WORKERS: String(processes) }));
  return workers;
}

function toSeries(found: readonly CampaignFigures[][]): Series[] {
  const [base] = shapes;
  return shapes.map(({ label }, index) => ({
    label,
    unit: 'messages/s',
    rounds: (found[index] ?? []).map(({ rate }) => rate),
    ...(label === base.label ? {} : { against: base.label }),
  }));
}
