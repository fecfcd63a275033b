import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { getWorkflowCounts } from './index.ts';
import { advanceExecution, buildContact, buildWorkflow } from './runtime/runtime.fixture.ts';

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

it('counts the ways that executions took, in all or in a number of days', async () => {
  const project = await createTestProject(test.services);
  const { prisma } = test.services.database;
  const workflow = await buildWorkflow(
    test.services,
    project.id,
    {
      split: { type: 'CONDITION', config: { field: 'data.plan', operator: 'equals', value: 'pro' } },
      yes: { type: 'EXIT' },
      wait: { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 60 } },
    },
    {
      transitions: [
        { from: 'trigger', to: 'split' },
        { from: 'split', to: 'yes', branch: 'yes' },
        { from: 'split', to: 'wait', branch: 'no' },
      ],
    },
  );
  const now = Date.now();
  for (const plan of ['pro', 'free', 'free']) {
    const contact = await buildContact(test.services, project.id, { data: { plan } });
    const id = newId();
    await prisma.workflowExecution.create({
      data: { id, projectId: project.id, workflowId: workflow.id, contactId: contact.id, wakeSeq: 1 },
    });
    await advanceExecution(test.services, id, async () => now);
    await advanceExecution(test.services, id, async () => now + 61_000);
  }
  const ways = async (days?: number) => {
    const counted = await getWorkflowCounts.run(project.ctx, { id: workflow.id, ...(days && { days }) });
    return counted.ways.map(({ stepId, branch, waitOutcome, taken }) => [
      workflow.nameOf(stepId),
      branch ?? waitOutcome,
      taken,
    ]);
  };
  const all = [
    ['split', 'no', 2],
    ['split', 'yes', 1],
    ['wait', 'TIMEOUT', 2],
  ];
  expect((await ways()).sort()).toEqual(all);
  expect((await ways(7)).sort()).toEqual(all);
  await prisma.$executeRaw`
    UPDATE "WorkflowStepExecution" SET "completedAt" = now() - interval '8 days'
    WHERE "projectId" = ${project.id}::uuid AND "stepId" = ${workflow.step('split')}::uuid`;
  expect(await ways(7)).toEqual([['wait', 'TIMEOUT', 2]]);
  expect((await ways(30)).sort()).toEqual(all);
});

it('does not find a workflow of another project', async () => {
  const [own, other] = [await createTestProject(test.services), await createTestProject(test.services)];
  const workflow = await buildWorkflow(test.services, other.id, {});
  await expect(getWorkflowCounts.run(own.ctx, { id: workflow.id })).rejects.toMatchObject({
    code: 'WORKFLOW_NOT_FOUND',
  });
});
