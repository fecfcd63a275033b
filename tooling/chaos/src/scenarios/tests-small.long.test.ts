import { expect, it } from 'vitest';
import { campaignTestsSmall } from './campaign-tests.ts';
import { problemsOf } from './scenario.ts';

const lines: string[] = [];

it('tests that end while processes are killed have one winner, whose content the rest gets after the decision', async () => {
  const seed = Date.now() % 1_000_000;
  const result = await campaignTestsSmall.run({
    recipients: campaignTestsSmall.recipients,
    seed,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), `seed ${seed}\n${lines.join('\n')}`).toEqual([]);
});
