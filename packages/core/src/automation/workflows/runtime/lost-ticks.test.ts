import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import { createTestProject, createTestServices, type TestServices } from '../../../testing/index.ts';
import { getExecution } from '../get-execution.ts';
import { takeGuardedTick } from './lost-ticks.ts';
import { buildContact, buildWorkflow } from './runtime.fixture.ts';
import type { TickResult } from './tick-result.ts';

let test: TestServices;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;

async function execution() {
  const project = await createTestProject(test.services);
  const workflow = await buildWorkflow(test.services, project.id, {
    wait: { type: 'DELAY', config: { amount: 1, unit: 'days' } },
  });
  const contact = await buildContact(test.services, project.id);
  const row = await prisma().workflowExecution.create({
    data: {
      id: newId(),
      projectId: project.id,
      workflowId: workflow.id,
      contactId: contact.id,
      currentStepId: workflow.step('wait'),
    },
  });
  const stored = () => prisma().workflowExecution.findUniqueOrThrow({ where: { id: row.id } });
  return { id: row.id, workflowId: workflow.id, ctx: project.ctx, stored };
}

const take = (id: string, attempt: number, tick: () => Promise<TickResult>) =>
  takeGuardedTick(test.services, id, attempt, tick);

/** Runs a tick whose worker is lost: it never comes back. */
async function lose(id: string, attempt: number): Promise<void> {
  await new Promise<void>((resolve) => {
    void take(id, attempt, () => {
      resolve();
      return new Promise(() => undefined);
    });
  });
}

it('an execution whose ticks keep taking their worker down ends as FAILED with the reason, and runs no more', async () => {
  const { id, workflowId, ctx, stored } = await execution();
  for (let attempt = 1; attempt <= 6; attempt += 1) await lose(id, attempt);
  expect((await stored()).status).toBe('RUNNING');
  let runs = 0;
  const result = await take(id, 7, async () => {
    runs += 1;
    return { kind: 'end' };
  });
  expect([result, runs]).toEqual([{ kind: 'end' }, 0]);
  const error = expect.stringContaining('The worker was lost at least 5 times');
  expect(await stored()).toMatchObject({
    status: 'FAILED',
    exitReason: error,
    completedAt: expect.any(Date),
  });
  const { stepExecutions } = await getExecution.run(ctx, { id: workflowId, executionId: id });
  expect(stepExecutions).toMatchObject([{ status: 'FAILED', error }]);
});

it('ticks that fail with an error do not count, and a tick that completes forgets the lost ones', async () => {
  const { id, stored } = await execution();
  for (let attempt = 2; attempt < 20; attempt += 1) {
    await expect(
      take(id, attempt, () => Promise.reject(new Error('the database is away'))),
    ).rejects.toThrow();
  }
  for (let attempt = 20; attempt < 24; attempt += 1) await lose(id, attempt);
  expect((await stored()).lostTicks).toBe(4);
  expect(await take(id, 24, async () => ({ kind: 'again' }))).toEqual({ kind: 'again' });
  expect(await stored()).toMatchObject({ lostTicks: 0, status: 'RUNNING' });
});
