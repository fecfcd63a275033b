import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { trackEvent } from '../../../audience/events/index.ts';
import { deleteTemplate } from '../../../content/templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import {
  addStep,
  addTransition,
  createWorkflow,
  deleteStep,
  deleteTransition,
  discardDraft,
  dispatchBatch,
  getWorkflow,
  getWorkflowVersion,
  listWorkflowVersions,
  moveExecutionsBatch,
  previewPublish,
  publishWorkflow,
  replaceGraph,
  startExecution,
  updateStep,
  updateWorkflow,
} from '../index.ts';
import { advanceExecution, buildContact, buildTemplate } from '../runtime/runtime.fixture.ts';
import { takeSet } from '../runtime/take-set.ts';

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
const dayMs = 86_400_000;
const day = { amount: 1, unit: 'days' } as const;
const position = { x: 0, y: 0 };

const add = (id: string, name: string, type = 'DELAY', config: object = day, rest: object = {}) =>
  addStep.runRaw(project.ctx, { id, name, type, config, position, ...rest }) as Promise<{
    id: string;
    key: string;
    version: number | null;
    draft: { changes: number } | null;
  }>;
const get = (id: string, definition?: 'draft') =>
  getWorkflow.run(project.ctx, { id, ...(definition && { definition }) });
const enable = (id: string) => updateWorkflow.run(project.ctx, { id, enabled: true });
const publish = (id: string, given: object = {}) =>
  publishWorkflow.runRaw(project.ctx, { id, ...given }) as ReturnType<typeof publishWorkflow.run>;
const versions = async (id: string) =>
  (await listWorkflowVersions.run(project.ctx, { id, limit: 50 })).data.map(({ version }) => version);

/** An enabled workflow: a delay, and a mark that the contact came to its end. */
async function build(first: { type: string; config: object } = { type: 'DELAY', config: day }) {
  const { id } = await createWorkflow.run(project.ctx, {
    name: 'W',
    eventName: 'signup',
    allowReentry: true,
  });
  const rest = await add(id, 'Rest', first.type, first.config);
  const mark = await add(id, 'Mark', 'UPDATE_CONTACT', { data: { old: true } });
  await enable(id);
  return { id, rest: rest.id, mark: mark.id };
}

async function enter(id: string): Promise<string> {
  const contact = await buildContact(test.services, project.id);
  const execution = await startExecution.run(project.ctx, { id, contactId: contact.id });
  await turn(execution.id);
  return execution.id;
}
const turn = (id: string, now = Date.now()) => advanceExecution(test.services, id, async () => now);
const rowOf = (id: string) => prisma().workflowExecution.findUniqueOrThrow({ where: { id } });
async function dataOf(id: string) {
  const { contactId } = await rowOf(id);
  return (await prisma().contact.findUniqueOrThrow({ where: { id: contactId } })).data;
}
async function runJob(jobId: string | null) {
  if (jobId === null) throw new Error('no job');
  while (await moveExecutionsBatch(test.services, jobId));
}

