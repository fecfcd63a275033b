import { expect, it } from 'vitest';
import { pacingSmall } from './pacing.ts';
import { problemsOf } from './scenario.ts';

const lines: string[] = [];

it('nobody gets more than the caps allow, or less, while delivery processes are killed', async () => {
  const result = await pacingSmall.run({
    recipients: pacingSmall.recipients,
    seed: 1,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), [...lines, ...result.notes].join('\n')).toEqual([]);
});
