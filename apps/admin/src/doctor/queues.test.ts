import { newId } from '@postrider/core/base/lib';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  waitingMail,
} from '@postrider/core/testing/index.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { diagnose, found, soundEnv, troubles } from './diagnose.fixture.ts';

const groups = ['queues'] as const;
const minutes = 60_000;

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

/** Each fault is alone in the database. */
beforeEach(async () => {
  const { prisma } = test.services.database;
  await prisma.$executeRaw`TRUNCATE "DeliveryBatch", "EventDispatch", "WebhookDelivery", "WorkflowExecution", "StepRequest", "Job", "IdempotencyKey", "SendBucket", "Route" CASCADE`;
  project = await createTestProject(test.services);
});

const look = () => diagnose({ ...soundEnv, DATABASE_URL: test.databaseUrl }, { groups });
const ago = (ms: number) => new Date(Date.now() - ms);

describe('email', () => {
  const due = (at: Date) =>
    test.services.database.prisma.deliveryBatch.updateMany({ data: { nextAttemptAt: at } });

  it('that is due and held by nothing', async () => {
    await waitingMail(test.services, project.id, { count: 1 });
    expect(troubles(await look())).toEqual([]);
    await due(ago(20 * minutes));
    expect(found(await look(), 'queues.email')).toMatchObject([
      {
        verdict: 'warning',
        found: expect.stringMatching(new RegExp(`20 min.*${project.id}`)),
        cause: expect.stringContaining('worker'),
      },
    ]);
  });

  it('of a retry, of a campaign', async () => {
    await waitingMail(test.services, project.id, { count: 2 });
    await test.services.database.prisma.deliveryBatch.updateMany({ data: { again: true, priority: 4 } });
    await due(ago(20 * minutes));
    expect(found(await look(), 'queues.email')).toMatchObject([{ verdict: 'warning' }]);
  });

  it('that waits for its turn within the rate is no finding', async () => {
    await waitingMail(test.services, project.id, { count: 1 });
    await due(ago(20 * minutes));
    await test.services.database.prisma.sendBucket.create({
      data: { projectId: project.id, tokens: 0, updatedAt: new Date() },
    });
    expect(troubles(await look())).toEqual([]);
  });

  it('that a process holds, or a pause, is no finding', async () => {
    await waitingMail(test.services, project.id, { count: 2 });
    await due(ago(20 * minutes));
    const { prisma } = test.services.database;
    await prisma.deliveryBatch.updateMany({ data: { held: true } });
    expect(troubles(await look())).toEqual([]);
    const [one] = await prisma.deliveryBatch.findMany();
    await prisma.deliveryBatch.updateMany({ data: { held: false } });
    await prisma.deliveryBatch.update({
      where: { id: one?.id ?? '' },
      data: { token: newId(), worker: 'a', leaseUntil: new Date(Date.now() + minutes) },
    });
    expect(troubles(await look())).toEqual([]);
  });

  it('while the route is paused', async () => {
    await waitingMail(test.services, project.id, { count: 1 });
    await due(ago(20 * minutes));
    await test.services.database.prisma.route.create({
      data: { id: 'smtp://relay:25', pausedAt: new Date(), reason: 'connect' },
    });
    expect(found(await look(), 'queues.email')).toMatchObject([
      { verdict: 'warning', cause: expect.stringContaining('paused') },
    ]);
  });

  it('whose process is gone', async () => {
    await waitingMail(test.services, project.id, { count: 1 });
    await test.services.database.prisma.deliveryBatch.updateMany({
      data: { token: newId(), worker: 'a', leaseUntil: ago(20 * minutes) },
    });
    expect(found(await look(), 'queues.email')).toMatchObject([
      { verdict: 'warning', found: expect.stringContaining('lease of 1 batch') },
    ]);
  });
});

it('events that nothing dispatches', async () => {
  await test.services.database.prisma.eventDispatch.create({
    data: { eventId: newId(), projectId: project.id, createdAt: ago(30 * minutes) },
  });
  expect(found(await look(), 'queues.events')).toMatchObject([
    { verdict: 'warning', found: expect.stringContaining('30 min') },
  ]);
});

it('executions that are due', async () => {
  await test.services.database.prisma.workflowExecution.create({
    data: {
      id: newId(),
      projectId: project.id,
      workflowId: newId(),
      contactId: newId(),
      dueAt: ago(3 * 60 * minutes),
    },
  });
  expect(found(await look(), 'queues.executions')).toMatchObject([
    { verdict: 'warning', found: expect.stringContaining('3 h') },
  ]);
});

describe('webhook deliveries', () => {
  async function delivery(data: { enabled?: boolean; claimedUntil?: Date }) {
    const { prisma } = test.services.database;
    const endpointId = newId();
    await prisma.webhookEndpoint.create({
      data: {
        id: endpointId,
        projectId: project.id,
        url: 'https://hooks.example',
        secretCipher: '-',
        enabled: data.enabled ?? true,
      },
    });
    await prisma.webhookDelivery.create({
      data: {
        ...{ id: newId(), projectId: project.id, endpointId, type: 'email.sent', data: {} },
        ...{ nextAttemptAt: ago(20 * minutes), claimedUntil: data.claimedUntil ?? null },
      },
    });
    return endpointId;
  }

  it('that nothing attempts', async () => {
    const endpointId = await delivery({});
    expect(found(await look(), 'queues.webhooks')).toMatchObject([
      { verdict: 'warning', found: expect.stringContaining(endpointId) },
    ]);
  });

  it('of a disabled endpoint, and one that is being attempted, are no finding', async () => {
    await delivery({ enabled: false });
    await delivery({ claimedUntil: new Date(Date.now() + minutes) });
    expect(troubles(await look())).toEqual([]);
  });
});

it('requests of workflows that nothing makes', async () => {
  await test.services.database.prisma.stepRequest.create({
    data: {
      ...{
        stepExecutionId: newId(),
        executionId: newId(),
        projectId: project.id,
        host: 'api.example',
        request: {},
      },
      dueAt: ago(20 * minutes),
    },
  });
  expect(found(await look(), 'queues.requests')).toMatchObject([
    { verdict: 'warning', found: expect.stringContaining('api.example') },
  ]);
});

it('jobs that nothing begins', async () => {
  await test.services.database.prisma.job.create({
    data: { id: newId(), projectId: project.id, kind: 'import', createdAt: ago(20 * minutes) },
  });
  expect(found(await look(), 'queues.jobs')).toMatchObject([{ verdict: 'warning', subject: 'jobs import' }]);
});

it('rows that should have been removed', async () => {
  const { prisma } = test.services.database;
  const [key, job] = [newId(), newId()];
  await prisma.idempotencyKey.create({
    data: { projectId: project.id, key, request: 'x', createdAt: ago(25 * 60 * minutes) },
  });
  await prisma.job.create({
    data: {
      id: job,
      projectId: project.id,
      kind: 'import',
      state: 'completed',
      completedAt: ago(6 * 24 * 60 * minutes),
    },
  });
  expect(troubles(await look())).toEqual([]);
  await prisma.idempotencyKey.updateMany({ data: { createdAt: ago(31 * 60 * minutes) } });
  await prisma.job.updateMany({ data: { completedAt: ago(8 * 24 * 60 * minutes) } });
  expect(found(await look(), 'queues.expired').map(({ subject, verdict }) => [subject, verdict])).toEqual([
    ['jobs', 'warning'],
    ['idempotency keys', 'warning'],
  ]);
});

it('a sound installation has no finding', async () => {
  expect(troubles(await look())).toEqual([]);
});