describe('a workflow', () => {
  it('has one definition and no version until it is enabled, and then version 1', async () => {
    const { id } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
    expect(await add(id, 'A', 'DELAY', day, { publish: false })).toMatchObject({
      version: null,
      draft: null,
    });
    expect(await versions(id)).toEqual([]);
    expect(await enable(id)).toMatchObject({ version: 1, draft: null });
    await updateWorkflow.run(project.ctx, { id, enabled: false });
    expect(await enable(id)).toMatchObject({ version: 1 });
    expect(await getWorkflowVersion.run(project.ctx, { id, version: 1 })).toMatchObject({
      live: true,
      entered: 0,
      definition: { triggerType: 'EVENT', steps: [{ key: 'trigger' }, { key: 'a' }] },
    });
  });

  it('is not enabled for the first time before every step has what it needs', async () => {
    const { id } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
    await add(id, 'Hello', 'SEND_EMAIL', {});
    await add(id, 'Bye', 'SEND_EMAIL', {});
    await expect(enable(id)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [
        { field: 'steps.hello.templateId', code: 'required' },
        { field: 'steps.bye.templateId', code: 'required' },
      ],
    });
    expect(await get(id)).toMatchObject({ enabled: false, version: null });
  });

  it('gives steps keys that stay, and that no later step gets', async () => {
    const { id } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
    const keys = [];
    for (const name of ['Ça va?', 'ça VA!', 'Trigger', '早', '-- x --', 'a'.repeat(80), 'a'.repeat(80)])
      keys.push((await add(id, name)).key);
    expect(keys).toEqual([
      'ca-va',
      'ca-va-2',
      'trigger-2',
      'delay',
      'x',
      'a'.repeat(60),
      `${'a'.repeat(58)}-2`,
    ]);
    const { steps } = await get(id);
    const [, first] = steps;
    if (!first) throw new Error('no step');
    await updateStep.run(project.ctx, { id, stepId: first.id, name: 'Other' });
    await enable(id);
    await enter(id);
    await deleteStep.run(project.ctx, { id, stepId: first.id, splice: true });
    expect((await add(id, 'Ça va')).key).toBe('ca-va-3');
  });

  it('that ten edits change one by one has one version more, which the next contact takes', async () => {
    const { id } = await build();
    await enter(id);
    for (let n = 0; n < 10; n += 1) await add(id, `Step ${n}`, 'UPDATE_CONTACT', { data: { [`n${n}`]: n } });
    expect(await versions(id)).toHaveLength(2);
    const execution = await enter(id);
    await turn(execution, Date.now() + 2 * dayMs);
    expect(await rowOf(execution)).toMatchObject({ status: 'COMPLETED', version: (await get(id)).version });
    expect(await dataOf(execution)).toMatchObject({ old: true, n0: 0, n9: 9 });
  });

  it('refuses edits beside a draft, which stays as it is', async () => {
    const { id, rest } = await build();
    expect(await add(id, 'New', 'DELAY', day, { publish: false })).toMatchObject({
      version: 1,
      draft: { changes: 2 },
    });
    const before = await get(id, 'draft');
    const edits = [
      () => add(id, 'Other'),
      () => updateStep.run(project.ctx, { id, stepId: rest, name: 'Else' }),
      () => deleteStep.run(project.ctx, { id, stepId: rest }),
      () => deleteTransition.run(project.ctx, { id, transitionId: before.transitions[0]?.id ?? '' }),
      () => addTransition.run(project.ctx, { id, fromStepId: rest, toStepId: rest }),
      () =>
        replaceGraph.run(project.ctx, {
          id,
          steps: before.steps.map(({ id: stepId, type, name, config }) => ({
            id: stepId,
            type,
            name,
            config,
            position,
          })),
          transitions: [],
        }),
      () => updateWorkflow.run(project.ctx, { id, allowReentry: false }),
    ];
    for (const edit of edits)
      await expect(edit()).rejects.toMatchObject({ code: 'CONFLICT', details: { draft: { changes: 2 } } });
    // What belongs to no definition holds at once.
    await updateWorkflow.run(project.ctx, { id, name: 'Renamed', enabled: false });
    expect((await get(id, 'draft')).steps).toEqual(before.steps);
    expect(await versions(id)).toEqual([1]);
  });

  it('gets neither a version nor a draft by an edit that changes nothing', async () => {
    const { id, rest } = await build();
    const { name, steps, transitions } = await get(id);
    for (const publish of [true, false]) {
      await updateStep.run(project.ctx, { id, stepId: rest, name: 'Rest', config: day, publish });
      await updateWorkflow.run(project.ctx, { id, name, triggerConfig: { eventName: 'signup' }, publish });
      await replaceGraph.run(project.ctx, { id, steps, transitions, publish });
    }
    await updateWorkflow.run(project.ctx, { id, name, allowReentry: true, publish: false });
    expect(await get(id)).toMatchObject({ version: 1, draft: null });
    await updateStep.run(project.ctx, { id, stepId: rest, name: 'Pause', publish: false });
    expect(await get(id)).toMatchObject({ version: 1, draft: { changes: 1 } });
  });

  it('publishes a draft as a whole, or discards it', async () => {
    const { id, rest } = await build();
    await updateStep.run(project.ctx, {
      id,
      stepId: rest,
      config: { amount: 3, unit: 'days' },
      publish: false,
    });
    await updateWorkflow.run(project.ctx, { id, triggerConfig: { eventName: 'other' }, publish: false });
    expect((await get(id)).triggerConfig).toEqual({ eventName: 'signup' });
    expect((await get(id, 'draft')).triggerConfig).toEqual({ eventName: 'other' });
    await discardDraft.run(project.ctx, { id });
    await expect(discardDraft.run(project.ctx, { id })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    await expect(publish(id)).rejects.toMatchObject({ code: 'CONFLICT' });
    await updateWorkflow.run(project.ctx, { id, triggerConfig: { eventName: 'other' }, publish: false });
    expect(await publish(id, { note: ' Once more ' })).toMatchObject({
      version: 2,
      moved: 0,
      jobId: null,
      workflow: { version: 2, draft: null },
    });
    expect(await get(id)).toMatchObject({
      triggerConfig: { eventName: 'other' },
      steps: [{ name: 'Trigger: other' }, {}, {}],
    });
    expect(await getWorkflowVersion.run(project.ctx, { id, version: 2 })).toMatchObject({
      note: 'Once more',
      live: true,
    });
    const [event] = await prisma().event.findMany({
      where: { projectId: project.id, name: 'workflow.published' },
      orderBy: { createdAt: 'desc' },
    });
    expect(event?.data).toMatchObject({ workflowId: id, version: 2, note: 'Once more', move: 'NEW' });
  });

  it('publishes an earlier version again beside a draft', async () => {
    const { id, rest } = await build();
    await enter(id);
    await updateStep.run(project.ctx, { id, stepId: rest, config: { amount: 9, unit: 'days' } });
    await add(id, 'Draft', 'DELAY', day, { publish: false });
    expect(await publish(id, { version: 1 })).toMatchObject({
      version: 3,
      workflow: { draft: { changes: 3 } },
    });
    expect((await get(id)).steps.find((step) => step.id === rest)?.config).toEqual(day);
    await expect(publish(id, { version: 77 })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  it('brings a deleted step back with its id and key', async () => {
    const { id, rest } = await build();
    await enter(id);
    await deleteStep.run(project.ctx, { id, stepId: rest, splice: true });
    await publish(id, { version: 1 });
    expect((await get(id)).steps.find((step) => step.id === rest)).toMatchObject({
      key: 'rest',
      name: 'Rest',
    });
  });
});

it('a version never changes', async () => {
  const { id } = await build();
  await expect(
    prisma().workflowVersion.update({
      where: { workflowId_version: { workflowId: id, version: 1 } },
      data: { note: 'x' },
    }),
  ).rejects.toThrow('never changes');
});

it('a preview names what the checks before sending find in the templates that are sent', async () => {
  const { id } = await build();
  const news = await buildTemplate(test.services, project.id, { type: 'MARKETING' });
  const own = await buildTemplate(test.services, project.id, { type: 'MARKETING' });
  const receipt = await buildTemplate(test.services, project.id);
  await prisma().template.update({ where: { id: own }, data: { type: 'HEADLESS' } });
  for (const [name, templateId] of Object.entries({ News: news, Own: own, Receipt: receipt, Again: news }))
    await add(id, name, 'SEND_EMAIL', {}, { templateId, publish: false });
  const found = async () =>
    (await previewPublish.run(project.ctx, { id })).findings.map(({ stepKey, rule }) => `${stepKey} ${rule}`);
  const unverified = ['news', 'own', 'receipt', 'again'].map((key) => `${key} sender`);
  expect((await found()).toSorted()).toEqual(
    [
      ...unverified,
      'again postal_address_missing',
      'news postal_address_missing',
      'own postal_address_missing',
      'own unsubscribe_missing',
    ].toSorted(),
  );
  await prisma().project.update({
    where: { id: project.id },
    data: { brand: { address: '1 Main Street, London' } },
  });
  expect((await found()).toSorted()).toEqual([...unverified, 'own unsubscribe_missing'].toSorted());
});

describe('an execution', () => {
  it('stays with the version that it began with, to its end', async () => {
    const { id, rest, mark } = await build();
    const execution = await enter(id);
    await updateStep.run(project.ctx, { id, stepId: mark, config: { data: { fresh: true } } });
    await deleteStep.run(project.ctx, { id, stepId: rest, splice: true });
    await turn(execution, Date.now() + 2 * dayMs);
    expect(await rowOf(execution)).toMatchObject({ status: 'COMPLETED', version: 1 });
    expect(await dataOf(execution)).toEqual({ old: true });
  });

  it('goes on by the version to which everybody is moved, and no row of it is written', async () => {
    const { id, mark } = await build();
    const execution = await enter(id);
    const before = await rowOf(execution);
    await updateStep.run(project.ctx, {
      id,
      stepId: mark,
      config: { data: { fresh: true } },
      publish: false,
    });
    expect(await publish(id, { move: 'ALL' })).toMatchObject({ moved: 0, jobId: null });
    expect(await rowOf(execution)).toEqual(before);
    await turn(execution, Date.now() + 2 * dayMs);
    expect(await dataOf(execution)).toEqual({ fresh: true });
    const step = await prisma().workflowStepExecution.findFirst({
      where: { executionId: execution, stepId: mark },
    });
    expect(step).toMatchObject({ status: 'COMPLETED', version: 2 });
  });

  it('at a step that is gone ends or goes elsewhere, as the publish says', async () => {
    const { id, rest } = await build();
    const people = await Promise.all([enter(id), enter(id), enter(id)]);
    await deleteStep.run(project.ctx, { id, stepId: rest, splice: true, publish: false });
    expect(await previewPublish.run(project.ctx, { id })).toMatchObject({
      active: 3,
      needed: ['rest'],
      changes: expect.arrayContaining([
        expect.objectContaining({ kind: 'removed', stepKey: 'rest', people: 3 }),
      ]),
    });
    await expect(publish(id, { move: 'ALL' })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { steps: [{ key: 'rest', name: 'Rest', people: 3 }] },
    });
    await expect(publish(id, { move: 'ALL', removed: { rest: 'nowhere' } })).rejects.toMatchObject({
      errors: [{ field: 'removed.rest', code: 'unknown_reference' }],
    });
    const { moved, jobId } = await publish(id, { move: 'ALL', removed: { rest: 'mark' } });
    expect(moved).toBe(3);
    // One that a set meets before the job.
    const [first = ''] = people;
    await turn(first, Date.now() + 2 * dayMs);
    expect(await rowOf(first)).toMatchObject({ status: 'COMPLETED' });
    await runJob(jobId);
    for (const execution of people) await turn(execution);
    for (const execution of people) {
      expect(await rowOf(execution)).toMatchObject({ status: 'COMPLETED' });
      expect(await dataOf(execution)).toEqual({ old: true });
    }
  });

  it('that comes to a step which an earlier publish removed goes where the next one says', async () => {
    const { id, rest } = await build();
    const execution = await enter(id);
    await deleteStep.run(project.ctx, { id, stepId: rest, splice: true });
    await add(id, 'More', 'UPDATE_CONTACT', { data: { more: true } }, { publish: false });
    // A set that is taken by the first version brings it to the step only after the publish.
    const place = (currentStepId: string | null) =>
      prisma().workflowExecution.update({ where: { id: execution }, data: { currentStepId } });
    await place(null);
    await publish(id, { move: 'ALL', removed: { rest: 'mark' } });
    await place(rest);
    await turn(execution, Date.now() + 2 * dayMs);
    expect(await rowOf(execution)).toMatchObject({ status: 'COMPLETED' });
    expect(await dataOf(execution)).toEqual({ old: true, more: true });
  });

  it('goes on from a step that only its second move has added', async () => {
    const { id } = await build();
    const execution = await enter(id);
    await add(id, 'More', 'UPDATE_CONTACT', { data: { more: true } }, { publish: false });
    await publish(id, { move: 'ALL' });
    const later = await add(id, 'Later', 'DELAY', day, { publish: false });
    await publish(id, { move: 'ALL' });
    await prisma().workflowExecution.update({
      where: { id: execution },
      data: { status: 'RUNNING', currentStepId: later.id },
    });
    await turn(execution);
    expect(await rowOf(execution)).toMatchObject({ status: 'WAITING', currentStepId: later.id });
  });

  it('is asked about again at a step that a publish removed, the next one had again, and a third removes', async () => {
    const { id, rest } = await build();
    await enter(id);
    await deleteStep.run(project.ctx, { id, stepId: rest, splice: true, publish: false });
    await publish(id, { move: 'ALL', removed: { rest: 'mark' } });
    await publish(id, { version: 1, move: 'ALL' });
    await enter(id);
    await deleteStep.run(project.ctx, { id, stepId: rest, splice: true, publish: false });
    expect(await previewPublish.run(project.ctx, { id, move: 'ALL' })).toMatchObject({ needed: ['rest'] });
    await expect(publish(id, { move: 'ALL' })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('stays at a step that a publish removed and the next one has again, whenever the job of the first comes', async () => {
    const { id, rest } = await build();
    const execution = await enter(id);
    await deleteStep.run(project.ctx, { id, stepId: rest, splice: true, publish: false });
    const { jobId } = await publish(id, { move: 'ALL', removed: { rest: 'EXIT' } });
    await publish(id, { version: 1, move: 'ALL' });
    await runJob(jobId);
    expect(await rowOf(execution)).toMatchObject({ status: 'WAITING', currentStepId: rest });
    await turn(execution, Date.now() + 2 * dayMs);
    expect(await rowOf(execution)).toMatchObject({ status: 'COMPLETED' });
  });

  it('is ended where its step is gone, before the job and by it', async () => {
    const { id, rest } = await build();
    const [met, rewritten] = [await enter(id), await enter(id)];
    await deleteStep.run(project.ctx, { id, stepId: rest, splice: true, publish: false });
    const { jobId } = await publish(id, { move: 'ALL', removed: { rest: 'EXIT' } });
    await turn(met, Date.now() + 2 * dayMs);
    await runJob(jobId);
    for (const execution of [met, rewritten]) {
      expect(await rowOf(execution)).toMatchObject({
        status: 'EXITED',
        exitReason: 'The workflow was changed',
      });
      expect(
        await prisma().workflowStepExecution.findFirst({ where: { executionId: execution, stepId: rest } }),
      ).toMatchObject({ status: 'SKIPPED' });
    }
  });

  it('waits until the time that was told, or as if the step had been so', async () => {
    for (const [timers, wakes] of [
      ['KEEP', 1],
      ['RECOMPUTE', 3],
    ] as const) {
      const { id, rest } = await build();
      const execution = await enter(id);
      await updateStep.run(project.ctx, {
        id,
        stepId: rest,
        config: { amount: 3, unit: 'days' },
        publish: false,
      });
      const { jobId } = await publish(id, { move: 'ALL', timers });
      if (timers === 'RECOMPUTE') await runJob(jobId);
      const { dueAt, startedAt } = await rowOf(execution);
      expect(Math.round((Number(dueAt) - Number(startedAt)) / dayMs)).toBe(wakes);
      await turn(execution, Date.now() + wakes * dayMs + 60_000);
      expect(await rowOf(execution)).toMatchObject({ status: 'COMPLETED' });
    }
  });

  it('waits until the hour that a new window says, in the zone of each contact', async () => {
    const { id, rest } = await build();
    const executions = [await enter(id), await enter(id)];
    const [tokyo = ''] = executions;
    const { contactId } = await rowOf(tokyo);
    await prisma().contact.update({ where: { id: contactId }, data: { data: { timezone: 'Asia/Tokyo' } } });
    const config = { windows: [{ from: '09:00', to: '09:30' }] };
    await updateStep.run(project.ctx, { id, stepId: rest, config, publish: false });
    const { jobId } = await publish(id, { move: 'ALL', timers: 'RECOMPUTE' });
    await runJob(jobId);
    const wakes = await Promise.all(executions.map(async (each) => (await rowOf(each)).dueAt));
    expect(wakes.map((at) => at?.toISOString().slice(11, 13))).toEqual(['00', '09']);
  });

  it('is in one set with those of other versions, and each goes on by its own', async () => {
    const { id, mark } = await build();
    const first = await enter(id);
    await updateStep.run(project.ctx, { id, stepId: mark, config: { data: { other: true } } });
    const second = await enter(id);
    const unit = { projectId: project.id, workflowId: id };
    const now = new Date(Date.now() + 2 * dayMs);
    expect((await takeSet(test.services, unit, { limit: 10, now })).taken).toBe(2);
    expect([await dataOf(first), await dataOf(second)]).toEqual([{ old: true }, { other: true }]);
    const marks = await prisma().workflowStepExecution.findMany({ where: { stepId: mark } });
    expect(Object.fromEntries(marks.map(({ executionId, version }) => [executionId, version]))).toEqual({
      [first]: 1,
      [second]: 2,
    });
  });

  it('makes no further attempt of a request whose step is gone', async () => {
    const { id, rest } = await build({ type: 'WEBHOOK', config: { url: 'https://hooks.example.com/' } });
    const contact = await buildContact(test.services, project.id);
    const { id: execution } = await startExecution.run(project.ctx, { id, contactId: contact.id });
    const unit = { projectId: project.id, workflowId: id };
    await takeSet(test.services, unit, { limit: 1, now: new Date(Date.now() + 1_000) });
    const requests = () => prisma().stepRequest.count({ where: { executionId: execution } });
    expect(await requests()).toBe(1);
    await deleteStep.run(project.ctx, { id, stepId: rest, splice: true, publish: false });
    const { jobId } = await publish(id, { move: 'ALL', removed: { rest: 'mark' } });
    await runJob(jobId);
    expect(await requests()).toBe(0);
    await turn(execution, Date.now() + 1_000);
    expect(await dataOf(execution)).toEqual({ old: true });
  });

  it('that waits for an event waits for the one of its version', async () => {
    const { id, rest } = await build({ type: 'WAIT_FOR_EVENT', config: { eventName: 'paid' } });
    const [stays] = [await enter(id)];
    await updateStep.run(project.ctx, { id, stepId: rest, config: { eventName: 'ordered' } });
    const later = await enter(id);
    const { contactId } = await rowOf(stays);
    const { contactId: other } = await rowOf(later);
    for (const contact of [contactId, other]) {
      const { email } = await prisma().contact.findUniqueOrThrow({ where: { id: contact } });
      await trackEvent.runRaw(project.publicCtx, { email, event: 'paid' });
    }
    while ((await dispatchBatch(test.services, project.id)).taken > 0);
    await turn(stays);
    expect((await rowOf(stays)).status).toBe('COMPLETED');
    expect((await rowOf(later)).status).toBe('WAITING');
  });

  it('that waits for an event which has occurred finds it when it is moved to it', async () => {
    const { id, rest } = await build({ type: 'WAIT_FOR_EVENT', config: { eventName: 'paid' } });
    const execution = await enter(id);
    const { contactId } = await rowOf(execution);
    const { email } = await prisma().contact.findUniqueOrThrow({ where: { id: contactId } });
    await trackEvent.runRaw(project.publicCtx, { email, event: 'ordered' });
    await updateStep.run(project.ctx, { id, stepId: rest, config: { eventName: 'ordered' }, publish: false });
    const { moved, jobId } = await publish(id, { move: 'ALL' });
    expect(moved).toBe(1);
    await runJob(jobId);
    await turn(execution);
    expect((await rowOf(execution)).status).toBe('COMPLETED');
  });

  it('that is moved backwards runs no step twice and passes a decision that is gone', async () => {
    const { id, steps } = await createWorkflow.run(project.ctx, {
      name: 'W',
      eventName: 'signup',
      allowReentry: true,
    });
    const ask = await add(id, 'Ask', 'CONDITION', { field: 'data.x', operator: 'notExists' });
    const count = await add(id, 'Count', 'UPDATE_CONTACT', { data: { counted: '{{ contact.data.n }}1' } });
    const rest = await add(id, 'Rest');
    await enable(id);
    expect(steps).toHaveLength(1);
    const execution = await enter(id);
    expect((await rowOf(execution)).currentStepId).toBe(rest.id);
    // The decision is another one now, without the branch that was taken; those at the wait go back to it.
    const draft = await get(id);
    await replaceGraph.run(project.ctx, {
      id,
      publish: false,
      steps: draft.steps
        .filter((step) => step.id !== rest.id)
        .map(({ id: stepId, type, name, config }) => ({
          id: stepId,
          type,
          name,
          position,
          config:
            stepId === ask.id
              ? {
                  mode: 'multi',
                  field: 'data.x',
                  branches: [{ id: 'some', name: 'Some', operator: 'exists' }],
                }
              : config,
        })),
      transitions: [
        { fromStepId: draft.steps[0]?.id ?? '', toStepId: ask.id },
        { fromStepId: ask.id, toStepId: count.id, branch: 'some' },
      ],
    });
    const { jobId } = await publish(id, { move: 'ALL', removed: { rest: 'ask' } });
    await runJob(jobId);
    await turn(execution);
    expect(await rowOf(execution)).toMatchObject({ status: 'COMPLETED' });
    const taken = await prisma().workflowStepExecution.findMany({ where: { executionId: execution } });
    expect(taken.filter(({ stepId }) => stepId === count.id)).toHaveLength(1);
  });
});

describe('races', () => {
  it('of two publishes, one is refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, rest } = await build();
      await updateStep.run(project.ctx, { id, stepId: rest, name: 'Other', publish: false });
      const both = await Promise.allSettled([publish(id), publish(id)]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect((await get(id)).version).toBe(2);
    }
  });

  it('of entries and publishes: who enters after a reply has no older version', async () => {
    const { id, rest } = await build();
    let published = 1;
    const entries: Promise<{ least: number; execution: string }>[] = [];
    for (let n = 0; n < 12; n += 1) {
      for (let k = 0; k < 5; k += 1) {
        const least = published;
        const contact = await buildContact(test.services, project.id);
        entries.push(
          startExecution
            .run(project.ctx, { id, contactId: contact.id })
            .then(({ id: execution }) => ({ least, execution })),
        );
      }
      const { version } = await updateStep.run(project.ctx, { id, stepId: rest, name: `Rest ${n}` });
      published = version ?? 0;
    }
    for (const { least, execution } of await Promise.all(entries))
      expect((await rowOf(execution)).version).toBeGreaterThanOrEqual(least);
  });
});

it('a template that a draft or a version with executions sends cannot be deleted', async () => {
  const templateId = await buildTemplate(test.services, project.id);
  const { id } = await build();
  const remove = () => deleteTemplate.run(project.ctx, { id: templateId });
  const sent = await add(id, 'Mail', 'SEND_EMAIL', {}, { templateId, publish: false });
  await expect(remove()).rejects.toMatchObject({ code: 'CONFLICT' });
  await publish(id);
  const execution = await enter(id);
  await deleteStep.run(project.ctx, { id, stepId: sent.id });
  await expect(remove()).rejects.toMatchObject({ code: 'CONFLICT' });
  await turn(execution, Date.now() + 2 * dayMs);
  await prisma().workflowExecution.update({ where: { id: execution }, data: { status: 'COMPLETED' } });
  await remove();
});
