import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGoal } from '../../automation/goals/index.ts';
import { removedBehind } from '../../automation/workflows/bulk/removed-behind.fixture.ts';
import {
  addStep,
  addTransition,
  cancelExecution,
  createWorkflow,
  deleteStep,
  deleteWorkflow,
  moveExecutionsBatch,
  publishWorkflow,
  startExecution,
  updateWorkflow,
} from '../../automation/workflows/index.ts';
import {
  advanceExecution,
  buildContact,
  buildTemplate,
  buildWorkflow,
} from '../../automation/workflows/runtime/runtime.fixture.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { foldFigures, getWorkflowFigures } from './index.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const prisma = () => test.services.database.prisma;
const position = { x: 0, y: 0 };
const figuresOf = (id: string, given: object = {}) =>
  getWorkflowFigures.runRaw(project.ctx, { id, ...given }) as ReturnType<typeof getWorkflowFigures.run>;
const turn = (id: string, now = Date.now()) => advanceExecution(test.services, id, async () => now);

async function enter(id: string, data: object = {}): Promise<string> {
  const contact = await buildContact(test.services, project.id, { data });
  return (await startExecution.run(project.ctx, { id, contactId: contact.id })).id;
}

/** Splits by plan: `pro` gets an email at once, the others wait a day and leave. */
async function build() {
  await verifiedDomain(test.services, project.id, 'mail.test');
  const templateId = await buildTemplate(test.services, project.id);
  const { id } = await createWorkflow.run(project.ctx, {
    name: 'W',
    eventName: 'signup',
    allowReentry: true,
  });
  const add = (name: string, type: string, config: object, rest: object = {}) =>
    addStep.runRaw(project.ctx, { id, name, type, config, position, ...rest }) as Promise<{ id: string }>;
  const split = await add('Plan', 'CONDITION', { field: 'data.plan', operator: 'equals', value: 'pro' });
  const mail = await add('Hello', 'SEND_EMAIL', {}, { templateId, autoConnect: false });
  const pause = await add('Pause', 'DELAY', { amount: 1, unit: 'days' }, { autoConnect: false });
  const end = await add('End', 'EXIT', { reason: 'free' }, { autoConnect: false });
  const connect = (fromStepId: string, toStepId: string, branch?: string) =>
    addTransition.run(project.ctx, { id, fromStepId, toStepId, ...(branch && { branch }) });
  await connect(split.id, mail.id, 'yes');
  await connect(split.id, pause.id, 'no');
  await connect(pause.id, end.id);
  await updateWorkflow.run(project.ctx, { id, enabled: true });
  return { id, pause: pause.id };
}

