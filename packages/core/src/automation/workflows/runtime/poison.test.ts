import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../../testing/index.ts';
import { countTurns } from './lost-turns.store.ts';
import { takeCarefully, takeLost } from './lost-turns.ts';
import { runSet } from './run-set.ts';
import { type BuiltWorkflow, buildTemplate, buildWorkflow } from './runtime.fixture.ts';
import { takeSet } from './take-set.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  // A value that the database refuses, for which no step has a rule of its own.
  await test.services.database.durable.query(`
    CREATE FUNCTION refuse_bad() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW."to" LIKE 'bad%' THEN RAISE EXCEPTION 'a value' USING ERRCODE = '22000'; END IF; RETURN NEW; END $$;
    CREATE TRIGGER "bad" BEFORE INSERT ON "Email" FOR EACH ROW EXECUTE FUNCTION refuse_bad()`);
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const prisma = () => test.services.database.prisma;

/** Executions of contacts with these addresses, all due. */
async function enter(workflow: BuiltWorkflow, emails: readonly string[]): Promise<void> {
  const contacts = emails.map((email) => ({ id: newId(), projectId: project.id, email }));
  await prisma().contact.createMany({ data: contacts });
  await prisma().workflowExecution.createMany({
    data: contacts.map((contact) => ({
      ...{ id: newId(), projectId: project.id, workflowId: workflow.id, contactId: contact.id },
      dueAt: new Date(Date.now() - 1_000),
    })),
  });
}

const unitOf = ({ id }: BuiltWorkflow) => ({ projectId: project.id, workflowId: id });
const people = (count: number, name = 'p') =>
  Array.from({ length: count }, (_, n) => `${name}${n}@people.test`);
const statuses = async () =>
  Object.fromEntries(
    (
      await prisma().workflowExecution.groupBy({
        by: ['status'],
        where: { projectId: project.id },
        _count: true,
      })
    ).map(({ status, _count }) => [status, _count]),
  );

it('of 200 executions that 3 make fail, these fail at their step with the reason, and all others go on', async () => {
  await verifiedDomain(test.services, project.id, 'mail.test');
  const templateId = await buildTemplate(test.services, project.id);
  const workflow = await buildWorkflow(test.services, project.id, {
    tag: { type: 'UPDATE_CONTACT', config: { data: { seen: true } } },
    mail: { type: 'SEND_EMAIL', templateId },
    out: { type: 'EXIT' },
  });
  await enter(workflow, [...people(197), ...people(3, 'bad')]);
  const set = await takeSet(test.services, unitOf(workflow), { limit: 500 });
  expect(set.failures).toBeGreaterThan(3);
  expect(await statuses()).toEqual({ EXITED: 197, FAILED: 3 });
  const failed = await prisma().workflowExecution.findMany({
    where: { projectId: project.id, status: 'FAILED' },
  });
  for (const { id, exitReason, currentStepId, dueAt } of failed) {
    expect([exitReason, currentStepId, dueAt]).toEqual([
      'A value of this step cannot be stored',
      workflow.step('mail'),
      null,
    ]);
    // The step before has been taken.
    const steps = await prisma().workflowStepExecution.findMany({ where: { executionId: id } });
    expect(Object.fromEntries(steps.map(({ stepId, status }) => [workflow.nameOf(stepId), status]))).toEqual({
      trigger: 'COMPLETED',
      tag: 'COMPLETED',
      mail: 'FAILED',
    });
  }
  expect(
    await prisma().contact.count({
      where: { projectId: project.id, data: { path: ['seen'], equals: true } },
    }),
  ).toBe(200);
  expect(await prisma().email.count({ where: { projectId: project.id } })).toBe(197);
  const batches = await prisma().deliveryBatch.findMany({ where: { projectId: project.id } });
  expect(batches.flatMap(({ emailIds }) => emailIds)).toHaveLength(197);
  expect(await prisma().workflowEntry.count({ where: { projectId: project.id, active: true } })).toBe(0);
});

it('an error of the server fails nothing: the set is as if it had not been', async () => {
  const workflow = await buildWorkflow(test.services, project.id, { out: { type: 'EXIT' } });
  await enter(workflow, people(3));
  const { database } = test.services;
  const broken = {
    ...test.services,
    database: {
      ...database,
      asyncCommit: Object.assign(Object.create(database.asyncCommit), {
        connect: () => Promise.reject(Object.assign(new Error('starting up'), { code: '57P03' })),
      }),
    },
  };
  await expect(takeSet(broken, unitOf(workflow), { limit: 10 })).rejects.toThrow('starting up');
  expect(await statuses()).toEqual({ RUNNING: 3 });
});

it('the execution that ends its process is found by halving over the restarts, and fails alone', async () => {
  const workflow = await buildWorkflow(test.services, project.id, { out: { type: 'EXIT' } });
  await enter(workflow, people(300));
  const unit = unitOf(workflow);
  const [poison] = await prisma().workflowExecution.findMany({
    where: { projectId: project.id },
    skip: 40,
    take: 1,
  });
  const poisonId = poison?.id ?? '';
  const { durable } = test.services.database;
  /** What a process does until it is lost, or nothing is left. @returns whether it was lost */
  const live = async (): Promise<boolean> => {
    for (;;) {
      for (const [lost, limit] of [64, 64, 16, 4, 1].entries()) {
        const ids = await countTurns(durable, { ...unit, lost, limit });
        if (ids.includes(poisonId)) return true;
        if (ids.length === 0) continue;
        await runSet(test.services, unit, { limit: ids.length, ids });
        break;
      }
      const due = await prisma().workflowExecution.count({
        where: { projectId: project.id, dueAt: { not: null }, lostTurns: { lt: 5 } },
      });
      if (due === 0) return false;
    }
  };
  let losses = 0;
  while (await live()) losses += 1;
  expect(losses).toBe(5);
  expect(await statuses()).toEqual({ EXITED: 299, RUNNING: 1 });
  expect((await takeCarefully(test.services, unit)).taken).toBe(0);
  expect((await takeLost(test.services, unit)).taken).toBe(1);
  const row = await prisma().workflowExecution.findUniqueOrThrow({ where: { id: poisonId } });
  expect(row).toMatchObject({
    status: 'FAILED',
    exitReason: 'The worker was lost at least 5 times in a row while it ran this step',
    currentStepId: workflow.step('trigger'),
    lostTurns: 0,
  });
});

it('sets of several processes at once take each execution once', async () => {
  await verifiedDomain(test.services, project.id, 'mail.test');
  const templateId = await buildTemplate(test.services, project.id);
  const workflow = await buildWorkflow(test.services, project.id, {
    mail: { type: 'SEND_EMAIL', templateId },
    again: { type: 'SEND_EMAIL', templateId },
    out: { type: 'EXIT' },
  });
  await enter(workflow, people(120));
  const process = async (): Promise<void> => {
    while (
      (await prisma().workflowExecution.count({ where: { projectId: project.id, dueAt: { not: null } } })) > 0
    )
      await takeSet(test.services, unitOf(workflow), { limit: 13 });
  };
  await Promise.all([process(), process(), process(), process()]);
  expect(await statuses()).toEqual({ EXITED: 120 });
  expect(await prisma().email.count({ where: { projectId: project.id } })).toBe(240);
  const events = await prisma().event.count({ where: { projectId: project.id, name: 'workflow.completed' } });
  expect(events).toBe(120);
});
