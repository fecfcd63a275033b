import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runFuzz } from './fuzz/run-fuzz.ts';
import { startApp, type TestApp } from './harness.ts';

/** `npm run fuzz` sets these. By default it is another course each time, and short. */
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 1_500);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);

let test: TestApp;
beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '100000000' });
});
afterAll(() => test.close());

it(`${requests} random requests: no 5xx, none above 2 seconds, no text of another project, no growth`, async () => {
  const log = (line: string): void => console.log(line);
  const { statuses, problems, vitals } = await runFuzz(test, { requests, seed, log });
  const file = process.env['FUZZ_REPORT'];
  if (file) writeFileSync(file, [vitals, JSON.stringify(statuses), ...problems].join('\n\n'));
  const repetition = `npm run fuzz -- --seed ${seed} --requests ${requests}`;
  expect(problems, [`repeat it with: ${repetition}`, ...problems].join('\n')).toEqual([]);
  // Otherwise it would prove nothing: a good part of the requests is valid.
  expect((statuses['200'] ?? 0) + (statuses['201'] ?? 0)).toBeGreaterThan(requests / 20);
}, 3_600_000);
