import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { platformMailTo } from '../../../testing/mail.ts';
import {
  type BuiltWorkflow,
  buildContact,
  buildTemplate,
  buildWorkflow,
} from '../runtime/runtime.fixture.ts';
import { takeSet } from '../runtime/take-set.ts';
import { startExecution } from '../start-execution.ts';
import { updateWorkflow } from '../update-workflow.ts';
import { watchFailures } from './watch-failures.ts';

let test: TestServices;
let project: TestProject;
let leader: string;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  const owner = await project.userCtx('OWNER');
  if (owner.actor.type !== 'user') throw new Error('the owner is a user');
  const user = await prisma().user.findUniqueOrThrow({ where: { id: owner.actor.userId } });
  leader = user.email;
});

const prisma = () => test.services.database.prisma;
const watch = () => watchFailures(test.services, performance.now() + 30_000);
const mails = async () => (await platformMailTo(test.services, leader)).map(({ subject }) => subject);
const workflowOf = ({ id }: BuiltWorkflow) => prisma().workflow.findUniqueOrThrow({ where: { id } });

/** People who are at an end of their way, some of whom fail at the step `mail`. */
async function built({ failing, passing = 0 }: { failing: number; passing?: number }) {
  // Its sender domain is not verified.
  const templateId = await buildTemplate(test.services, project.id);
  const workflow = await buildWorkflow(test.services, project.id, {
    mail: { type: 'SEND_EMAIL', templateId },
    out: { type: 'EXIT' },
  });
  await prisma().workflowStep.update({
    where: { id: workflow.step('mail') },
    data: { key: 'mail', name: 'Hello' },
  });
  await begin(workflow, failing);
  await takeAll(workflow);
  if (passing > 0) await passed(workflow, passing);
  return workflow;
}

async function begin(workflow: BuiltWorkflow, count: number) {
  for (let n = 0; n < count; n += 1) {
    const { id } = await buildContact(test.services, project.id);
    await startExecution.run(project.ctx, { id: workflow.id, contactId: id });
  }
}

const takeAll = async (workflow: BuiltWorkflow) => {
  const unit = { projectId: project.id, workflowId: workflow.id };
  while ((await takeSet(test.services, unit, { limit: 500 })).taken > 0);
};

/** As if the step were another for a while, at which all go on. */
async function passed(workflow: BuiltWorkflow, count: number) {
  const where = { id: workflow.step('mail') };
  await prisma().workflowStep.update({ where, data: { type: 'EXIT' } });
  await begin(workflow, count);
  await takeAll(workflow);
  await prisma().workflowStep.update({ where, data: { type: 'SEND_EMAIL' } });
}

/** Everything that has happened was two hours ago. */
async function hoursPass() {
  const { durable } = test.services.database;
  for (const table of ['"WorkflowExecution"', '"WorkflowStepExecution"'])
    await durable.query(
      `UPDATE ${table} SET "completedAt" = "completedAt" - interval '2 hours' WHERE "projectId" = $1`,
      [project.id],
    );
}

describe('the error budget', () => {
  it('is not used up by 49 failures, and by 50 it is: entries end, and everybody concerned is told', async () => {
    const workflow = await built({ failing: 49 });
    await watch();
    expect(await workflowOf(workflow)).toMatchObject({ enabled: true, disabledReason: null });
    await begin(workflow, 1);
    await takeAll(workflow);
    await prisma().workflow.update({ where: { id: workflow.id }, data: { errorBudget: false } });
    await watch();
    expect((await workflowOf(workflow)).enabled).toBe(true);
    await prisma().workflow.update({ where: { id: workflow.id }, data: { errorBudget: true } });
    await Promise.all([watch(), watch(), watch()]);
    expect(await workflowOf(workflow)).toMatchObject({ enabled: false, disabledReason: 'errors' });
    const told = await prisma().event.findMany({
      where: { projectId: project.id, name: 'workflow.disabled' },
    });
    expect(told.map(({ data }) => data)).toEqual([
      {
        ...{ workflowId: workflow.id, workflowName: 'Test', reason: 'errors' },
        ...{ stepKey: 'mail', failed: 50, visits: 50 },
      },
    ]);
    expect((await mails()).sort()).toEqual(['Executions of “Test” fail', '“Test” was disabled']);
    const audit = await prisma().auditLog.findMany({ where: { targetId: workflow.id } });
    expect(
      audit.map(({ operation, actorType, changed }) => ({ operation, actorType, changed })),
    ).toContainEqual({
      ...{ operation: 'workflows.disableByErrors', actorType: 'system', changed: ['enabled'] },
    });
    expect(await prisma().eventInterest.count({ where: { sourceId: workflow.id } })).toBe(0);

    const shown = await updateWorkflow.run(project.ctx, { id: workflow.id, enabled: true });
    expect(shown).toMatchObject({ enabled: true, disabledReason: null });
    await watch();
    expect((await workflowOf(workflow)).enabled).toBe(true);
  });

  it('is not used up where fewer than half of the visits failed', async () => {
    const workflow = await built({ failing: 40, passing: 41 });
    await watch();
    expect((await workflowOf(workflow)).enabled).toBe(true);
    await begin(workflow, 1);
    await takeAll(workflow);
    await watch();
    expect((await workflowOf(workflow)).enabled).toBe(false);
  });

  it('of a week is used up by 20 failures and hardly anything else', async () => {
    const few = await built({ failing: 20 });
    const mixed = await built({ failing: 20, passing: 2 });
    await watch();
    expect([(await workflowOf(few)).enabled, (await workflowOf(mixed)).enabled]).toEqual([true, true]);
    await hoursPass();
    await watch();
    expect([(await workflowOf(few)).enabled, (await workflowOf(mixed)).enabled]).toEqual([false, true]);
  });
});

describe('the notice of failures', () => {
  it('comes with the first, names steps and reasons, and comes once a day at most while executions fail', async () => {
    const workflow = await built({ failing: 3 });
    await Promise.all([watch(), watch()]);
    const sent = await platformMailTo(test.services, leader);
    expect(sent.map(({ subject }) => subject)).toEqual(['Executions of “Test” fail']);
    expect(sent[0]?.body).toContain('3 executions of the workflow “Test”');
    expect(sent[0]?.body).toContain('3 × “Hello”: ');
    expect(sent[0]?.body).toContain(`/workflows/${workflow.id}/executions?status=FAILED`);
    await begin(workflow, 2);
    await takeAll(workflow);
    await watch();
    expect(await mails()).toHaveLength(1);
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    await prisma().workflow.update({ where: { id: workflow.id }, data: { failuresToldAt: hoursAgo(25) } });
    await watch();
    expect(await mails()).toHaveLength(2);
    // A day later, nothing has failed since.
    await prisma().workflow.update({ where: { id: workflow.id }, data: { failuresToldAt: hoursAgo(24) } });
    await prisma().workflowExecution.updateMany({
      where: { workflowId: workflow.id },
      data: { completedAt: hoursAgo(26) },
    });
    await watch();
    expect(await mails()).toHaveLength(2);
  });
});
