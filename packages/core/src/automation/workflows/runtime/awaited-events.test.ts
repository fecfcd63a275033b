import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../../testing/index.ts';
import { dispatchBatch } from './dispatch-events.ts';
import {
  advanceExecution,
  buildContact,
  buildTemplate,
  buildWorkflow,
  type GivenStep,
  storeEvent,
} from './runtime.fixture.ts';
import { takeSet } from './take-set.ts';

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

/** Dispatches all events and takes all that is due. */
async function settle(workflowId: string): Promise<void> {
  while ((await dispatchBatch(test.services, project.id)).taken > 0);
  const now = new Date();
  while (
    (await takeSet(test.services, { projectId: project.id, workflowId }, { limit: 500, now })).taken > 0
  );
}

const build = (steps: Record<string, GivenStep>) => buildWorkflow(test.services, project.id, steps);

async function outputs(workflowId: string, contactId: string): Promise<Record<string, unknown>[]> {
  const execution = await prisma().workflowExecution.findFirstOrThrow({ where: { workflowId, contactId } });
  const rows = await prisma().workflowStepExecution.findMany({
    where: { executionId: execution.id },
    orderBy: { startedAt: 'asc' },
  });
  return rows.map(({ output }) => (output ?? {}) as Record<string, unknown>);
}
const statusOf = async (workflowId: string, contactId: string) =>
  (await prisma().workflowExecution.findFirstOrThrow({ where: { workflowId, contactId } })).status;
const send = (contactId: string, name: string, data?: object) =>
  storeEvent(test.services, { projectId: project.id, contactId, name, ...(data && { data }) });

describe('a wait for an event with the value of a variable', () => {
  const wait = (value: string, more: object = {}) =>
    build({
      wait: {
        type: 'WAIT_FOR_EVENT',
        config: {
          events: [{ eventName: 'paid', where: [{ property: 'orderId', operator: 'equals', value }] }],
          ...more,
        },
      },
    });

  it('ends by the order of its own execution, in whatever sequence orders are paid', async () => {
    const workflow = await wait('{{event.orderId}}');
    const people = await Promise.all(
      Array.from({ length: 60 }, () => buildContact(test.services, project.id)),
    );
    const orders = people.map((_, index) => index * 3 + (index % 3));
    for (const [index, { id }] of people.entries()) await send(id, 'signup', { orderId: orders[index] });
    await settle(workflow.id);
    // Each pays three orders, one of which is the one that the execution is about.
    for (const [index, { id }] of people.entries())
      for (const offset of [2, 0, 1]) await send(id, 'paid', { orderId: index * 3 + offset, offset });
    await settle(workflow.id);
    for (const [index, { id }] of people.entries()) {
      const [, ended] = await outputs(workflow.id, id);
      expect(ended).toMatchObject({
        waitOutcome: 'EVENT',
        eventName: 'paid',
        eventData: { orderId: orders[index], offset: index % 3 },
      });
    }
  });

  it.each([
    ['another type', { orderId: '5' }, { orderId: 5 }],
    ['a missing variable and a missing property', {}, {}],
    ['a missing variable and an empty text', {}, { orderId: '' }],
    ['null', { orderId: null }, { orderId: null }],
  ])('goes on waiting with %s', async (_, context, data) => {
    const workflow = await wait('{{ orderId }}');
    const { id } = await buildContact(test.services, project.id);
    await send(id, 'signup', context);
    await settle(workflow.id);
    await send(id, 'paid', data);
    await settle(workflow.id);
    expect(await statusOf(workflow.id, id)).toBe('WAITING');
  });

  it('takes a value of the contact, and one that is text with braces as it is', async () => {
    const workflow = await wait('{{ favourite }}');
    const { id } = await buildContact(test.services, project.id, { data: { favourite: true } });
    await send(id, 'signup', {});
    await settle(workflow.id);
    await send(id, 'paid', { orderId: 'true' });
    await send(id, 'paid', { orderId: true, right: 1 });
    await settle(workflow.id);
    expect((await outputs(workflow.id, id))[1]).toMatchObject({ eventData: { right: 1 } });
  });
});

