import { expect, it } from 'vitest';
import { problemsOf } from './scenario.ts';
import { scheduledSmall } from './scheduled.ts';

const lines: string[] = [];

it('sends a scheduled campaign once after the start when every process was down over its due time', {
  timeout: 180_000,
}, async () => {
  const result = await scheduledSmall.run({
    recipients: scheduledSmall.recipients,
    seed: 1,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), lines.join('\n')).toEqual([]);
});
