import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../../testing/index.ts';
import { advanceExecution } from './advance-execution.ts';
import {
  type BuiltWorkflow,
  buildContact,
  buildTemplate,
  buildWorkflow,
  type GivenStep,
  storeEvent,
} from './runtime.fixture.ts';

let test: TestServices;
let project: TestProject;
let templateId: string;

beforeAll(async () => {
  const made = await createTestServices();
  // No Temporal server runs here; signals to it may be lost.
  test = {
    ...made,
    services: {
      ...made.services,
      workflows: { ...made.services.workflows, signalDebounced: () => undefined },
    },
  };
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
  templateId = await buildTemplate(test.services, project.id);
});

const turn = (id: string) => advanceExecution(test.services, id, async () => Date.now());

/** Consecutive steps; conditions continue along one branch. */
function build(steps: Record<string, GivenStep>, branch = 'yes'): Promise<BuiltWorkflow> {
  const names = ['trigger', ...Object.keys(steps)];
  const transitions = names.slice(1).map((to, index) => {
    const from = names[index] ?? '';
    return steps[from]?.type === 'CONDITION' ? { from, to, branch } : { from, to };
  });
  return buildWorkflow(test.services, project.id, steps, { transitions });
}

const rowOf = (id: string) =>
  test.services.database.prisma.workflowExecution.findUniqueOrThrow({ where: { id } });
const mailsOf = (id: string) =>
  test.services.database.prisma.email.count({ where: { workflowExecutionId: id } });

async function enter(workflow: BuiltWorkflow): Promise<{ id: string; contactId: string }> {
  const contact = await buildContact(test.services, project.id, { data: { plan: 'pro' } });
  const id = newId();
  await test.services.database.prisma.workflowExecution.create({
    data: { id, projectId: project.id, workflowId: workflow.id, contactId: contact.id, wakeSeq: 1 },
  });
  return { id, contactId: contact.id };
}

interface TakenStep {
  stepId: string;
  status: string;
  output: Record<string, unknown> | null;
  transaction: string;
}

/** The names of the steps in their order, with the transaction that wrote each. */
async function stepsOf(id: string, workflow: BuiltWorkflow) {
  const rows = await test.services.database.prisma.$queryRaw<TakenStep[]>`
    SELECT "stepId", "status"::text AS "status", "output", xmin::text AS "transaction" FROM "WorkflowStepExecution"
    WHERE "executionId" = ${id}::uuid ORDER BY "startedAt", "createdAt", "id"`;
  return rows.map(({ stepId, ...row }) => ({ name: workflow.nameOf(stepId), ...row }));
}

const mail = (): GivenStep => ({ type: 'SEND_EMAIL', templateId });
const isPro = {
  type: 'CONDITION',
  config: { field: 'data.plan', operator: 'equals', value: 'pro' },
} as const;

it('steps that need only the database run in one transaction, in their order', async () => {
  const workflow = await build({ mail: mail(), ask: isPro, out: { type: 'EXIT' } });
  const { id } = await enter(workflow);
  expect(await turn(id)).toEqual({ kind: 'end' });
  const steps = await stepsOf(id, workflow);
  expect(steps.map(({ name, status }) => [name, status])).toEqual([
    ['trigger', 'COMPLETED'],
    ['mail', 'COMPLETED'],
    ['ask', 'COMPLETED'],
    ['out', 'COMPLETED'],
  ]);
  expect(new Set(steps.map(({ transaction }) => transaction)).size).toBe(1);
  const row = await rowOf(id);
  expect(row).toMatchObject({ status: 'EXITED', currentStepId: workflow.step('out') });
  expect(row.seenSeq).toBe(row.wakeSeq);
});

it('concurrent ticks run each step of a long path once, with two emails and a contact change between them', async () => {
  const steps = {
    first: mail(),
    set: { type: 'UPDATE_CONTACT', config: { data: { plan: 'gold' } } },
    ask: isPro,
    second: mail(),
    third: mail(),
  } as const;
  const workflow = await build(steps, 'no');
  const entered = await Promise.all(Array.from({ length: 5 }, () => enter(workflow)));
  await Promise.all([...entered, ...entered, ...entered].map(({ id }) => turn(id)));
  for (const { id } of entered) {
    const taken = await stepsOf(id, workflow);
    expect(taken.map(({ name }) => name)).toEqual(['trigger', 'first', 'set', 'ask', 'second', 'third']);
    // A condition reads the result of the step before it.
    expect(taken[3]?.output).toMatchObject({ actualValue: 'gold', result: false });
    expect(await mailsOf(id)).toBe(3);
    expect((await rowOf(id)).status).toBe('COMPLETED');
  }
});

it('a step that can never succeed fails alone: earlier steps stay completed and do not run again', async () => {
  const workflow = await build({
    mail: mail(),
    ask: isPro,
    // Written directly, because the API refuses a configuration that is invalid at run time.
    broken: { type: 'UPDATE_CONTACT', config: { data: { x: '{{ oops' } } },
    out: { type: 'EXIT' },
  });
  const { id } = await enter(workflow);
  expect(await turn(id)).toEqual({ kind: 'end' });
  expect(await turn(id)).toEqual({ kind: 'end' });
  expect((await stepsOf(id, workflow)).map(({ name, status }) => [name, status])).toEqual([
    ['trigger', 'COMPLETED'],
    ['mail', 'COMPLETED'],
    ['ask', 'COMPLETED'],
    ['broken', 'FAILED'],
  ]);
  expect(await mailsOf(id)).toBe(1);
  expect(await rowOf(id)).toMatchObject({
    status: 'FAILED',
    exitReason: expect.stringContaining('invalid template'),
    currentStepId: workflow.step('broken'),
  });
});

it('steps before a failing one complete, even if the transaction they share fails', async () => {
  const custom = { recipient: { type: 'CUSTOM', customEmail: '{{ oops' } };
  const workflow = await build({ ask: isPro, broken: { ...mail(), config: custom }, out: { type: 'EXIT' } });
  const { id } = await enter(workflow);
  expect(await turn(id)).toEqual({ kind: 'end' });
  expect((await stepsOf(id, workflow)).map(({ name, status }) => [name, status])).toEqual([
    ['trigger', 'COMPLETED'],
    ['ask', 'COMPLETED'],
    ['broken', 'FAILED'],
  ]);
  expect(await mailsOf(id)).toBe(0);
  expect((await rowOf(id)).status).toBe('FAILED');
});

it('the data of an event is in the context of the steps that follow the end of its wait', async () => {
  const workflow = await build({
    wait: { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid' } },
    ask: { type: 'CONDITION', config: { field: 'event.amount', operator: 'greaterThan', value: 10 } },
    out: { type: 'EXIT' },
  });
  const { id, contactId } = await enter(workflow);
  expect(await turn(id)).toEqual({ kind: 'wait', until: null });
  const waiting = await rowOf(id);
  expect(waiting.seenSeq).toBe(waiting.wakeSeq);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await storeEvent(test.services, { projectId: project.id, contactId, name: 'paid', data: { amount: 12 } });
  expect(await turn(id)).toEqual({ kind: 'end' });
  expect((await stepsOf(id, workflow)).find(({ name }) => name === 'ask')?.output).toMatchObject({
    actualValue: 12,
    branch: 'yes',
  });
  expect((await rowOf(id)).context).toEqual({ amount: 12 });
});
