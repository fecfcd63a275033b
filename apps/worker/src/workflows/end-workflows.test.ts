import { endWorkflows } from '@postrider/core/adapters';
import { newId } from '@postrider/core/base/lib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createServerEnvironment, type ServerEnvironment } from '../testing/time-skipping.ts';

let environment: ServerEnvironment;
beforeAll(async () => {
  environment = await createServerEnvironment();
}, 300_000);
afterAll(() => environment.teardown());

it('ends all running workflows of one type, each after the call for it, and no others', async () => {
  const { workflow } = environment.client;
  const namespace = environment.namespace ?? 'default';
  const start = (type: string, workflowId: string) =>
    workflow.start(type, { taskQueue: 'nobody', workflowId, args: [] });
  const ids = Array.from({ length: 3 }, () => `execution/${newId()}`);
  for (const id of ids) await start('runExecution', id);
  const other = await start('driveExecutions', `executions/${newId()}`);
  const seen = new Set<string>();
  let ended = 0;
  const server = { address: environment.address, namespace, apiKey: undefined };
  // Visibility follows the start by some milliseconds.
  await expect
    .poll(
      async () => {
        ended += await endWorkflows(server, 'runExecution', async (id) => void seen.add(id));
        return ended;
      },
      { timeout: 30_000 },
    )
    .toBe(3);
  expect([...seen].sort()).toEqual(ids.toSorted());
  const states = await Promise.all(
    ids.map(async (id) => (await workflow.getHandle(id).describe()).status.name),
  );
  expect(states).toEqual(['TERMINATED', 'TERMINATED', 'TERMINATED']);
  expect((await other.describe()).status.name).toBe('RUNNING');
  await other.terminate();
});
