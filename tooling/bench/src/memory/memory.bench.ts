import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from '@postrider/harness/stack-processes';
import pg from 'pg';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { largestConstructors, snapshotEnv } from './heap-snapshots.ts';
import { budgets, type ProfileName, tolerance } from './memory.budgets.ts';
import { demoProjectId } from './memory.store.ts';
import {
  importContacts,
  type Loaded,
  mixedRequests,
  runExecutions,
  sendCampaign,
  smallLoad,
} from './phases.ts';
import { type Sample, type Sampler, sampleStack } from './sample-stack.ts';
import { type StartedProduct, startProduct } from './started-product.ts';

/** Long enough for threads and connections that are not used to end. */
const settleMs = 75_000;
const idleMs = 60_000;
const requests = 100;
const contactsByDefault = 100_000;
const executions = 1_000;
const nodeParts: readonly Part[] = ['api', 'worker', 'delivery', 'small', 'mailbox'];

export const memoryBench: Bench = {
  name: 'memory',
  summary: 'memory of every process that npm start runs, idle and at work, beside its budget',
  async run(options) {
    if (process.platform !== 'linux') throw new Error('This bench reads /proc/<pid>/smaps_rollup of Linux');
    const profile = profileOf(options);
    options.log(`starting what npm start runs, profile ${profile}`);
    const product = await startProduct({
      PROFILE: profile,
      ...(options.heap ? snapshotEnv : {}),
    });
    const db = new pg.Pool({ connectionString: product.databaseUrl, max: 2, idleTimeoutMillis: 1_000 });
    try {
      const project = { ...product.project, id: await demoProjectId(db) };
      return await measure({ api: product.api, project, db }, product, profile, options);
    } finally {
      await db.end();
      await product.stop();
    }
  },
};

function profileOf({ profile = 'standard' }: BenchOptions): ProfileName {
  if (profile === 'standard' || profile === 'small') return profile;
  throw new Error(`--profile must be standard or small here, but is "${profile}"`);
}

interface Measured {
  phase: string;
  samples: Sample[];
}

async function measure(
  loaded: Loaded,
  product: StartedProduct,
  profile: ProfileName,
  { log, contacts = contactsByDefault, heap, phases }: BenchOptions,
): Promise<BenchResult> {
  const sampler = sampleStack(product.pid);
  const measured: Measured[] = [];
  const during = async (phase: string, work: () => Promise<void>): Promise<void> => {
    if (phases && phase !== 'idle' && !phases.includes(phase)) return;
    const samples = sampler.begin();
    await work();
    measured.push({ phase, samples: await samples.end() });
    log(describe(phase, measured.at(-1)?.samples ?? []));
  };
  await smallLoad(loaded);
  await sleep(settleMs);
  const cpuBefore = await sampler.cpuSeconds();
  await during('idle', () => sleep(idleMs));
  const idleCpu = (((await sampler.cpuSeconds()) - cpuBefore) / (idleMs / 1_000)) * 100;
  log(`idle: ${idleCpu.toFixed(1)} % of a core`);
  const snapshots = heap ? await takeSnapshots(sampler) : [];
  await during('requests', () => mixedRequests(loaded, requests));
  await during('import', () => importContacts(loaded, contacts));
  await during('campaign', () => sendCampaign(loaded));
  await during('executions', () => runExecutions(loaded, executions));
  const series = [
    ...measured.flatMap((one) => toSeries(one, profile)),
    {
      label: 'idle: share of a core',
      unit: '%',
      rounds: [idleCpu],
      digits: 1,
      goal: { below: budgets[profile].idleCpu * tolerance },
    },
  ];
  return {
    series,
    failures: overBudget(series),
    notes: [
      `Profile ${profile}. PSS in MB: the median of the idle phase, and the largest sample of the others, each 200 ms. ${contacts} contacts, ${executions} executions.`,
      ...snapshots,
    ],
  };
}

async function takeSnapshots(sampler: Sampler): Promise<string[]> {
  const lines: string[] = [];
  for (const part of nodeParts) {
    for (const pid of await sampler.pidsOf(part))
      lines.push('', `Heap of ${part}:`, ...(await largestConstructors(pid)));
  }
  return lines;
}

const totalOf = (sample: Sample): number => [...sample.values()].reduce((sum, one) => sum + one, 0);

/** Of the idle phase the median, because a collection may fall into it; of work the most. */
function figureOf(phase: string, values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[phase === 'idle' ? Math.floor(sorted.length / 2) : sorted.length - 1] ?? 0;
}

function toSeries({ phase, samples }: Measured, profile: ProfileName): Series[] {
  const { idle, most } = budgets[profile];
  const parts = [...new Set(samples.flatMap((sample) => [...sample.keys()]))].sort();
  const limit = (budget: number | undefined) =>
    budget === undefined ? {} : { goal: { below: budget * tolerance } };
  return [
    ...parts.map((part) => ({
      label: `${phase}: ${part}`,
      unit: 'MB',
      rounds: [
        figureOf(
          phase,
          samples.map((sample) => sample.get(part) ?? 0),
        ),
      ],
      ...(phase === 'idle' ? limit(idle[part]) : {}),
    })),
    {
      label: `${phase}: together`,
      unit: 'MB',
      rounds: [figureOf(phase, samples.map(totalOf))],
      ...limit(phase === 'idle' ? idle.together : most),
    },
  ];
}

const overBudget = (series: readonly Series[]): string[] =>
  series.flatMap(({ label, unit, rounds: [value = 0], goal }) =>
    goal && 'below' in goal && value >= goal.below
      ? [`${label} is ${value.toFixed(1)} ${unit}, which is above ${goal.below.toFixed(1)}`]
      : [],
  );

function describe(phase: string, samples: Sample[]): string {
  const parts = [...new Set(samples.flatMap((sample) => [...sample.keys()]))].sort();
  const of = (values: number[]): string => figureOf(phase, values).toFixed(0);
  const listed = parts.map((part) => `${part} ${of(samples.map((sample) => sample.get(part) ?? 0))}`);
  return `${phase}: ${of(samples.map(totalOf))} MB together (${listed.join(', ')})`;
}