describe('workflows.getFigures', () => {
  it('says at each branch who reached the first goal, and what a holdout changes', async () => {
    const goal = await createGoal.runRaw(project.ctx, {
      ...{ name: 'Purchase', eventName: 'paid' },
      value: { property: 'amount', currency: 'EUR' },
    });
    const { id } = await build();
    await updateWorkflow.runRaw(project.ctx, { id, goals: [{ goalId: goal.id }], publish: true });
    const executions = [await enter(id, { plan: 'pro' }), await enter(id), await enter(id)];
    for (const each of executions) await turn(each);
    const converts = (executionId: string | undefined, value: number) =>
      prisma().executionConversion.create({
        data: {
          ...{ goalId: goal.id, executionId: executionId ?? '', projectId: project.id, workflowId: id },
          ...{ eventId: newId(), at: new Date(), value },
        },
      });
    await converts(executions[0], 30);
    await converts(executions[1], 12.5);
    const { goals, steps } = await figuresOf(id);
    expect(goals).toEqual([{ goalId: goal.id, name: 'Purchase', converted: 2, rate: 66.67, value: 42.5 }]);
    expect(steps.find(({ stepKey }) => stepKey === 'plan')?.branches).toEqual([
      { branch: 'no', taken: 2, share: 66.67, converted: 1, value: 12.5 },
      { branch: 'yes', taken: 1, share: 33.33, converted: 1, value: 30 },
    ]);
  });

  it('counts executions as a whole, at each step and by branch, before and after they are added up', async () => {
    const { id } = await build();
    const pro = await enter(id, { plan: 'pro' });
    const free = [await enter(id), await enter(id), await enter(id)];
    for (const each of [pro, ...free]) await turn(each);
    await turn(free[0] ?? '', Date.now() + 25 * 3_600_000);
    await cancelExecution.run(project.ctx, { id, executionId: free[1] ?? '' });
    const none = {
      ...{ sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0, unsubscribed: 0 },
      ...{ accepted: 0, refused: 0, deliveryReported: false },
    };
    const rates = {
      ...{ openRate: 0, clickRate: 0, clickToOpenRate: 0, bounceRate: 0, acceptRate: 0 },
      ...{ deliveryRate: 0, complaintRate: 0, unsubscribeRate: 0 },
    };
    const to = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const expected = {
      entered: 4,
      blocked: { filter: 0, active: 0, again: 0, limit: 0, every: 0 },
      active: 1,
      ended: { completed: 1, exited: 1, failed: 0, cancelled: 1 },
      exits: [{ name: 'free', count: 1 }],
      steps: [
        step('trigger', 'TRIGGER', { entered: 4, left: 4, medianSeconds: 0 }),
        step('plan', 'CONDITION', {
          ...{ entered: 4, left: 4, medianSeconds: 0 },
          branches: [
            { branch: 'no', taken: 3, share: 75, converted: 0, value: 0 },
            { branch: 'yes', taken: 1, share: 25, converted: 0, value: 0 },
          ],
        }),
        step('hello', 'SEND_EMAIL', {
          ...{ entered: 1, left: 1, medianSeconds: 0 },
          email: { ...none, ...rates },
        }),
        step('pause', 'DELAY', { entered: 3, left: 1, here: 1, medianSeconds: 25 * 3_600 }),
        step('end', 'EXIT', { entered: 1, left: 1, medianSeconds: 0 }),
      ],
      goals: [],
      days: expect.any(Array),
    };
    const inOrder = (figures: Awaited<ReturnType<typeof figuresOf>>) => ({
      ...figures,
      steps: figures.steps.toSorted((a, b) => order.indexOf(a.stepKey) - order.indexOf(b.stepKey)),
    });
    const order = ['trigger', 'plan', 'hello', 'pause', 'end'];
    const before = await figuresOf(id, { to });
    expect(inOrder(before)).toEqual(expected);
    const sum = (column: 'entered' | 'ended' | 'failed') =>
      before.days.reduce((total, day) => total + day[column], 0);
    expect([sum('entered'), sum('ended'), sum('failed'), before.days.length]).toEqual([4, 3, 0, 31]);
    await foldFigures(test.services);
    expect(await prisma().stepFigureEntry.count({ where: { projectId: project.id } })).toBe(0);
    expect(await figuresOf(id, { to })).toEqual(before);
  });

  it('of a version are those of its executions, and what it decided', async () => {
    const { id, pause } = await build();
    const first = await enter(id);
    await turn(first);
    await deleteStep.run(project.ctx, { id, stepId: pause, splice: true, publish: false });
    const { jobId } = await publishWorkflow.run(project.ctx, { id, move: 'ALL', removed: { pause: 'end' } });
    while (jobId !== null && (await moveExecutionsBatch(test.services, jobId)));
    await turn(await enter(id));
    await turn(first);
    const at = (figures: Awaited<ReturnType<typeof figuresOf>>) =>
      Object.fromEntries(figures.steps.map(({ stepKey, entered, left }) => [stepKey, [entered, left]]));
    const one = await figuresOf(id, { version: 1 });
    expect([one.entered, one.ended.exited]).toEqual([1, 1]);
    expect(at(one)).toMatchObject({ plan: [1, 1], pause: [1, 0], end: [0, 0] });
    const two = await figuresOf(id, { version: '2' });
    expect([two.entered, two.ended.exited]).toEqual([1, 1]);
    expect(at(two)).toEqual({ trigger: [1, 1], plan: [1, 1], hello: [0, 0], end: [2, 2] });
    // The step that the live definition does not have follows the others.
    const all = await figuresOf(id);
    expect(all.steps.at(-1)).toMatchObject({
      stepKey: 'pause',
      name: 'Pause',
      type: 'DELAY',
      entered: 1,
      left: 0,
    });
    await expect(figuresOf(id, { version: 9 })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  it('counts the emails of a version, before and after they are added up', async () => {
    const { id, pause } = await build();
    const executions = [await enter(id, { plan: 'pro' })];
    await turn(executions[0] ?? '');
    await deleteStep.run(project.ctx, { id, stepId: pause, splice: true });
    for (let n = 0; n < 2; n += 1) {
      const execution = await enter(id, { plan: 'pro' });
      await turn(execution);
      executions.push(execution);
    }
    const [first, second] = executions;
    const sent = (workflowExecutionId: string | undefined, data: object) =>
      prisma().email.updateMany({ where: { workflowExecutionId: workflowExecutionId ?? '' }, data });
    for (const execution of executions) await sent(execution, { status: 'SENT', sentAt: new Date() });
    await sent(first, { openedAt: new Date() });
    await sent(second, { clickedAt: new Date() });
    const to = new Date(Date.now() + 86_400_000).toISOString();
    const emailOf = async (version?: number) => {
      const { steps } = await figuresOf(id, { to, ...(version !== undefined && { version }) });
      const { sent: count, opened, clicked } = steps.find(({ stepKey }) => stepKey === 'hello')?.email ?? {};
      return [count, opened, clicked];
    };
    const all = async () => [await emailOf(1), await emailOf(2), await emailOf()];
    const expected = [
      [1, 1, 0],
      [2, 0, 1],
      [3, 1, 1],
    ];
    expect(await all()).toEqual(expected);
    await foldFigures(test.services);
    expect(await all()).toEqual(expected);
  });

  it('refuses a workflow of another project, and periods that are none', async () => {
    const { id } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
    const stranger = await createTestProject(test.services);
    await expect(getWorkflowFigures.run(stranger.ctx, { id })).rejects.toMatchObject({
      code: 'WORKFLOW_NOT_FOUND',
    });
    for (const given of [
      { from: '2026-01-01', to: '2026-05-01' },
      { from: '2026-05-02', to: '2026-05-01' },
      { tz: 'Nowhere' },
      { version: '0' },
      { version: 'x' },
    ])
      await expect(figuresOf(id, given), JSON.stringify(given)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
  });
});

it('executions of before there were figures are counted once, those that change meanwhile too', async () => {
  const workflow = await buildWorkflow(test.services, project.id, {
    pause: { type: 'DELAY', config: { amount: 1, unit: 'hours' } },
  });
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const contact = await buildContact(test.services, project.id);
    const id = newId();
    ids.push(id);
    await prisma().workflowExecution.create({
      data: { id, projectId: project.id, workflowId: workflow.id, contactId: contact.id, counted: false },
    });
    await turn(id);
  }
  // As the migration leaves them.
  const { id: projectId } = project;
  await prisma().workflowStepExecution.updateMany({ where: { projectId }, data: { counted: false } });
  await prisma().stepFigureEntry.deleteMany({ where: { projectId } });
  await turn(ids[0] ?? '', Date.now() + 2 * 3_600_000);
  const before = await figuresOf(workflow.id, { to: new Date(Date.now() + 86_400_000).toISOString() });
  expect(before).toMatchObject({ entered: 0, active: 2, ended: { completed: 0 } });
  for (let n = 0; n < 3; n += 1) await foldFigures(test.services);
  const after = await figuresOf(workflow.id, { to: new Date(Date.now() + 86_400_000).toISOString() });
  expect(after).toMatchObject({ entered: 3, active: 2, ended: { completed: 1 } });
  expect(after.steps.map(({ name, entered, left, here }) => [name, entered, left, here])).toEqual([
    ['trigger', 3, 3, 0],
    ['pause', 3, 1, 2],
  ]);
  await turn(ids[1] ?? '', Date.now() + 2 * 3_600_000);
  expect(await figuresOf(workflow.id, { to: new Date(Date.now() + 86_400_000).toISOString() })).toMatchObject(
    {
      entered: 3,
      active: 1,
      ended: { completed: 2 },
    },
  );
});

it('reasons to exit without number share a figure', async () => {
  const { id: workflowId } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
  const { id: projectId } = project;
  const end = async (exitReason: string) => {
    const contact = await buildContact(test.services, projectId);
    await prisma().workflowExecution.create({
      data: {
        ...{ id: newId(), projectId, workflowId, contactId: contact.id, status: 'EXITED', exitReason },
        ...{ completedAt: new Date(), dueAt: null },
      },
    });
  };
  for (let n = 0; n < 98; n += 1) await end(`reason ${n}`);
  await foldFigures(test.services);
  for (let n = 96; n < 106; n += 1) await end(`reason ${n}`);
  await foldFigures(test.services);
  const names = new Set(
    (await prisma().stepFigure.findMany({ where: { projectId }, select: { outcome: true } })).map(
      ({ outcome }) => outcome,
    ),
  );
  // With `` of what began.
  expect(names.size).toBe(102);
  const { exits, ended } = await figuresOf(workflowId);
  expect(ended.exited).toBe(108);
  expect(exits.find(({ name }) => name === '(other)')).toEqual({ name: '(other)', count: 6 });
  expect(exits.find(({ name }) => name === 'reason 97')).toEqual({ name: 'reason 97', count: 2 });
});

it('figures go with their workflow', async () => {
  const { id } = await build();
  const first = await enter(id, { plan: 'pro' });
  await turn(first);
  await foldFigures(test.services);
  expect(await prisma().stepFigure.count({ where: { workflowId: id } })).toBeGreaterThan(0);
  await updateWorkflow.run(project.ctx, { id, enabled: false });
  await deleteWorkflow.run(project.ctx, { id });
  await removedBehind(test.services, project.id);
  expect(await prisma().stepFigure.count({ where: { workflowId: id } })).toBe(0);
});

const step = (stepKey: string, type: string, given: object) => ({
  stepKey,
  name: expect.any(String),
  type,
  ...{ entered: 0, left: 0, failed: 0, here: 0, medianSeconds: null, branches: [] },
  ...given,
});
