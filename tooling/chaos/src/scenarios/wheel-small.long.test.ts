import { expect, it } from 'vitest';
import { problemsOf } from './scenario.ts';
import { wheelSmall } from './wheel.ts';

const lines: string[] = [];

it('contacts that time moves have one event each, and none early, when the worker is killed meanwhile', async () => {
  const result = await wheelSmall.run({
    recipients: wheelSmall.recipients,
    seed: 1,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), [...lines, ...result.notes].join('\n')).toEqual([]);
});
