import { expect, it } from 'vitest';
import { batchSmall } from './batch.ts';
import { problemsOf } from './scenario.ts';

const lines: string[] = [];

it('every batch is whole and every email sent once while the service is killed and keys are repeated', async () => {
  const seed = Date.now() % 1_000_000;
  const result = await batchSmall.run({
    recipients: batchSmall.recipients,
    seed,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), `seed ${seed}\n${lines.join('\n')}`).toEqual([]);
});
