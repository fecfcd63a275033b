import { expect, it } from 'vitest';
import { crashSmall } from './crash.ts';
import { problemsOf } from './scenario.ts';

const lines: string[] = [];

it('a campaign loses no recipient and sends no email twice while workers, PostgreSQL and Temporal are killed', async () => {
  const seed = Date.now() % 1_000_000;
  const result = await crashSmall.run({
    recipients: crashSmall.recipients,
    seed,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), `seed ${seed}\n${lines.join('\n')}`).toEqual([]);
});
