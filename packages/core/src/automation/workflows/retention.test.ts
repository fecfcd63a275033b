import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { sweepExecutions } from './retention.ts';
import { buildContact, buildWorkflow } from './runtime/runtime.fixture.ts';
import { startExecution } from './start-execution.ts';

let test: TestServices;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const dayMs = 86_400_000;

it('executions are removed 400 days after their end, with their steps; they still count as entries', async () => {
  const { prisma } = test.services.database;
  const project = await createTestProject(test.services);
  const workflow = await buildWorkflow(test.services, project.id, {});
  const now = new Date();
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  const execution = async (status: 'COMPLETED' | 'WAITING', began: number, ended: number | null) => {
    const contact = await buildContact(test.services, project.id);
    const id = newId();
    await prisma.workflowExecution.create({
      data: {
        ...{ id, projectId: project.id, workflowId: workflow.id, contactId: contact.id, status, dueAt: null },
        ...{ createdAt: ago(began), completedAt: ended === null ? null : ago(ended) },
      },
    });
    await prisma.workflowStepExecution.create({
      data: { id: newId(), projectId: project.id, executionId: id, stepId: workflow.step('trigger') },
    });
    return { id, contactId: contact.id };
  };
  const old = [await execution('COMPLETED', 500, 401), await execution('COMPLETED', 402, 401)];
  const kept = [await execution('COMPLETED', 500, 399), await execution('WAITING', 500, null)];
  expect(await sweepExecutions(test.services, now, 1)).toBe(1);
  expect(await sweepExecutions(test.services, now, 10)).toBe(1);
  expect(await sweepExecutions(test.services, now, 10)).toBe(0);
  const left = await prisma.workflowExecution.findMany({ where: { projectId: project.id } });
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set(kept.map(({ id }) => id)));
  expect(await prisma.workflowStepExecution.count({ where: { projectId: project.id } })).toBe(2);
  const again = startExecution.run(project.ctx, { id: workflow.id, contactId: old[0]?.contactId ?? '' });
  await expect(again).rejects.toMatchObject({ code: 'CONFLICT' });
});
