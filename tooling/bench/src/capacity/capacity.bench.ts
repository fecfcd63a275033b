import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeCommit, describeVersions } from '@postrider/harness/describe-versions';
import { ROOT } from '@postrider/local/root';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { readMachine } from '../harness/machine.ts';
import { type Cost, type Taken, type Unit, units } from './capacity.rules.ts';
import { stopAutovacuum } from './capacity.store.ts';
import { type CapacityFigures, capacityPage, failuresOf } from './capacity-page.ts';
import { measureMachine } from './measure-machine.ts';
import { measureUnits } from './measure-units.ts';
import { type Prediction, predictLoads } from './predict-loads.ts';
import { measureMemory } from './process-memory.ts';
import { prepareScene } from './scene.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** By second of a phase: as many as the product can do, or more. */
const recipientsPerSecond = 3_000;
const peoplePerSecond = 2_500;
const leastPeople = 10_000;

export const capacityBench: Bench = {
  name: 'capacity',
  summary:
    'processor, WAL and bytes at rest of each kind of work, and how large a machine is for so much of it; --page writes docs/capacity.md, --predict compares mixed loads with what the figures say',
  seconds: 30,
  async run(options) {
    if (process.platform !== 'linux') throw new Error('This bench reads /proc of Linux');
    const receiver = await startWebhookReceiver();
    try {
      const stack = await startBenchStack(options, { WEBHOOK_ALLOWED_HOSTS: receiver.host });
      try {
        return await measure(stack, receiver, options);
      } finally {
        await stack.stop();
      }
    } finally {
      await receiver.stop();
    }
  },
};

async function measure(
  stack: BenchStack,
  receiver: WebhookReceiver,
  options: BenchOptions,
): Promise<BenchResult> {
  const { seconds, log } = options;
  const { load } = readMachine();
  await stopAutovacuum(stack.db);
  const machine = await measureMachine(stack);
  log(
    `machine: ${machine.signatures.toFixed(0)} signatures, ${machine.fsyncs.toFixed(0)} fsyncs, ${machine.commits.toFixed(0)} commits a second`,
  );
  const scene = await prepareScene(stack, receiver, {
    people: leastPeople + peoplePerSecond * seconds,
    recipients: recipientsPerSecond * seconds,
  });
  const measured = await measureUnits(scene, options);
  const memory = await measureMemory(stack);
  const predictions = options.predict ? await predictLoads(scene, receiver, measured, options) : null;
  const figures: CapacityFigures = { machine, ...measured, memory, predictions };
  const text = capacityPage(
    {
      at: new Date().toISOString(),
      commit: await describeCommit(),
      command: `npm run bench -- ${process.argv.slice(2).join(' ')}`,
      versions: describeVersions(),
      seconds,
      load: [load, readMachine().load],
    },
    figures,
  );
  if (options.page) {
    const file = join(ROOT, 'docs/capacity.md');
    await writeFile(file, text);
    log(`wrote ${file}`);
  }
  return {
    series: toSeries(figures),
    notes: text.slice(text.indexOf('## Memory')).split('\n'),
    failures: failuresOf(predictions ?? []),
  };
}

function toSeries({ machine, costs, predictions }: CapacityFigures): Series[] {
  const one = (label: string, unit: string, value: number): Series => ({ label, unit, rounds: [value] });
  const ofCost = (label: string, cost: Cost): Series[] => [
    one(label, '1/s', cost.perSecond),
    one(`${label}: Node`, 'µs', cost.nodeMicros),
    one(`${label}: PostgreSQL`, 'µs', cost.postgresMicros),
    one(`${label}: Temporal`, 'µs', cost.temporalMicros),
    one(`${label}: WAL`, 'B', cost.walBytes),
  ];
  const ofUnit = (unit: Unit): Series[] => {
    const { most, steady, bytes } = costs[unit];
    return [
      ...ofCost(unit, most),
      ...(steady ? ofCost(`${unit}, evenly`, steady) : []),
      one(`${unit}: at rest`, 'B', bytes),
    ];
  };
  return [
    one('RSA-2048 signatures on one core', '1/s', machine.signatures),
    one('fsync of 8 kB', '1/s', machine.fsyncs),
    one('one-row commits', '1/s', machine.commits),
    ...units.flatMap(ofUnit),
    ...(predictions ?? []).flatMap(ofPrediction),
  ];
}

const kinds: readonly (readonly [keyof Taken, string])[] = [
  ['processorSeconds', 's'],
  ['walBytes', 'B'],
  ['bytes', 'B'],
];

const ofPrediction = ({ load, predicted, measured }: Prediction): Series[] =>
  kinds.flatMap(([key, unit]) => [
    {
      label: `${load}: ${key}, predicted`,
      unit,
      rounds: [predicted[key]],
      against: `${load}: ${key}`,
      digits: 1,
    },
    { label: `${load}: ${key}`, unit, rounds: [measured[key]], digits: 1 },
  ]);
