import type { Part } from '@postrider/harness/stack-processes';
import { median, percentile } from '@postrider/harness/statistics';
import { steadyTables } from '@postrider/harness/steady-tables';
import type { ProcessSample, Sample } from './sample.ts';
import { theilSenSlope } from './theil-sen.ts';

/** Runs of at least this length are judged by slopes; shorter ones, in which caches still fill, by levels. */
const slopesFromSeconds = 20 * 60;

/** A process, and the run, is judged after a fifth of the run, at most ten minutes: code, caches and connections come first. */
const warmUp = (total: number): number => Math.min(total / 5, 600);

/** Slope above which a quantity grows, by hour, and growth below which it is noise, such as a heap between two collections. */
const slopes = {
  mb: { perHour: 1, noise: 12 },
  descriptors: { perHour: 0, noise: 24 },
  threads: { perHour: 0, noise: 6 },
  connections: { perHour: 0, noise: 12 },
  workflows: { perHour: 0, noise: 40 },
} as const;

/** What no sample exceeds, however short the run. Memory by part, in MB. */
const levels = {
  mb: { api: 520, worker: 520, delivery: 640, small: 900, temporal: 400 } as Partial<Record<Part, number>>,
  descriptors: 600,
  threads: 80,
  connections: 150,
  workflows: 400,
} as const;

const steady = { factor: 1.1, noiseMb: 2 };
const mostDeadShare = 0.2;
/** Of smaller tables autovacuum leaves more than a share: a threshold in rows comes first. */
const countedFromRows = 10_000;
const slowestFactor = 1.2;
/** Answers faster than this do not count as slower: the machine's own noise is larger. In milliseconds. */
const slowFromMs = 50;

/** @returns broken thresholds, one sentence each */
export function judgeSamples(samples: readonly Sample[]): string[] {
  const total = samples.at(-1)?.seconds ?? 0;
  const settled = samples.filter(({ seconds }) => seconds >= warmUp(total));
  const found = levelProblems(samples);
  return total < slopesFromSeconds
    ? found
    : [
        ...found,
        ...processProblems(samples, warmUp(total)),
        ...growthProblems(settled),
        ...tableProblems(settled),
        ...latencyProblems(settled),
      ];
}

function levelProblems(samples: readonly Sample[]): string[] {
  const most = new Map<string, { value: number; limit: number }>();
  const look = (what: string, value: number, limit: number | undefined): void => {
    if (limit !== undefined && value > limit && value > (most.get(what)?.value ?? 0))
      most.set(what, { value, limit });
  };
  for (const { processes, connections, workflows } of samples) {
    for (const { part, mb, descriptors, threads } of processes) {
      look(`memory of ${part} in MB`, mb, levels.mb[part]);
      if (part === 'temporal') continue;
      look(`descriptors of ${part}`, descriptors, levels.descriptors);
      look(`threads of ${part}`, threads, levels.threads);
    }
    look('connections to PostgreSQL', connections, levels.connections);
    look('open workflows', workflows ?? 0, levels.workflows);
  }
  return [...most].map(([what, { value, limit }]) => `${what}: ${value.toFixed(0)}, at most ${limit}`);
}

/** Each process by itself: one that was killed begins again with little. */
function processProblems(samples: readonly Sample[], warmUpSeconds: number): string[] {
  const lives = Map.groupBy(
    samples.flatMap(({ seconds, processes }) => processes.map((one) => ({ ...one, seconds }))),
    ({ pid }) => pid,
  );
  return [...lives].flatMap(([pid, life]) => {
    const from = (life[0]?.seconds ?? 0) + warmUpSeconds;
    const judged = life.filter(({ seconds }) => seconds >= from);
    return (['mb', 'descriptors', 'threads'] as const).flatMap((what) =>
      growth(
        `${what} of ${judged[0]?.part} (process ${pid})`,
        what,
        judged.map((one) => [one.seconds, one[what]]),
      ),
    );
  });
}

function growthProblems(settled: readonly Sample[]): string[] {
  return [
    ...growth(
      'connections to PostgreSQL',
      'connections',
      settled.map(({ seconds, connections }) => [seconds, connections]),
    ),
    ...growth(
      'open workflows',
      'workflows',
      settled.flatMap(({ seconds, workflows }) =>
        workflows === null ? [] : [[seconds, workflows] as [number, number]],
      ),
    ),
  ];
}

