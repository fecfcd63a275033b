import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { waitForLock } from '../../testing/wait-for-lock.ts';
import { deleteStep, deleteWorkflow } from './index.ts';
import { advanceExecution } from './runtime/advance-execution.ts';
import { lockExecution, writeProgress } from './runtime/execution.store.ts';
import { type BuiltWorkflow, buildContact, buildWorkflow } from './runtime/runtime.fixture.ts';
import { lockWorkflow } from './workflows.store.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const day = 86_400_000;
const rowOf = (id: string) =>
  test.services.database.prisma.workflowExecution.findUniqueOrThrow({ where: { id } });
const turn = (id: string, now = Date.now()) => advanceExecution(test.services, id, async () => now);

const build = () =>
  buildWorkflow(test.services, project.id, {
    tag: { type: 'UPDATE_CONTACT', config: { data: { seen: true } } },
    rest: { type: 'DELAY', config: { amount: 1, unit: 'days' } },
    out: { type: 'EXIT' },
  });

async function enter(workflow: BuiltWorkflow): Promise<string> {
  const contact = await buildContact(test.services, project.id);
  const id = newId();
  await test.services.database.prisma.workflowExecution.create({
    data: { id, projectId: project.id, workflowId: workflow.id, contactId: contact.id, wakeSeq: 1 },
  });
  return id;
}

/** Deletes a step. @returns whether that was refused because an execution is there */
async function remove(workflow: BuiltWorkflow, stepName: string, splice: boolean): Promise<'done' | 409> {
  try {
    await deleteStep.run(project.ctx, { id: workflow.id, stepId: workflow.step(stepName), splice });
    return 'done';
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return 409;
    throw error;
  }
}

describe('an edit while executions move', () => {
  it('waits for a concurrent move, and is refused because of the step it led to', async () => {
    const { database } = test.services;
    const workflow = await build();
    const id = await enter(workflow);
    const removing: Promise<'done' | 409>[] = [];
    await database.prisma.$transaction(async (db) => {
      const execution = await lockExecution(db, { id, workflowId: workflow.id });
      if (!execution) throw new Error('no execution');
      removing.push(remove(workflow, 'rest', false));
      await waitForLock(database);
      await writeProgress(db, execution, [], {
        status: 'RUNNING',
        currentStepId: workflow.step('rest'),
        resumeAt: null,
        exitReason: null,
        context: {},
        seen: false,
      });
    });
    expect(await Promise.all(removing)).toEqual([409]);
    expect(await rowOf(id)).toMatchObject({ status: 'RUNNING', currentStepId: workflow.step('rest') });
  });

  it('blocks a move, which then uses the edited graph', async () => {
    const { database } = test.services;
    const workflow = await build();
    const id = await enter(workflow);
    const turns: Promise<unknown>[] = [];
    await database.prisma.$transaction(async (db) => {
      await lockWorkflow(db, project.id, workflow.id);
      turns.push(turn(id));
      await waitForLock(database);
      await db.workflowTransition.deleteMany({ where: { fromStepId: workflow.step('trigger') } });
    });
    expect(await Promise.all(turns)).toEqual([{ kind: 'end' }]);
    expect(await rowOf(id)).toMatchObject({ status: 'COMPLETED', currentStepId: null });
  });

  it('strands no execution, in either order', async () => {
    for (let round = 0; round < 30; round += 1) {
      const workflow = await build();
      const ids = await Promise.all(Array.from({ length: 6 }, () => enter(workflow)));
      const late = new Promise((resolve) => setTimeout(resolve, round));
      await Promise.all([
        late.then(() => remove(workflow, 'rest', round % 2 === 0)),
        ...ids.map((id) => turn(id)),
      ]);
      const steps = await test.services.database.prisma.workflowStep.findMany({
        where: { workflowId: workflow.id },
        select: { id: true },
      });
      const there = new Set(steps.map((step) => step.id));
      for (const id of ids) {
        const { currentStepId } = await rowOf(id);
        if (currentStepId !== null) expect(there).toContain(currentStepId);
        expect(await turn(id, Date.now() + 2 * day)).toEqual({ kind: 'end' });
        expect((await rowOf(id)).status).toMatch(/^(EXITED|COMPLETED)$/);
      }
    }
  });

  it('an execution is deleted with its workflow', async () => {
    const workflow = await build();
    await deleteWorkflow.run(project.ctx, { id: workflow.id });
    // Written by a transaction that read the workflow before it was deleted.
    const id = await enter(workflow);
    expect(await turn(id)).toEqual({ kind: 'end' });
    expect(await test.services.database.prisma.workflowExecution.findUnique({ where: { id } })).toBeNull();
  });
});
