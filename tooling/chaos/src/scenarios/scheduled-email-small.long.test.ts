import { expect, it } from 'vitest';
import { problemsOf } from './scenario.ts';
import { scheduledEmailSmall } from './scheduled-email.ts';

const lines: string[] = [];

it('scheduled email is neither lost, doubled nor early when delivery processes and PostgreSQL are killed', async () => {
  const result = await scheduledEmailSmall.run({
    recipients: scheduledEmailSmall.recipients,
    seed: 1,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), [...lines, ...result.notes].join('\n')).toEqual([]);
});