describe('a wait for several events', () => {
  const several = {
    events: [
      { eventName: 'paid', where: [{ property: 'total', operator: 'greaterThan', value: 10 }] },
      { eventName: 'cancelled' },
    ],
  };

  it('ends by the first that it accepts, whose data the context then has', async () => {
    const workflow = await build({ wait: { type: 'WAIT_FOR_EVENT', config: several } });
    const { id } = await buildContact(test.services, project.id);
    await send(id, 'signup', { total: 1 });
    await settle(workflow.id);
    await send(id, 'paid', { total: 5 });
    await settle(workflow.id);
    expect(await statusOf(workflow.id, id)).toBe('WAITING');
    await send(id, 'cancelled', { why: 'late' });
    await send(id, 'paid', { total: 50 });
    await settle(workflow.id);
    expect((await outputs(workflow.id, id))[1]).toMatchObject({
      eventName: 'cancelled',
      waitOutcome: 'EVENT',
    });
    const { context } = await prisma().workflowExecution.findFirstOrThrow({
      where: { workflowId: workflow.id },
    });
    expect(context).toEqual({ total: 1, why: 'late' });
  });

  it('tells after its timeout which did not occur', async () => {
    const workflow = await build({ wait: { type: 'WAIT_FOR_EVENT', config: { ...several, timeout: 1 } } });
    const { id } = await buildContact(test.services, project.id);
    await send(id, 'signup', {});
    await settle(workflow.id);
    const now = new Date(Date.now() + 5_000);
    await takeSet(test.services, { projectId: project.id, workflowId: workflow.id }, { limit: 500, now });
    expect((await outputs(workflow.id, id))[1]).toEqual({
      waitOutcome: 'TIMEOUT',
      timedOut: true,
      eventNames: ['paid', 'cancelled'],
    });
  });

  it('is found by an event between its source event and its beginning', async () => {
    const workflow = await build({ wait: { type: 'WAIT_FOR_EVENT', config: several } });
    const { id } = await buildContact(test.services, project.id);
    await send(id, 'signup', {});
    await send(id, 'paid', { total: 11 });
    await settle(workflow.id);
    expect((await outputs(workflow.id, id))[1]).toMatchObject({ eventName: 'paid' });
  });
});

describe('the reason of an exit', () => {
  it.each([
    ['bought {{event.product}}', { product: 'shoes' }, 'bought shoes'],
    ['{{event.product}}', {}, 'exit_step'],
    ['{{ plan | upcase }}!', { plan: 'pro' }, 'PRO!'],
    ['{{event.product}}', { product: 'x'.repeat(500) }, 'x'.repeat(200)],
  ])('%s with %j is %s', async (reason, context, expected) => {
    const workflow = await build({ end: { type: 'EXIT', config: { reason } } });
    const { id } = await buildContact(test.services, project.id);
    await send(id, 'signup', context);
    while ((await dispatchBatch(test.services, project.id)).taken > 0);
    const { id: executionId } = await prisma().workflowExecution.findFirstOrThrow({
      where: { workflowId: workflow.id },
    });
    await advanceExecution(test.services, executionId);
    const { exitReason, status } = await prisma().workflowExecution.findFirstOrThrow({
      where: { workflowId: workflow.id },
    });
    expect([status, exitReason]).toEqual(['EXITED', expected]);
  });
});

it('a condition on the email of a step sees whether it was skipped, though both are taken in one set', async () => {
  await verifiedDomain(test.services, project.id, 'mail.test');
  const templateId = await buildTemplate(test.services, project.id, { type: 'MARKETING' });
  const condition = {
    logic: 'AND',
    groups: [{ filters: [{ field: 'step.hello.skipped', operator: 'occurred' }] }],
  };
  const workflow = await build({
    hello: { type: 'SEND_EMAIL', config: {}, templateId },
    ask: { type: 'CONDITION', config: { condition } },
  });
  const people = await Promise.all(
    [true, false].map((subscribed) => buildContact(test.services, project.id, { subscribed })),
  );
  for (const { id } of people) await send(id, 'signup', {});
  await settle(workflow.id);
  const found = await Promise.all(people.map(async ({ id }) => (await outputs(workflow.id, id)).at(-1)));
  expect(found).toEqual([
    {
      branch: 'no',
      result: false,
      because: [{ ...condition.groups[0]?.filters[0], expected: null, actual: null, matches: false }],
    },
    {
      branch: 'yes',
      result: true,
      because: [{ ...condition.groups[0]?.filters[0], expected: null, actual: null, matches: true }],
    },
  ]);
  expect(await prisma().email.count({ where: { projectId: project.id } })).toBe(2);
});

it('the email of another project decides nothing, whatever the output of a step says', async () => {
  const other = await createTestProject(test.services);
  const condition = {
    logic: 'AND',
    groups: [{ filters: [{ field: 'step.ask.sent', operator: 'occurred' }] }],
  };
  const workflow = await build({
    ask: { type: 'WAIT_FOR_EVENT', config: { eventName: 'go' } },
    judge: { type: 'CONDITION', config: { condition } },
  });
  const branchWith = async (projectId: string): Promise<unknown> => {
    const { id: contactId, email: to } = await buildContact(test.services, projectId);
    const emailId = newId();
    const stamps = { contentId: newId(), sentAt: new Date(), sourceType: 'CAMPAIGN' as const };
    await prisma().email.createMany({
      data: [{ id: emailId, projectId, contactId, to, type: 'MARKETING', ...stamps }],
    });
    const { id } = await buildContact(test.services, project.id);
    await send(id, 'signup', {});
    await settle(workflow.id);
    const { id: executionId } = await prisma().workflowExecution.findFirstOrThrow({
      where: { contactId: id },
    });
    await prisma().workflowStepExecution.updateMany({
      where: { executionId, stepId: workflow.step('ask') },
      data: { status: 'COMPLETED', output: { emailId, waitOutcome: 'EVENT' } },
    });
    await prisma().workflowExecution.update({ where: { id: executionId }, data: { dueAt: new Date() } });
    await settle(workflow.id);
    return (await outputs(workflow.id, id)).at(-1)?.['branch'];
  };
  expect([await branchWith(project.id), await branchWith(other.id)]).toEqual(['yes', 'no']);
});
