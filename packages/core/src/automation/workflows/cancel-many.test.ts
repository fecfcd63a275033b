import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { cancelAllExecutions } from './cancel-all-executions.ts';
import { cancelBatch, cancelledAtOnce } from './runtime/cancel.store.ts';
import { buildWorkflow } from './runtime/runtime.fixture.ts';
import { takeSet } from './runtime/take-set.ts';

let test: TestServices;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

it('of thousands of executions none takes a step after the reply, and the rows of those beyond the first follow', async () => {
  const { prisma, durable } = test.services.database;
  const project = await createTestProject(test.services);
  const workflow = await buildWorkflow(test.services, project.id, { out: { type: 'EXIT' } });
  const count = cancelledAtOnce + 300;
  await durable.query(
    `WITH person AS (
      INSERT INTO "Contact" ("id", "projectId", "email") SELECT uuid7(), $1::uuid, n || '@many.test' FROM generate_series(1, $3::int) n RETURNING "id")
    INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId") SELECT uuid7(), $1::uuid, $2::uuid, "id" FROM person`,
    [project.id, workflow.id, count],
  );
  expect(await cancelAllExecutions.run(project.ctx, { id: workflow.id })).toEqual({ cancelled: count });
  const active = () =>
    prisma.workflowExecution.count({
      where: { projectId: project.id, status: { in: ['RUNNING', 'WAITING'] } },
    });
  expect(await active()).toBe(300);
  const unit = { projectId: project.id, workflowId: workflow.id };
  expect((await takeSet(test.services, unit, { limit: 100 })).taken).toBe(100);
  expect(await active()).toBe(200);
  expect(await cancelBatch(durable, project.id, workflow.id)).toBe(200);
  expect(await prisma.workflowStepExecution.count({ where: { projectId: project.id } })).toBe(0);
  expect(
    await prisma.workflowExecution.count({
      where: { projectId: project.id, status: 'CANCELLED', exitReason: 'Cancelled by user', dueAt: null },
    }),
  ).toBe(count);
  expect(await prisma.workflow.findUniqueOrThrow({ where: { id: workflow.id } })).toMatchObject({
    cancelling: false,
  });
  expect(await prisma.event.count({ where: { projectId: project.id, name: 'workflow.completed' } })).toBe(
    count,
  );
});
