import { expect, it } from 'vitest';
import { pausesSmall } from './pauses.ts';
import { problemsOf } from './scenario.ts';

const lines: string[] = [];

it('a campaign that is paused while its processes are killed begins nothing until it is resumed, and reaches each contact once', async () => {
  const seed = Date.now() % 1_000_000;
  const result = await pausesSmall.run({
    recipients: pausesSmall.recipients,
    seed,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), `seed ${seed}\n${lines.join('\n')}`).toEqual([]);
});
