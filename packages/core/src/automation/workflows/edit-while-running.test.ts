import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { waitForLock } from '../../testing/wait-for-lock.ts';
import { deleteWorkflow } from './index.ts';
import {
  advanceExecution,
  type BuiltWorkflow,
  buildContact,
  buildWorkflow,
} from './runtime/runtime.fixture.ts';
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

describe('an edit while executions move', () => {
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

  it('an execution is deleted with its workflow', async () => {
    const workflow = await build();
    await deleteWorkflow.run(project.ctx, { id: workflow.id });
    // Written by a transaction that read the workflow before it was deleted.
    const id = await enter(workflow);
    expect(await turn(id)).toEqual({ kind: 'end' });
    expect(await test.services.database.prisma.workflowExecution.findUnique({ where: { id } })).toBeNull();
  });
});
