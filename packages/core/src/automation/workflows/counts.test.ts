import { afterAll, beforeAll, expect, it } from 'vitest';
import { computeWanted } from '../../base/figures/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { foldStepFigures, getWorkflowCounts, listWorkflows, wantedExecutionCounts } from './index.ts';
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

it('a workflow with many executions is listed without counting them, and with what was counted since', async () => {
  const project = await createTestProject(test.services);
  const { durable, prisma } = test.services.database;
  const workflow = await buildWorkflow(test.services, project.id, { out: { type: 'EXIT' } });
  const enter = (from: number, to: number) =>
    durable.query(
      `WITH person AS (
        INSERT INTO "Contact" ("id", "projectId", "email") SELECT uuid7(), $1::uuid, n || '@many.test' FROM generate_series($3::int, $4::int) n RETURNING "id")
      INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId") SELECT uuid7(), $1::uuid, $2::uuid, "id" FROM person`,
      [project.id, workflow.id, from, to],
    );
  const listed = async () => {
    const { data } = await listWorkflows.run(project.ctx, {
      sort: 'name',
      dir: 'asc',
      page: 1,
      pageSize: 20,
    });
    return data[0]?._count;
  };
  const minuteLater = () =>
    prisma.cachedFigure.updateMany({
      where: { projectId: project.id },
      data: { computedAt: new Date(0), estimatedAt: new Date(0) },
    });
  const compute = () => computeWanted(test.services, project.id, [wantedExecutionCounts]);

  await enter(1, 20_000);
  expect(await listed()).toMatchObject({ executions: 20_000, active: 20_000, failed24h: 0 });
  expect(await compute()).toBe(0);
  await enter(20_001, 20_010);
  expect(await listed()).toMatchObject({ executions: 20_010, active: 20_010, failed24h: 0 });
  expect(await compute()).toBe(1);

  await durable.query(
    `UPDATE "WorkflowExecution" SET "status" = 'FAILED', "completedAt" = now(), "dueAt" = NULL WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "WorkflowExecution" WHERE "projectId" = $1 LIMIT 7))`,
    [project.id],
  );
  expect(await listed()).toMatchObject({ executions: 20_010, active: 20_010, failed24h: 7 });
  await minuteLater();
  expect(await listed()).toMatchObject({ executions: 20_010, active: 20_003, failed24h: 7 });

  // Deleted ones stay in figures, and are missing when it is counted next.
  await durable.query(
    `DELETE FROM "WorkflowExecution" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "WorkflowExecution" WHERE "projectId" = $1 AND "status" = 'RUNNING' LIMIT 3))`,
    [project.id],
  );
  await compute();
  expect(await listed()).toMatchObject({ executions: 20_007, active: 20_000 });
  await foldStepFigures(test.services);
  await enter(20_011, 20_011);
  await minuteLater();
  expect(await listed()).toMatchObject({ executions: 20_008, active: 20_001 });
});
