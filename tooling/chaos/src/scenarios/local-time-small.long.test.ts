import { expect, it } from 'vitest';
import { localTimeSmall } from './local-time.ts';
import { problemsOf } from './scenario.ts';

const lines: string[] = [];

it('a campaign by the clocks of its contacts sends each email at its time while processes and Temporal are down', async () => {
  const seed = Date.now() % 1_000_000;
  const result = await localTimeSmall.run({
    recipients: localTimeSmall.recipients,
    seed,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), `seed ${seed}\n${lines.join('\n')}`).toEqual([]);
});
