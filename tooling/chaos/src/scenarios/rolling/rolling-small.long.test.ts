import { expect, it } from 'vitest';
import { problemsOf } from '../scenario.ts';
import { rollingSmall } from './rolling.ts';

const lines: string[] = [];

it('no request fails, and no email is lost or sent twice, while api and workers are replaced one after another', async () => {
  const seed = Date.now() % 1_000_000;
  const result = await rollingSmall.run({
    recipients: rollingSmall.recipients,
    seed,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), `seed ${seed}\n${lines.join('\n')}`).toEqual([]);
});