function growth(
  name: string,
  what: keyof typeof slopes,
  points: readonly (readonly [seconds: number, value: number])[],
): string[] {
  const { perHour, noise } = slopes[what];
  const hours = ((points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0)) / 3_600;
  const slope = theilSenSlope(points) * 3_600;
  return slope > perHour && slope * hours > noise
    ? [
        `${name} grew by ${(slope * hours).toFixed(1)} in ${(hours * 60).toFixed(0)} minutes, ${slope.toFixed(1)} an hour`,
      ]
    : [];
}

function tableProblems(settled: readonly Sample[]): string[] {
  const last = settled.slice(-Math.ceil(settled.length / 4));
  const of = (samples: readonly Sample[], name: string) =>
    samples.flatMap(({ tables }) => tables.filter((table) => table.name === name));
  const grown = steadyTables.flatMap((name) => {
    const [usual, now] = [settled, last].map((samples) => median(of(samples, name).map(({ mb }) => mb)));
    return now !== undefined && usual !== undefined && now > usual * steady.factor + steady.noiseMb
      ? [
          `${name} has ${now.toFixed(1)} MB at the end and ${usual.toFixed(1)} usually, although it is a queue`,
        ]
      : [];
  });
  const names = last.at(-1)?.tables.map(({ name }) => name) ?? [];
  const dead = names.flatMap((name) => {
    const rows = of(last, name);
    if (median(rows.map(({ live }) => live)) < countedFromRows) return [];
    const share = median(rows.map((row) => row.dead / Math.max(1, row.live + row.dead)));
    return share > mostDeadShare ? [`${(share * 100).toFixed(0)} % of the rows of ${name} are dead`] : [];
  });
  return [...grown, ...dead];
}

/** The last hour, or eighth, beside the first. */
function latencyProblems(settled: readonly Sample[]): string[] {
  const span = Math.min(3_600, ((settled.at(-1)?.seconds ?? 0) - (settled[0]?.seconds ?? 0)) / 8);
  const [from, to] = [settled[0]?.seconds ?? 0, settled.at(-1)?.seconds ?? 0];
  const slowest = (samples: readonly Sample[]): number =>
    median(samples.map(({ requests }) => percentile(requests.ms, 95)));
  const first = slowest(settled.filter(({ seconds }) => seconds <= from + span));
  const last = slowest(settled.filter(({ seconds }) => seconds >= to - span));
  return last > slowFromMs && last > slowestFactor * first
    ? [
        `95 of 100 requests were answered within ${first.toFixed(0)} ms at first, and ${last.toFixed(0)} ms at the end`,
      ]
    : [];
}

/** The largest figures of each part, for people. */
export function describeSamples(samples: readonly Sample[]): string[] {
  const byPart = Map.groupBy(
    samples.flatMap(({ processes }) => processes),
    ({ part }) => part,
  );
  const last = samples.at(-1);
  const first = samples[0];
  const most = (list: readonly ProcessSample[], what: 'mb' | 'descriptors' | 'threads'): string =>
    Math.max(...list.map((one) => one[what])).toFixed(0);
  return [
    ...[...byPart].map(
      ([part, list]) =>
        `${part}: at most ${most(list, 'mb')} MB, ${most(list, 'descriptors')} descriptors, ${most(list, 'threads')} threads in a process`,
    ),
    `${last?.connections ?? 0} connections, ${last?.workflows ?? 0} open workflows at the end; ${((last?.walMb ?? 0) - (first?.walMb ?? 0)).toFixed(0)} MB of WAL; the oldest email due waited ${Math.max(0, ...samples.map(({ oldestSeconds }) => oldestSeconds.email)).toFixed(1)} s, the oldest event ${Math.max(0, ...samples.map(({ oldestSeconds }) => oldestSeconds.events)).toFixed(1)} s`,
    `largest tables: ${(last?.tables ?? [])
      .toSorted((a, b) => b.mb - a.mb)
      .slice(0, 6)
      .map(({ name, mb, live }) => `${name} ${mb.toFixed(0)} MB (${live} rows)`)
      .join(', ')}`,
  ];
}
