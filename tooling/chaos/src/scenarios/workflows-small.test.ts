import { expect, it } from 'vitest';
import { problemsOf } from './scenario.ts';
import { workflowsSmall } from './workflows.ts';

const lines: string[] = [];

it('each step of a hundred executions runs once while the worker is killed, Temporal is restarted and its store is wiped', async () => {
  const seed = Date.now() % 1_000_000;
  const result = await workflowsSmall.run({
    recipients: workflowsSmall.recipients,
    seed,
    log: (line) => lines.push(line),
  });
  expect(problemsOf(result), `seed ${seed}\n${lines.join('\n')}`).toEqual([]);
});
