import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { trackEvent } from '@postrider/core/audience/events';
import {
  addStep,
  addTransition,
  createWorkflow,
  driveExecutionsJob,
  ExecutionRunners,
  RequestRuntime,
  shards,
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
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startJob } from '../testing/jobs.ts';
import { createServerEnvironment, type ServerEnvironment, withWorker } from '../testing/time-skipping.ts';
import { createExecutionActivities } from './executions.activities.ts';
import { createWorkflowActivities } from './workflows.activities.ts';

let test: TestServices;
let services: Services;
let environment: ServerEnvironment;
let runners: ExecutionRunners;
let requests: RequestRuntime;
let hook: Server;
const answers: { delivery: string; status: number }[] = [];

beforeAll(async () => {
  hook = createServer((request, response) => {
    request.resume();
    const delivery = String(request.headers['x-postrider-delivery']);
    // The first attempt of every delivery fails, so every webhook needs a second one.
    const status = answers.some((answer) => answer.delivery === delivery) ? 200 : 503;
    answers.push({ delivery, status });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const { port } = hook.address() as AddressInfo;
  [test, environment] = await Promise.all([
    createTestServices({ env: { WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${port}` } }),
    createServerEnvironment(),
  ]);
  services = test.services;
  runners = new ExecutionRunners(services);
  requests = new RequestRuntime(services);
}, 300_000);

afterAll(async () => {
  await Promise.all([runners.stop(), requests.stop()]);
  await environment.teardown();
  await test.close();
  hook.closeAllConnections();
  hook.close();
});

const schedules = { align: async () => undefined };
const patience = { timeout: 60_000 };

/** Beside a worker whose process drives all shards. */
const run = (work: () => Promise<void>): Promise<void> =>
  withWorker(
    environment,
    createWorkflowActivities(services, schedules),
    async () => {
      for (let shard = 0; shard < shards; shard += 1)
        await startJob(environment, driveExecutionsJob, { shard });
      await work();
    },
    { executions: createExecutionActivities(services, runners) },
  );

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

it('an onboarding of weeks takes each contact through its own branch, each step once', async () => {
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

  /** Lets the time pass that executions wait for. */
  const passTime = () =>
    prisma.$transaction([
      prisma.$executeRaw`UPDATE "WorkflowStepExecution" SET "scheduledFor" = now() - interval '1 second'
        WHERE "projectId" = ${project.id}::uuid AND "status" IN ('SCHEDULED', 'WAITING')`,
      prisma.$executeRaw`UPDATE "WorkflowExecution" SET "dueAt" = now() WHERE "projectId" = ${project.id}::uuid AND "dueAt" IS NOT NULL`,
    ]);
  await run(async () => {
    await expect.poll(standing, patience).toEqual(Array(3).fill('WAITING rest'));
    await passTime();
    await expect.poll(standing, patience).toEqual(Array(3).fill('WAITING wait'));
    await track('pro', 'activated', { how: 'app' });
    await track('free', 'activated', {});
    const ended = async () => (await standing()).filter((each) => each.startsWith('EXITED')).length;
    await expect.poll(ended, patience).toBe(2);
    await passTime();
    await expect.poll(standing, patience).toContain('WAITING long');
    await passTime();
    await expect.poll(ended, patience).toBe(3);
  });

  const ended = await executions();
  expect(ended).toMatchObject({
    pro: { status: 'EXITED', exitReason: 'pro', context: { plan: 'pro', how: 'app' } },
    free: { status: 'EXITED', exitReason: 'free' },
    cold: { status: 'EXITED', exitReason: 'cold' },
  });
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
