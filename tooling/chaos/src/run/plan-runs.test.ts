import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Scenario } from '../scenarios/scenario.ts';
import { planRuns } from './plan-runs.ts';
import { appendRecord, keyOf, readRecords } from './results-file.ts';
import { recordError } from './run-record.ts';

const scenario = (name: string, mostSeeds: number): Scenario => ({
  name,
  summary: name,
  recipients: 1_000,
  mostSeeds,
  run: async () => ({ reports: [], problems: [], notes: [] }),
});

it('runs every scenario with the first seed, and with further seeds as far as each wants them', () => {
  const planned = planRuns({
    scenarios: [scenario('crash', 2), scenario('outage', 1)],
    seed: 7,
    seeds: 3,
    size: 0.5,
  });
  expect(planned.map((one) => [one.scenario.name, one.seed, one.recipients])).toEqual([
    ['crash', 7, 500],
    ['outage', 7, 500],
    ['crash', 8, 500],
  ]);
});

it('finds recorded runs again, the newest of each', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-records-'));
  const file = join(folder, 'new', 'runs.ndjson');
  const head = { scenario: 'crash', seed: 1, recipients: 10, commit: 'abc', at: '2026-01-02T03:04:05.000Z' };
  try {
    expect(await readRecords(file)).toEqual([]);
    await appendRecord(file, recordError(head, 1, new Error('first')));
    await appendRecord(file, recordError({ ...head, seed: 2 }, 1, new Error('other')));
    await appendRecord(file, recordError(head, 1, new Error('second')));
    const found = await readRecords(file);
    expect(found.map(({ seed, problems }) => [seed, problems])).toEqual([
      [1, ['second']],
      [2, ['other']],
    ]);
    expect(keyOf(found[0] ?? head)).toBe(keyOf(head));
  } finally {
    await rm(folder, { recursive: true });
  }
});
