import { expect, it } from 'vitest';
import { problemsOf } from './scenario.ts';
import { scheduledSmall } from './scheduled.ts';

const lines: string[] = [];

it('a scheduled campaign is sent once, after the restart, if every process was down at its due time', async () => {
  const result = await scheduledSmall.run({
    recipients: scheduledSmall.recipients,
    seed: 1,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), lines.join('\n')).toEqual([]);
});
