import { expect, it } from 'vitest';
import { judgeSamples } from './judge.ts';
import type { Sample } from './sample.ts';

const everySeconds = 10;

/** Half an hour of a sound stack, with what `change` makes of each sample. */
const run = (
  change: (sample: Sample, minutes: number) => Partial<Sample> = () => ({}),
  minutes = 30,
): Sample[] =>
  Array.from({ length: (minutes * 60) / everySeconds }, (_, index) => {
    const seconds = index * everySeconds;
    const sample: Sample = {
      seconds,
      processes: [
        // A heap grows until it is collected.
        { pid: 10, part: 'api', mb: 200 + (index % 17), descriptors: 40 + (index % 3), threads: 12 },
        { pid: 11, part: 'delivery', mb: 150 + (index % 5), descriptors: 60 + (index % 7), threads: 11 },
      ],
      connections: 30 + (index % 4),
      tables: [
        { name: 'Email', mb: 10 + index / 10, live: 20_000 + index, dead: 500 },
        { name: 'DeliveryBatch', mb: 2 + (index % 2), live: index % 30, dead: index % 100 },
      ],
      walMb: index,
      workflows: 20 + (index % 3),
      oldestSeconds: { email: 0.1, events: 0 },
      requests: { ms: [5, 8, 12], repeated: 0 },
    };
    return { ...sample, ...change(sample, seconds / 60) };
  });

const api =
  (what: 'mb' | 'descriptors' | 'threads', perMinute: number) =>
  ({ processes }: Sample, minutes: number): Partial<Sample> => ({
    processes: processes.map((one) =>
      one.part === 'api' ? { ...one, [what]: one[what] + perMinute * minutes } : one,
    ),
  });

it('a sound stack has no problem', () => {
  expect(judgeSamples(run())).toEqual([]);
});

it.each([
  ['1 kB a request at 20 requests a second', api('mb', 1.2), /^mb of api \(process 10\) grew by/],
  ['a descriptor per 100 requests', api('descriptors', 12), /^descriptors of api \(process 10\) grew by/],
  ['a thread a minute', api('threads', 1), /^threads of api/],
  [
    'a connection a minute',
    ({ connections }: Sample, minutes: number) => ({ connections: connections + minutes }),
    /^connections to PostgreSQL grew by/,
  ],
  [
    'a workflow for each email',
    (_: Sample, minutes: number) => ({ workflows: 20 + 8 * minutes }),
    /^open workflows grew by/,
  ],
  [
    'a queue that is never emptied',
    ({ tables }: Sample, minutes: number) => ({
      tables: tables.map((one) => (one.name === 'DeliveryBatch' ? { ...one, mb: one.mb + minutes } : one)),
    }),
    /^DeliveryBatch has /,
  ],
  [
    'rows that stay dead',
    ({ tables }: Sample) => ({
      tables: tables.map((one) => (one.name === 'Email' ? { ...one, dead: one.live } : one)),
    }),
    /^50 % of the rows of Email are dead/,
  ],
  [
    'slower and slower answers',
    (_: Sample, minutes: number) => ({ requests: { ms: [40 + 3 * minutes], repeated: 0 } }),
    /^95 of 100 requests/,
  ],
])('finds %s within half an hour', (_what, change, problem) => {
  const problems = judgeSamples(run(change));
  expect(problems).toEqual([expect.stringMatching(problem)]);
});

it('a process that was killed is judged by itself', () => {
  const killed = run((sample, minutes) => ({
    processes: sample.processes.map((one) =>
      one.part === 'api' && minutes > 15 ? { ...one, pid: 20, mb: one.mb + 100 } : one,
    ),
  }));
  expect(judgeSamples(killed)).toEqual([]);
});

it('a short run is judged by levels, and not by slopes', () => {
  expect(judgeSamples(run(api('mb', 10), 3))).toEqual([]);
  expect(judgeSamples(run(api('mb', 200), 3))).toEqual([
    expect.stringMatching(/^memory of api in MB: \d+, at most 520$/),
  ]);
});
