import { expect, it } from 'vitest';
import { problemsOf } from './scenario.ts';
import { sequelsSmall } from './sequels.ts';

const lines: string[] = [];

it('sequels that are sent at once while processes are killed mail each contact once a round', async () => {
  const seed = Date.now() % 1_000_000;
  const result = await sequelsSmall.run({
    recipients: sequelsSmall.recipients,
    seed,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), `seed ${seed}\n${lines.join('\n')}`).toEqual([]);
});
