import { expect, it } from 'vitest';
import { runSoak } from './run-soak.ts';

const lines: string[] = [];

it('under all kinds of requests, a campaign, an import and a kill, every email is accounted for and no level is exceeded', async () => {
  const seed = Date.now() % 1_000_000;
  const { problems, notes } = await runSoak({
    ...{ seconds: 40, seed, rate: 10 },
    log: (line) => lines.push(line),
  });
  expect(problems, `seed ${seed}\n${[...lines, ...notes].join('\n')}`).toEqual([]);
});
