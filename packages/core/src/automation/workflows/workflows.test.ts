import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { trackEvent } from '../../audience/events/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { removedBehind } from './bulk/removed-behind.fixture.ts';
import {
  addStep,
  addTransition,
  createWorkflow,
  deleteStep,
  deleteWorkflow,
  getWorkflow,
  listWorkflowFields,
  listWorkflows,
  startExecution,
  updateStep,
  updateWorkflow,
} from './index.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const create = (input: object = {}) =>
  createWorkflow.run(project.ctx, { name: 'Welcome', eventName: 'signup', ...input });
const get = (id: string) => getWorkflow.run(project.ctx, { id });
const update = (id: string, change: object) => updateWorkflow.run(project.ctx, { id, ...change });

const delay = { type: 'DELAY', config: { amount: 1, unit: 'days' } };
const wait = { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 60 } };
const condition = { type: 'CONDITION', config: { field: 'data.plan', operator: 'equals', value: 'pro' } };
const exit = { type: 'EXIT', config: {} };

let names = 0;
const step = (id: string, given: object = delay, rest: object = {}) => {
  names += 1;
  return addStep.runRaw(project.ctx, {
    id,
    name: `Step ${names}`,
    position: { x: 1, y: 2 },
    ...given,
    ...rest,
  });
};
const loose = (id: string, given: object = delay) => step(id, given, { autoConnect: false });
const join = (id: string, fromStepId: string, toStepId: string, rest: object = {}) =>
  addTransition.run(project.ctx, { id, fromStepId, toStepId, ...rest });

const addContact = async (): Promise<string> =>
  (await trackEvent.run(project.publicCtx, { email: `${newId()}@people.test`, event: 'seen' })).contact;

/** Inserts an active execution at a step (by default at the TRIGGER). */
async function runningOn(id: string, stepId?: string): Promise<string> {
  const contactId = await addContact();
  const { enabled } = await update(id, { enabled: true });
  expect(enabled).toBe(true);
  const execution = await startExecution.run(project.ctx, { id, contactId });
  if (stepId)
    await test.services.database.prisma.workflowExecution.update({
      where: { id: execution.id },
      data: { currentStepId: stepId },
    });
  return execution.id;
}

const interests = async (): Promise<string[]> =>
  (
    await test.services.database.prisma.eventInterest.findMany({
      where: { projectId: project.id },
      orderBy: { name: 'asc' },
    })
  ).map(({ name }) => name);

const idsOf = async (id: string): Promise<string[]> => (await get(id)).steps.map((each) => each.id);
const arrows = async (id: string) =>
  (await get(id)).transitions.map(({ fromStepId, toStepId, branch }) => [fromStepId, toStepId, branch]);

describe('a new workflow', () => {
  it('is disabled, starts by its event and has its TRIGGER step', async () => {
    const workflow = await create({ name: ' Welcome ', description: 'first', enabled: true });
    expect(workflow).toMatchObject({
      name: 'Welcome',
      description: 'first',
      enabled: false,
      triggerType: 'EVENT',
      triggerConfig: { eventName: 'signup' },
      allowReentry: false,
      projectId: project.id,
      transitions: [],
      steps: [
        {
          type: 'TRIGGER',
          name: 'Trigger: signup',
          position: { x: 100, y: 100 },
          config: { eventName: 'signup' },
          templateId: null,
          template: null,
          outgoingTransitions: [],
          incomingTransitions: [],
        },
      ],
    });
    expect(await get(workflow.id)).toEqual(workflow);
    expect(await interests()).toEqual([]);
  });

  it.each([
    [{ name: 'x'.repeat(101) }, 'name', 'too_big'],
    [{ description: 'x'.repeat(501) }, 'description', 'too_big'],
    [{ eventName: 'x'.repeat(256) }, 'eventName', 'too_big'],
    [{ eventName: 5 }, 'eventName', 'invalid_type'],
    [{ allowReentry: 'yes' }, 'allowReentry', 'invalid_type'],
  ])('is refused: %#', async (input, field, code) => {
    await expect(create(input)).rejects.toMatchObject({ errors: [{ field, code }] });
  });
});

