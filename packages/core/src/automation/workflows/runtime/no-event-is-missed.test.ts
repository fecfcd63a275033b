import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainTransaction } from '../../../base/db/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { createTestProject, createTestServices, type TestServices } from '../../../testing/index.ts';
import { waitForLock } from '../../../testing/wait-for-lock.ts';
import { dispatchBatch } from './dispatch-events.ts';
import { findEvents } from './find-events.store.ts';
import { advanceExecution, buildContact, buildWorkflow, storeEvent } from './runtime.fixture.ts';
import { claim, writeSet } from './set.store.ts';
import { takeSet } from './take-set.ts';

let test: TestServices;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;

/** An execution that is about to wait for `paid`, entered by an event. */
async function entered() {
  const project = await createTestProject(test.services);
  const workflow = await buildWorkflow(test.services, project.id, {
    wait: { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid' } },
    out: { type: 'EXIT', config: { reason: 'paid' } },
  });
  const contact = await buildContact(test.services, project.id);
  const of = { projectId: project.id, contactId: contact.id };
  await storeEvent(test.services, { ...of, name: 'signup' });
  await dispatchBatch(test.services, project.id);
  const { id, anchorAt, anchorEventId } = await prisma().workflowExecution.findFirstOrThrow({
    where: { projectId: project.id },
  });
  const unit = { projectId: project.id, workflowId: workflow.id };
  return { id, unit, of, workflow, since: { at: anchorAt, eventId: anchorEventId } };
}

const statusOf = async (id: string) =>
  (await prisma().workflowExecution.findUniqueOrThrow({ where: { id } })).status;

it('an event between the source event and the wait ends it, however early it came', async () => {
  const { id, unit, of } = await entered();
  await storeEvent(test.services, { ...of, name: 'paid' });
  await dispatchBatch(test.services, of.projectId);
  await takeSet(test.services, unit, { limit: 10 });
  expect(await statusOf(id)).toBe('EXITED');
});

it('an event before the source event does not', async () => {
  const { id, unit, of, since } = await entered();
  const createdAt = new Date(since.at.getTime() - 1);
  await prisma().event.create({ data: { id: newId(), ...of, name: 'paid', createdAt } });
  await dispatchBatch(test.services, of.projectId);
  await takeSet(test.services, unit, { limit: 10 });
  expect(await statusOf(id)).toBe('WAITING');
});

it('an event that is stored and dispatched after a set has searched, and before it has parked, ends the wait', async () => {
  const { id, unit, of, workflow, since } = await entered();
  const dispatched: Promise<unknown>[] = [];
  await plainTransaction(test.services.database.durable, async (db) => {
    expect(await claim(db, { ...unit, limit: 10 })).toHaveLength(1);
    const [found] = await findEvents(db, of.projectId, [
      { contactId: of.contactId, names: ['paid'], since, until: null },
    ]);
    expect(found).toBeNull();
    await storeEvent(test.services, { ...of, name: 'paid' });
    dispatched.push(dispatchBatch(test.services, of.projectId));
    await waitForLock(test.services.database);
    const now = new Date();
    const wait = workflow.step('wait');
    await writeSet(db, {
      ...{ projectId: of.projectId, now, requests: [] },
      records: [
        {
          ...{ id: newId(), executionId: id, stepId: wait, status: 'WAITING', scheduledFor: null },
          ...{ output: null, error: null, eventId: null, version: null },
        },
      ],
      progress: [
        {
          ...{ id, status: 'WAITING', currentStepId: wait, dueAt: null, exitReason: null, context: {} },
          ...{ anchorAt: since.at, anchorEventId: since.eventId },
        },
      ],
    });
  });
  await Promise.all(dispatched);
  expect(await advanceExecution(test.services, id)).toEqual({ kind: 'end' });
  expect(await statusOf(id)).toBe('EXITED');
});
