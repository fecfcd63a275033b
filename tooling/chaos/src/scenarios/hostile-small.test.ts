import { expect, it } from 'vitest';
import { hostileSmall } from './hostile/hostile.ts';
import { problemsOf } from './scenario.ts';

const lines: string[] = [];

it('messages and reports that were made to do harm are answered, and no process ends', async () => {
  const result = await hostileSmall.run({
    recipients: hostileSmall.recipients,
    seed: 1,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), lines.join('\n')).toEqual([]);
});
