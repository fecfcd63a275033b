import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../kernel/index.ts';
import { createTestProject, createTestServices, type TestServices } from '../testing/index.ts';
import { getWorkflowCounts } from './index.ts';
import { advanceExecution } from './runtime/index.ts';
import { buildContact, buildWorkflow } from './runtime/runtime.fixture.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

it('counts the executions that are at a step, completed it, or failed there', async () => {
  const project = await createTestProject(test.services);
  const { prisma } = test.services.database;
  const workflow = await buildWorkflow(test.services, project.id, {
    pause: { type: 'DELAY', config: { amount: 1, unit: 'days' } },
    mail: { type: 'SEND_EMAIL', config: {} },
  });
  const enter = async () => {
    const contact = await buildContact(test.services, project.id, {});
    const id = newId();
    await prisma.workflowExecution.create({
      data: { id, projectId: project.id, workflowId: workflow.id, contactId: contact.id, wakeSeq: 1 },
    });
    return id;
  };
  const counts = async () => {
    const { steps } = await getWorkflowCounts.run(project.ctx, { id: workflow.id });
    return Object.fromEntries(steps.map(({ stepId, ...count }) => [workflow.nameOf(stepId), count]));
  };
  expect(await counts()).toEqual({});

  const [first = '', second = ''] = [await enter(), await enter()];
  const now = Date.now();
  for (const id of [first, second]) await advanceExecution(test.services, id, async () => now);
  expect(await counts()).toEqual({
    trigger: { standing: 0, passed: 2, failed: 0 },
    pause: { standing: 2, passed: 0, failed: 0 },
  });

  // Without a template, the email fails.
  await advanceExecution(test.services, first, async () => now + 25 * 3_600_000);
  expect(await counts()).toEqual({
    trigger: { standing: 0, passed: 2, failed: 0 },
    pause: { standing: 1, passed: 1, failed: 0 },
    mail: { standing: 0, passed: 0, failed: 1 },
  });
});

it('does not find a workflow of another project', async () => {
  const [own, other] = [await createTestProject(test.services), await createTestProject(test.services)];
  const workflow = await buildWorkflow(test.services, other.id, {});
  await expect(getWorkflowCounts.run(own.ctx, { id: workflow.id })).rejects.toMatchObject({
    code: 'WORKFLOW_NOT_FOUND',
  });
});
