import { expect, it } from 'vitest';
import { problemsOf } from './scenario.ts';
import { webhooksSmall } from './webhooks.ts';

const lines: string[] = [];

it('events arrive at every endpoint that answers, signed and under one id, while others hang and the worker is killed', async () => {
  const result = await webhooksSmall.run({
    recipients: webhooksSmall.recipients,
    seed: 1,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), lines.join('\n')).toEqual([]);
});
