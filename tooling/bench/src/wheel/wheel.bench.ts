import { computeSegment, createSegment, turnWheel } from '@postrider/core/audience/segments';
import { systemContext } from '@postrider/core/base/kernel';
import { createProject } from '@postrider/harness/project.store';
import { median } from '@postrider/harness/statistics';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { ownServices } from '../harness/own-services.ts';
import { countMembers, fillWheel, makeDue } from './wheel.store.ts';

const few = 10;
const turns = 15;
/** With which the large project is compared. */
const smallProject = 10_000;
/** 100,000 within ten minutes. */
const fewestPerSecond = Math.ceil(100_000 / 600);

export const wheelBench: Bench = {
  name: 'wheel',
  summary:
    'ten contacts that time moves among --rows (1000000), beside ten among 10,000; --recipients (20000) that it moves at once',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

const condition = {
  logic: 'AND',
  groups: [{ filters: [{ field: 'createdAt', operator: 'within', value: 1, unit: 'hours' }] }],
};

async function measure(
  stack: BenchStack,
  { rows, rounds, recipients, log }: BenchOptions,
): Promise<BenchResult> {
  // The wheel is turned here.
  await stack.stack.processes.worker.stop();
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const services = ownServices(stack, { connections: 8 });
  try {
    const fill = async (domain: string, contacts: number) => {
      const { id: projectId } = await createProject(stack.db, { appSecret, signed: false, domain });
      const state = {
        ...{ id: projectId, name: 'Bench', disabled: false, language: 'en', timeZone: 'UTC' },
        ...({ tracking: 'ENABLED', definesFields: false } as const),
      };
      const ctx = systemContext(services, { project: state });
      const { id: segmentId } = await createSegment.run(ctx, {
        ...{ name: 'Fresh', type: 'DYNAMIC', trackMembership: true, condition },
      });
      await fillWheel(stack.db, { projectId, segmentId, contacts });
      return { projectId, segmentId, ctx };
    };
    const small = await fill('small.test', smallProject);
    const large = await fill('large.test', rows);
    await stack.db.query('CHECKPOINT');
    log('written');

    const turn = async (of: typeof small, count: number): Promise<number> => {
      await makeDue(stack.db, { ...of, count });
      const begun = performance.now();
      await turnWheel(services);
      const took = performance.now() - begun;
      const left = await countMembers(stack.db, of.segmentId);
      if (left > 0) throw new Error(`${left} contacts did not leave`);
      return took;
    };
    const times = { small: [] as number[], large: [] as number[] };
    await turn(small, few);
    await turn(large, few);
    for (let round = 0; round < rounds; round += 1) {
      const ms = { small: [] as number[], large: [] as number[] };
      for (let each = 0; each < turns; each += 1) {
        ms.small.push(await turn(small, few));
        ms.large.push(await turn(large, few));
      }
      times.small.push(median(ms.small));
      times.large.push(median(ms.large));
    }
    const many = Math.min(rows, recipients);
    const rates: number[] = [];
    for (let round = 0; round < rounds; round += 1) rates.push(many / ((await turn(large, many)) / 1_000));
    log('turned');
    const pass: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const begun = performance.now();
      await computeSegment.run(large.ctx, { id: large.segmentId });
      pass.push(performance.now() - begun);
    }
    const series: Series[] = [
      {
        label: `ten of ${rows}`,
        unit: 'ms',
        rounds: times.large,
        digits: 1,
        against: `ten of ${smallProject}`,
        goal: { below: 1.5 },
      },
      { label: `ten of ${smallProject}`, unit: 'ms', rounds: times.small, digits: 1 },
      {
        label: `${many} at once`,
        unit: 'contacts/s',
        rounds: rates,
        goal: { atLeast: fewestPerSecond },
      },
      { label: `a whole pass over ${rows}`, unit: 'ms', rounds: pass },
    ];
    return {
      series,
      notes: [
        `Every contact has a moment; one turn in the median of ${turns}, with its events and its next moments.`,
      ],
    };
  } finally {
    await services.close();
  }
}
