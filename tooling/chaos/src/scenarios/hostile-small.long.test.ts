import { expect, it } from 'vitest';
import { hostileSmall } from './hostile/hostile.ts';
import { problemsOf } from './scenario.ts';

const lines: string[] = [];

it('attacks by every door are answered, each limit holds, and no process ends', async () => {
  const result = await hostileSmall.run({
    recipients: hostileSmall.recipients,
    seed: 1,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), lines.join('\n')).toEqual([]);
});
