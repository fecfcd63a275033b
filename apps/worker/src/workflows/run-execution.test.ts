import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { trackEvent } from '@postrider/core/audience/events';
import {
  addStep,
  addTransition,
  createWorkflow,
  dispatchEventsJob,
  runExecutionJob,
  startExecution,
  updateWorkflow,
} from '@postrider/core/automation/workflows';
import type { Services } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '@postrider/core/testing';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signalling } from '../testing/jobs.ts';
import { createTimeSkippingEnvironment, withWorker } from '../testing/time-skipping.ts';
import {
  createTickActivities,
  createWebhookActivities,
  createWorkflowActivities,
} from './workflows.activities.ts';

let test: TestServices;
let services: Services;
let environment: TestWorkflowEnvironment;
let hook: Server;
const answers: { delivery: string; status: number }[] = [];
/** requests that were not answered */
const silent: string[] = [];

beforeAll(async () => {
  hook = createServer((request, response) => {
    request.resume();
    const delivery = String(request.headers['x-postrider-delivery']);
    if (request.url === '/silent') {
      silent.push(delivery);
      return;
    }
    // The first attempt of every delivery fails, so every webhook needs a second one.
    const status = answers.some((answer) => answer.delivery === delivery) ? 200 : 503;
    answers.push({ delivery, status });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const { port } = hook.address() as AddressInfo;
  [test, environment] = await Promise.all([
    createTestServices({ env: { WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${port}` } }),
    createTimeSkippingEnvironment(),
  ]);
  services = signalling(environment, test.services);
}, 300_000);

afterAll(async () => {
  await environment.teardown();
  await test.close();
  hook.closeAllConnections();
  hook.close();
});

const schedules = { align: async () => undefined };
const clock = () => environment.currentTimeMs();

const run = (work: () => Promise<void>, by = services): Promise<void> =>
  withWorker(environment, createWorkflowActivities(by, schedules), work, {
    executions: createTickActivities(by, clock),
    webhooks: createWebhookActivities(by, clock),
  });

const at = { x: 0, y: 0 };

/** An email, three days, a wait of a week; then a webhook and an update, an immediate end, or a second email and 20 days. */
async function buildOnboarding(project: TestProject): Promise<string> {
  const { port } = hook.address() as AddressInfo;
  const templateId = newId();
  await services.database.prisma.template.create({
    data: {
      id: templateId,
      projectId: project.id,
      name: 'Welcome',
      subject: 'Hi',
      body: '<p>{{event.plan}}</p>',
      from: 'us@mail.test',
      type: 'TRANSACTIONAL',
    },
  });
  const { id } = await createWorkflow.run(project.ctx, { name: 'Onboarding', eventName: 'signup' });
  const add = async (type: string, name: string, config: object, more: object = {}) =>
    (await addStep.runRaw(project.ctx, { id, type, name, position: at, config, autoConnect: false, ...more }))
      .id;
  const trigger = await services.database.prisma.workflowStep.findFirstOrThrow({ where: { workflowId: id } });
  const welcome = await add('SEND_EMAIL', 'welcome', {}, { templateId });
  const rest = await add('DELAY', 'rest', { amount: 3, unit: 'days' });
  const wait = await add('WAIT_FOR_EVENT', 'wait', { eventName: 'activated', timeout: 7 * 86_400 });
  const isPro = await add('CONDITION', 'is pro', { field: 'event.plan', operator: 'equals', value: 'pro' });
  const webhook = await add('WEBHOOK', 'webhook', { url: `http://127.0.0.1:${port}/` });
  const update = await add('UPDATE_CONTACT', 'update', { data: { stage: 'active as {{event.plan}}' } });
  const pro = await add('EXIT', 'pro', { reason: 'pro' });
  const free = await add('EXIT', 'free', { reason: 'free' });
  const reminder = await add('SEND_EMAIL', 'reminder', {}, { templateId });
  const long = await add('DELAY', 'long', { amount: 20, unit: 'days' });
  const cold = await add('EXIT', 'cold', { reason: 'cold' });
  const join = (fromStepId: string, toStepId: string, more: object = {}) =>
    addTransition.run(project.ctx, { id, fromStepId, toStepId, ...more });
  await join(trigger.id, welcome);
  await join(welcome, rest);
  await join(rest, wait);
  await join(wait, isPro, { waitOutcome: 'EVENT' });
  await join(wait, reminder, { waitOutcome: 'TIMEOUT' });
  await join(isPro, webhook, { branch: 'yes' });
  await join(isPro, free, { branch: 'no' });
  await join(webhook, update);
  await join(update, pro);
  await join(reminder, long);
  await join(long, cold);
  await updateWorkflow.run(project.ctx, { id, enabled: true });
  return id;
}

it('a 30-day onboarding takes each contact through its own branch, each step once', async () => {
  const { prisma } = services.database;
  const project = await createTestProject(services);
  await verifiedDomain(services, project.id, 'mail.test');
  const workflowId = await buildOnboarding(project);
  const plans = { pro: 'pro', free: 'free', cold: 'pro' } as const;
  const track = (name: string, event: string, data: object) =>
    trackEvent.runRaw(project.publicCtx, { email: `${name}@people.test`, event, data });
  for (const [name, plan] of Object.entries(plans)) await track(name, 'signup', { plan });

  const executions = async () => {
    const rows = await prisma.workflowExecution.findMany({ where: { workflowId } });
    const contacts = await prisma.contact.findMany({
      where: { id: { in: rows.map((row) => row.contactId) } },
    });
    const nameOf = new Map(contacts.map(({ id, email }) => [id, email.split('@')[0] ?? '']));
    return Object.fromEntries(rows.map((row) => [nameOf.get(row.contactId) ?? '', row]));
  };
  const standing = async () => {
    const steps = await prisma.workflowStep.findMany({ where: { workflowId } });
    const nameOf = new Map(steps.map(({ id, name }) => [id, name]));
    return Object.values(await executions()).map(
      ({ status, currentStepId }) => `${status} ${nameOf.get(currentStepId ?? '') ?? ''}`,
    );
  };

  const began = await environment.currentTimeMs();
  await run(async () => {
    const dispatch = () => services.workflows.signal(dispatchEventsJob, { projectId: project.id });
    await dispatch();
    await expect.poll(standing).toEqual(Array(3).fill('WAITING rest'));
    await environment.sleep('3 days');
    await expect.poll(standing).toEqual(Array(3).fill('WAITING wait'));
    await track('pro', 'activated', { how: 'app' });
    await track('free', 'activated', {});
    await dispatch();
    for (const { id } of Object.values(await executions())) {
      await environment.client.workflow.getHandle(runExecutionJob.id({ executionId: id })).result();
    }
  });

  const ended = await executions();
  expect(ended).toMatchObject({
    pro: { status: 'EXITED', exitReason: 'pro', context: { plan: 'pro', how: 'app' } },
    free: { status: 'EXITED', exitReason: 'free' },
    cold: { status: 'EXITED', exitReason: 'cold' },
  });
  expect((await environment.currentTimeMs()) - began).toBeGreaterThanOrEqual(30 * 86_400_000);
  const steps = await prisma.workflowStepExecution.groupBy({
    by: ['executionId', 'status'],
    where: { projectId: project.id },
    _count: true,
  });
  const countOf = (id: string | undefined) =>
    steps.filter(({ executionId }) => executionId === id).map(({ status, _count }) => [status, _count]);
  expect(countOf(ended['pro']?.id)).toEqual([['COMPLETED', 8]]);
  expect(countOf(ended['free']?.id)).toEqual([['COMPLETED', 6]]);
  expect(countOf(ended['cold']?.id)).toEqual([['COMPLETED', 7]]);
  expect(await prisma.email.count({ where: { projectId: project.id } })).toBe(4);
  expect(answers.map(({ status }) => status)).toEqual([503, 200]);
  expect(new Set(answers.map(({ delivery }) => delivery)).size).toBe(1);
  expect(await prisma.contact.findFirstOrThrow({ where: { email: 'pro@people.test' } })).toMatchObject({
    data: { stage: 'active as pro' },
  });
});

it('an execution continues from its rows after the store of Temporal was emptied', async () => {
  const { prisma } = services.database;
  const project = await createTestProject(services);
  await verifiedDomain(services, project.id, 'mail.test');
  const workflowId = await buildOnboarding(project);
  await trackEvent.run(project.publicCtx, { email: 'lost@people.test', event: 'signup', data: {} });
  const row = () => prisma.workflowExecution.findFirstOrThrow({ where: { workflowId } });
  await run(async () => {
    await services.workflows.signal(dispatchEventsJob, { projectId: project.id });
    await expect
      .poll(async () => (await prisma.workflowExecution.findFirst({ where: { workflowId } }))?.status)
      .toBe('WAITING');
    const { id } = await row();
    const handle = environment.client.workflow.getHandle(runExecutionJob.id({ executionId: id }));
    // After a workflow is terminated during an activity or a task of its own, the server never skips time again.
    const lastEvent = async () => (await handle.fetchHistory()).events?.at(-1);
    await expect.poll(async () => (await lastEvent())?.timerStartedEventAttributes).toBeTruthy();
    await handle.terminate('the store of Temporal was emptied');
    await services.workflows.signal(runExecutionJob, { executionId: id });
    await environment.client.workflow.getHandle(runExecutionJob.id({ executionId: id })).result();
  });
  expect(await row()).toMatchObject({ status: 'EXITED', exitReason: 'cold' });
  expect(await prisma.email.count({ where: { projectId: project.id } })).toBe(2);
});

/** A workflow that calls the host at a path from the contact's data, entered by these contacts. */
async function callingExecutions(paths: string[]) {
  const { prisma } = services.database;
  const project = await createTestProject(services);
  const { port } = hook.address() as AddressInfo;
  const { id } = await createWorkflow.run(project.ctx, { name: 'Call', eventName: 'signup' });
  const config = { url: `http://127.0.0.1:${port}/{{path}}` };
  await addStep.run(project.ctx, { id, type: 'WEBHOOK', name: 'call', position: at, config });
  await addStep.run(project.ctx, { id, type: 'EXIT', name: 'called', position: at, config: {} });
  await updateWorkflow.run(project.ctx, { id, enabled: true });
  const executions: { id: string; row(): ReturnType<typeof prisma.workflowExecution.findUniqueOrThrow> }[] =
    [];
  for (const path of paths) {
    const contactId = newId();
    await prisma.contact.create({
      data: { id: contactId, projectId: project.id, email: `${contactId}@people.test`, data: { path } },
    });
    const execution = await startExecution.run(project.ctx, { id, contactId });
    const row = () => prisma.workflowExecution.findUniqueOrThrow({ where: { id: execution.id } });
    executions.push({ id: execution.id, row });
  }
  return executions;
}

const finish = async (executions: { id: string }[]): Promise<void> => {
  for (const { id: executionId } of executions)
    await services.workflows.signal(runExecutionJob, { executionId });
  for (const { id: executionId } of executions)
    await environment.client.workflow.getHandle(runExecutionJob.id({ executionId })).result();
};

/** The queue on which each type of activity of an execution ran. */
async function queuesOf(executionId: string): Promise<Record<string, string>> {
  const handle = environment.client.workflow.getHandle(runExecutionJob.id({ executionId }));
  const { events } = await handle.fetchHistory();
  const scheduled = (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
  return Object.fromEntries(
    scheduled.map(({ activityType, taskQueue }) => [activityType?.name ?? '', taskQueue?.name ?? '']),
  );
}

it('a host that never answers fails only the execution of its contact, after five attempts', async () => {
  const executions = await callingExecutions(['silent', 'fine']);
  const timeouts: number[] = [];
  const impatient: Services = {
    ...services,
    http: {
      ...services.http,
      send: (request) => {
        timeouts.push(request.timeoutMs);
        return services.http.send({ ...request, timeoutMs: 300 });
      },
    },
  };
  const began = await clock();
  await run(() => finish(executions), impatient);
  const [poison, fine] = await Promise.all(executions.map(({ row }) => row()));
  expect(fine).toMatchObject({ status: 'EXITED' });
  expect(poison).toMatchObject({
    status: 'FAILED',
    exitReason: expect.stringMatching(/^The webhook failed after 5 attempts: .*answer/),
  });
  expect(silent).toHaveLength(5);
  expect(new Set(silent).size).toBe(1);
  expect(new Set(timeouts)).toEqual(new Set([10_000]));
  // An execution that waits for such a host takes no slot from others.
  expect(await queuesOf(executions[0]?.id ?? '')).toEqual({
    takeTurn: 'executions',
    takeCallingTurn: 'webhooks',
  });
  expect((await clock()) - began).toBeGreaterThanOrEqual((1 + 4 + 16 + 60) * 1_000);
});