describe('the list', () => {
  it('counts steps and executions, filters, searches and sorts', async () => {
    const big = await create({ name: 'Big', description: 'for SALES' });
    await step(big.id);
    await runningOn(big.id);
    const small = await create({ name: 'Small 100%' });
    const list = (query: object = {}) => listWorkflows.run(project.ctx, query);
    const all = await list();
    expect(all).toMatchObject({ page: 1, pageSize: 20, total: 2, totalPages: 1 });
    expect(all.data.map(({ id, _count }) => [id, _count])).toEqual([
      [small.id, { steps: 1, executions: 0, active: 0, failed24h: 0 }],
      [big.id, { steps: 2, executions: 1, active: 1, failed24h: 0 }],
    ]);
    const found = async (query: object) => (await list(query)).data.map(({ name }) => name);
    expect(await found({ status: 'active' })).toEqual(['Big']);
    expect(await found({ status: 'disabled' })).toEqual(['Small 100%']);
    expect(await found({ search: 'sales' })).toEqual(['Big']);
    expect(await found({ search: '%' })).toEqual(['Small 100%']);
    expect(await found({ sort: 'steps' })).toEqual(['Big', 'Small 100%']);
    expect(await found({ sort: 'name', dir: 'desc' })).toEqual(['Small 100%', 'Big']);
    await test.services.database.prisma.workflowExecution.updateMany({
      where: { workflowId: big.id },
      data: { status: 'FAILED', completedAt: new Date() },
    });
    expect((await list({ sort: 'failed24h' })).data.map(({ _count }) => _count)).toMatchObject([
      { executions: 1, active: 0, failed24h: 1 },
      { executions: 0, active: 0, failed24h: 0 },
    ]);
    expect(await found({ sort: 'failed24h', dir: 'asc' })).toEqual(['Small 100%', 'Big']);
    expect(await found({ sort: 'failed24h', page: 2, pageSize: 1 })).toEqual(['Small 100%']);
    await expect(list({ status: 'running' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('changing a workflow', () => {
  it('updates the TRIGGER step and the waited-for events', async () => {
    const { id } = await create();
    await update(id, { enabled: true });
    expect(await interests()).toEqual(['signup']);
    const changed = await update(id, { triggerConfig: { eventName: ' bought ' }, description: null });
    expect(changed.triggerConfig).toEqual({ eventName: 'bought' });
    expect((await get(id)).steps[0]).toMatchObject({
      name: 'Trigger: bought',
      config: { eventName: 'bought' },
    });
    expect(await interests()).toEqual(['bought']);
    await update(id, { triggerType: 'MANUAL' });
    expect(await get(id)).toMatchObject({
      triggerType: 'MANUAL',
      triggerConfig: {},
      steps: [{ config: {} }],
    });
    expect(await interests()).toEqual([]);
    const timed = { cron: '0 9 * * 1', timezone: 'Europe/Berlin' };
    expect(await update(id, { triggerType: 'SCHEDULE', triggerConfig: { cron: '0 9 * * 1' } })).toMatchObject(
      {
        triggerConfig: { cron: '0 9 * * 1', timezone: 'UTC' },
      },
    );
    expect(await update(id, { triggerConfig: timed })).toMatchObject({ triggerConfig: timed, enabled: true });
  });

  it('raises wakeSeq, by which its schedule is updated', async () => {
    const { id } = await create();
    const seq = async () =>
      (await test.services.database.prisma.workflow.findUniqueOrThrow({ where: { id } })).wakeSeq;
    const before = await seq();
    await update(id, { enabled: true });
    expect((await seq()) > before).toBe(true);
  });

  it('waits for the events of wait steps, enabled or not', async () => {
    const { id } = await create();
    const waiting = await step(id, wait);
    expect(await interests()).toEqual(['paid']);
    await updateStep.run(project.ctx, { id, stepId: waiting.id, config: { eventName: 'left' } });
    expect(await interests()).toEqual(['left']);
    await deleteStep.run(project.ctx, { id, stepId: waiting.id });
    expect(await interests()).toEqual([]);
  });

  it.each([
    [{ triggerType: 'OTHER' }, 'triggerType', 'invalid_enum_value'],
    [{ triggerType: 'SCHEDULE' }, 'triggerConfig', 'required'],
    [{ triggerType: 'EVENT' }, 'triggerConfig', 'required'],
    [{ triggerType: 'SCHEDULE', triggerConfig: {} }, 'triggerConfig.cron', 'required'],
    [{ triggerType: 'EVENT', triggerConfig: {} }, 'triggerConfig.eventName', 'required'],
    [{ triggerType: 'SCHEDULE', triggerConfig: { cron: '* * * *' } }, 'triggerConfig.cron', 'custom'],
    [
      { triggerType: 'SCHEDULE', triggerConfig: { cron: '* * * * *', timezone: 'Nowhere' } },
      'triggerConfig.timezone',
      'invalid_timezone',
    ],
    [
      { triggerType: 'SCHEDULE', triggerConfig: { cron: '* * * * *', segmentId: 'x' } },
      'triggerConfig.segmentId',
      'invalid_string',
    ],
    [{ triggerConfig: { eventName: '' } }, 'triggerConfig.eventName', 'required'],
    [{ triggerConfig: 'x' }, 'triggerConfig', 'invalid_type'],
    [{ enabled: 'yes' }, 'enabled', 'invalid_type'],
    [{ name: '' }, 'name', 'required'],
  ])('is refused: %j', async (change, field, code) => {
    const { id } = await create();
    await expect(update(id, change)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field, code }],
    });
  });

  it('refuses a segment that the project does not have', async () => {
    const { id } = await create();
    const triggerConfig = { cron: '* * * * *', segmentId: newId() };
    await expect(update(id, { triggerType: 'SCHEDULE', triggerConfig })).rejects.toMatchObject({
      code: 'SEGMENT_NOT_FOUND',
    });
  });

  it('cannot enable a workflow that could never start', async () => {
    const { id } = await create();
    await update(id, { triggerConfig: {} });
    await expect(update(id, { enabled: true })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(update(id, { enabled: true, triggerConfig: { eventName: 'x' } })).resolves.toMatchObject({
      enabled: true,
    });
    await expect(update(id, { triggerConfig: {} })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('deleting a workflow', () => {
  it('is refused while executions are active, and then leaves nothing', async () => {
    const { id } = await create();
    await step(id, wait);
    const executionId = await runningOn(id);
    await expect(deleteWorkflow.run(project.ctx, { id })).rejects.toMatchObject({ code: 'CONFLICT' });
    const { prisma } = test.services.database;
    await prisma.workflowExecution.update({ where: { id: executionId }, data: { status: 'COMPLETED' } });
    await deleteWorkflow.run(project.ctx, { id });
    await expect(get(id)).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
    await removedBehind(test.services, project.id);
    expect(await prisma.workflowExecution.count({ where: { workflowId: id } })).toBe(0);
    expect(await prisma.workflowStep.count({ where: { workflowId: id } })).toBe(0);
    expect(await interests()).toEqual([]);
  });
});

describe('adding a step', () => {
  it('connects it to the newest step without a transition', async () => {
    const { id, steps } = await create();
    const first = await step(id, delay);
    const asked = await step(id, condition);
    const yes = await step(id, exit);
    expect(await arrows(id)).toEqual([
      [steps[0]?.id, first.id, null],
      [first.id, asked.id, null],
      [asked.id, yes.id, 'yes'],
    ]);
    await loose(id, delay);
    expect(await arrows(id)).toHaveLength(3);
    const detail = await get(id);
    expect(detail.steps[1]).toMatchObject({
      incomingTransitions: [{ fromStepId: steps[0]?.id }],
      outgoingTransitions: [{ toStepId: asked.id }],
    });
    expect(first).toMatchObject({ position: { x: 1, y: 2 }, config: delay.config, workflowId: id });
  });

  it('accepts its template in either place and refuses an unknown one', async () => {
    await verifiedDomain(test.services, project.id, 'shop.test');
    const mail = { name: 'Hello', subject: 'S', body: '<p>B</p>', from: 'a@shop.test' };
    const template = await createTemplate.run(project.ctx, mail);
    const { id } = await create();
    const own = await step(id, { type: 'SEND_EMAIL', config: {}, templateId: template.id });
    const moved = await step(id, { type: 'SEND_EMAIL', config: { templateId: template.id } });
    expect([own.templateId, moved.templateId, moved.config]).toEqual([template.id, template.id, {}]);
    expect((await get(id)).steps[1]?.template).toEqual({ id: template.id, name: 'Hello' });
    for (const input of [{ config: {}, templateId: newId() }, { config: { templateId: newId() } }]) {
      await expect(step(id, { type: 'SEND_EMAIL', ...input })).rejects.toMatchObject({
        code: 'TEMPLATE_NOT_FOUND',
      });
    }
    const emptied = await updateStep.run(project.ctx, { id, stepId: own.id, templateId: null });
    expect(emptied.templateId).toBeNull();
  });

  it.each([
    [{ ...delay, config: { amount: 0, unit: 'days' } }, 'config.amount'],
    [{ type: 'OTHER', config: {} }, 'type'],
    [{ ...delay, position: { x: 'a', y: 1 } }, 'position.x'],
    [{ ...delay, config: [] }, 'config'],
    [{ ...delay, name: 'x'.repeat(101) }, 'name'],
  ])('is refused: %#', async (given, field) => {
    const { id } = await create();
    await expect(step(id, {}, given)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field }],
    });
  });

  it('refuses a second TRIGGER, and step 201', async () => {
    const { id, projectId } = await create();
    await expect(step(id, { type: 'TRIGGER', config: {} })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await test.services.database.prisma.workflowStep.createMany({
      data: Array.from({ length: 198 }, () => ({
        id: newId(),
        projectId,
        workflowId: id,
        type: 'EXIT' as const,
        name: 'End',
      })),
    });
    await step(id);
    await expect(step(id)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('200'),
    });
  });
});

describe('changing a step', () => {
  it('cannot change the event of a TRIGGER', async () => {
    const { id, steps } = await create();
    const change = (input: object) => updateStep.runRaw(project.ctx, { id, stepId: steps[0]?.id, ...input });
    await expect(change({ config: { eventName: 'other' } })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(change({ name: 'Start', config: { eventName: 'signup' } })).resolves.toMatchObject({
      name: 'Start',
    });
    await update(id, { triggerConfig: { eventName: 'other' } });
    expect((await get(id)).steps[0]).toMatchObject({ name: 'Start', config: { eventName: 'other' } });
  });

  it('keeps the branches and outcomes that have a transition', async () => {
    const { id } = await create();
    const asked = await step(id, condition);
    await step(id, delay);
    const branches = [{ id: 'gold', name: 'Gold', operator: 'exists' }];
    const config = { mode: 'multi', field: 'data.plan', branches };
    await expect(updateStep.run(project.ctx, { id, stepId: asked.id, config })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('names a bad configuration and an unknown step', async () => {
    const { id } = await create();
    const { id: stepId } = await step(id);
    await expect(updateStep.run(project.ctx, { id, stepId, config: { amount: 1 } })).rejects.toMatchObject({
      errors: [{ field: 'config.unit', code: 'required' }],
    });
    await expect(updateStep.run(project.ctx, { id, stepId: newId(), name: 'x' })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
  });
});

describe('deleting a step', () => {
  /** trigger → condition, yes → a → end, no → b → end */
  async function diamond() {
    const { id } = await create();
    const asked = await step(id, condition);
    const [a, b, end] = [await loose(id), await loose(id), await loose(id)];
    await join(id, asked.id, a.id, { branch: 'yes' });
    await join(id, asked.id, b.id, { condition: { branch: 'no' } });
    await join(id, a.id, end.id);
    await join(id, b.id, end.id);
    return { id, asked: asked.id, a: a.id, b: b.id, end: end.id };
  }
  const remove = (id: string, stepId: string, splice?: unknown) =>
    deleteStep.runRaw(project.ctx, { id, stepId, splice });

  it('also deletes the steps that only it leads to', async () => {
    const { id, asked, a, b, end } = await diamond();
    await remove(id, a);
    expect(await idsOf(id)).toEqual(expect.arrayContaining([asked, b, end]));
    expect(await idsOf(id)).not.toContain(a);
    await remove(id, asked);
    expect(await idsOf(id)).toHaveLength(1);
    expect(await arrows(id)).toEqual([]);
  });

  it('splices: transitions to it lead to its follower', async () => {
    const { id, asked, a, end } = await diamond();
    await remove(id, a, 'true');
    expect(await arrows(id)).toContainEqual([asked, end, 'yes']);
    await remove(id, end, true);
    expect((await idsOf(id)).length).toBe(3);
    expect((await get(id)).transitions.some(({ toStepId }) => toStepId === end)).toBe(false);
  });

  it('refuses the TRIGGER, splicing a step with several ways out, and an invalid splice value', async () => {
    const { id, asked } = await diamond();
    const { id: waiting } = await loose(id, wait);
    const [trigger] = await idsOf(id);
    const refused = { code: 'BAD_REQUEST' };
    await expect(remove(id, trigger ?? '')).rejects.toMatchObject(refused);
    await expect(remove(id, asked, 'true')).rejects.toMatchObject(refused);
    await expect(remove(id, waiting, 'true')).rejects.toMatchObject(refused);
    await expect(remove(id, waiting, 'maybe')).rejects.toMatchObject(refused);
    await expect(remove(id, newId())).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
});

describe('transitions', () => {
  it('are stored as given, with the priority 0', async () => {
    const { id, steps } = await create();
    const next = await loose(id);
    const made = await join(id, steps[0]?.id ?? '', next.id);
    expect(made).toMatchObject({ workflowId: id, branch: null, waitOutcome: null, priority: 0 });
    const { version: _, draft: __, ...transition } = made;
    expect((await get(id)).transitions).toEqual([transition]);
  });

  it.each<[string, (t: Ids) => [string, string, object]]>([
    ['to itself', (t: Ids) => [t.d1, t.d1, {}]],
    ['from EXIT', (t: Ids) => [t.end, t.d1, {}]],
    ['into TRIGGER', (t: Ids) => [t.d1, t.trigger, {}]],
    ['a loop', (t: Ids) => [t.d2, t.d1, {}]],
    ['a second one', (t: Ids) => [t.d1, t.end, {}]],
    ['a branch twice', (t: Ids) => [t.asked, t.d2, { branch: 'yes' }]],
    ['no branch', (t: Ids) => [t.asked, t.d2, {}]],
    ['an unknown branch', (t: Ids) => [t.asked, t.d2, { branch: 'default' }]],
    ['a branch of another type', (t: Ids) => [t.d2, t.end, { branch: 'yes' }]],
    ['an outcome twice', (t: Ids) => [t.waiting, t.d2, { waitOutcome: 'EVENT' }]],
    ['both outcomes beside one', (t: Ids) => [t.waiting, t.d2, {}]],
    ['a time-out without one', (t: Ids) => [t.patient, t.d2, { waitOutcome: 'TIMEOUT' }]],
  ])('refuse %s', async (_what, of) => {
    const ids = await steps();
    const [from, to, rest] = of(ids);
    await expect(join(ids.id, from, to, rest)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  interface Ids
    extends Record<'id' | 'trigger' | 'd1' | 'd2' | 'end' | 'asked' | 'waiting' | 'patient', string> {}

  async function steps(): Promise<Ids> {
    const { id, steps: made } = await create();
    const [d1, d2, end] = [await loose(id), await loose(id), await loose(id, exit)];
    const asked = await loose(id, condition);
    const waiting = await loose(id, wait);
    const patient = await loose(id, { ...wait, config: { eventName: 'x' } });
    await join(id, d1.id, d2.id);
    await join(id, asked.id, d1.id, { branch: 'yes' });
    await join(id, waiting.id, d1.id, { waitOutcome: 'EVENT' });
    return {
      id,
      trigger: made[0]?.id ?? '',
      d1: d1.id,
      d2: d2.id,
      end: end.id,
      asked: asked.id,
      waiting: waiting.id,
      patient: patient.id,
    };
  }

  it('belong to one workflow', async () => {
    const ids = await steps();
    const other = await create();
    const foreign = await loose(other.id);
    for (const [from, to] of [
      [foreign.id, ids.d1],
      [ids.end, foreign.id],
      [newId(), ids.d1],
    ] as const) {
      await expect(join(ids.id, from, to)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    }
  });

  it('created concurrently never form a loop', async () => {
    const { id } = await create();
    const [a, b] = [await loose(id), await loose(id)];
    const both = await Promise.allSettled([join(id, a.id, b.id), join(id, b.id, a.id)]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await arrows(id)).toHaveLength(1);
  });
});

it('the fields of conditions are those of contacts and of recent events', async () => {
  const track = (event: string, data: object) =>
    trackEvent.runRaw(project.publicCtx, { email: 'a@people.test', event, data });
  await track('paid', { amount: { value: 5, persistent: false }, plan: 'pro' });
  await track('left', { why: { value: 'cost', persistent: false } });
  const all = await listWorkflowFields.run(project.ctx, {});
  expect(all.typedFields).toEqual(
    expect.arrayContaining([
      { field: 'contact.email', type: 'string', category: 'Contact Fields' },
      { field: 'contact.subscribed', type: 'boolean', category: 'Contact Fields' },
      { field: 'data.plan', type: 'string', category: 'Custom Data' },
      { field: 'event.amount', type: 'number', category: 'Event Data' },
      { field: 'event.why', type: 'string', category: 'Event Data' },
    ]),
  );
  expect([all.count, all.fields]).toEqual([
    all.typedFields.length,
    all.typedFields.map(({ field }) => field),
  ]);
  const named = await listWorkflowFields.run(project.ctx, { eventName: 'paid' });
  expect(named.fields).not.toContain('event.why');
});

it('another project finds neither the workflow nor its parts', async () => {
  const { id } = await create();
  const { id: stepId } = await step(id);
  const { ctx } = await createTestProject(test.services);
  const notFound = { code: 'WORKFLOW_NOT_FOUND' };
  await expect(getWorkflow.run(ctx, { id })).rejects.toMatchObject(notFound);
  await expect(updateWorkflow.run(ctx, { id, name: 'x' })).rejects.toMatchObject(notFound);
  await expect(updateStep.run(ctx, { id, stepId, name: 'x' })).rejects.toMatchObject(notFound);
  await expect(deleteStep.run(ctx, { id, stepId })).rejects.toMatchObject(notFound);
  await expect(deleteWorkflow.run(ctx, { id })).rejects.toMatchObject(notFound);
  expect((await listWorkflows.run(ctx, {})).total).toBe(0);
});
