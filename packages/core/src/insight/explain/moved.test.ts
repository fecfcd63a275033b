import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addStep,
  createWorkflow,
  deleteStep,
  moveExecutionsBatch,
  publishWorkflow,
  startExecution,
  updateStep,
  updateWorkflow,
} from '../../automation/workflows/index.ts';
import { advanceExecution, buildContact } from '../../automation/workflows/runtime/runtime.fixture.ts';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { explain } from './index.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

it('an execution is explained by the version that it runs, and each move is a link of the chain', async () => {
  const project = await createTestProject(test.services);
  const { ctx } = project;
  const { id } = await createWorkflow.run(ctx, { name: 'W', eventName: 'signup' });
  const position = { x: 0, y: 0 };
  const config = { amount: 1, unit: 'hours' };
  const pause = await addStep.run(ctx, { id, type: 'DELAY', name: 'Pause', position, config });
  await updateWorkflow.run(ctx, { id, enabled: true });
  const contact = await buildContact(test.services, project.id);
  const execution = await startExecution.run(ctx, { id, contactId: contact.id });
  await advanceExecution(test.services, execution.id);
  const ask = async () => {
    const { cause, headline, chain } = await explain.run(ctx, { workflow: id, contact: contact.id });
    return { cause, headline, moves: chain.filter(({ check }) => check === 'moved_version') };
  };
  // New people alone run it.
  await updateStep.run(ctx, { id, stepId: pause.id, name: 'Rest' });
  expect(await ask()).toMatchObject({
    cause: 'waiting',
    headline: expect.stringContaining('“Pause”'),
    moves: [],
  });
  await publishWorkflow.run(ctx, { id, version: 2, move: 'ALL' });
  expect(await ask()).toMatchObject({
    ...{ cause: 'waiting', headline: expect.stringContaining('“Rest”') },
    moves: [{ outcome: 'information', facts: { version: 3 } }],
  });
  await deleteStep.run(ctx, { id, stepId: pause.id, splice: true, publish: false });
  const { jobId } = await publishWorkflow.run(ctx, { id, move: 'ALL', removed: { pause: 'EXIT' } });
  while (jobId !== null && (await moveExecutionsBatch(test.services, jobId)));
  expect(await ask()).toMatchObject({
    cause: 'moved_version',
    moves: [{ facts: { version: 3 } }, { facts: { version: 4 } }],
  });
});
