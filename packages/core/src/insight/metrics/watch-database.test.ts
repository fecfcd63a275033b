import { register } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { alwaysFull, cutAt, hourMs, idAt, insertRow, slicedNames } from '../../base/slices/slices.fixture.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  waitingMail,
} from '../../testing/index.ts';
import { mostCounted } from './queues.store.ts';
import { lookAtDatabase, watchDatabase } from './watch-database.ts';

const minutes = 60_000;
const ago = (ms: number): Date => new Date(Date.now() - ms);

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  const { prisma } = test.services.database;
  await prisma.$executeRaw`TRUNCATE "DeliveryBatch", "EventDispatch", "WebhookDelivery", "WorkflowExecution", "WorkflowDue", "StepRequest", "Job", "IdempotencyKey", "Route" CASCADE`;
  await prisma.installation.update({ where: { id: 1 }, data: { hold: null, backedUpAt: null } });
  project = await createTestProject(test.services);
});

const look = () => lookAtDatabase(test.services);

async function queueOf(name: string): Promise<{ length: number; oldestSeconds: number }> {
  const { mail, queues } = await look();
  const found = [...mail.queues, ...queues].find(({ queue }) => queue === name);
  if (!found) throw new Error(`there is no queue ${name}`);
  return { length: found.length, oldestSeconds: Math.floor(found.oldestSeconds / 30) * 30 };
}

const batches = async (data: object): Promise<void> => {
  await test.services.database.prisma.deliveryBatch.updateMany({
    data: data as Parameters<typeof test.services.database.prisma.deliveryBatch.updateMany>[0]['data'],
  });
};

describe('email', () => {
  it.each([
    ['direct', { priority: 1 }],
    ['workflow', { priority: 2 }],
    ['campaign', { priority: 4 }],
    ['retry', { priority: 1, again: true }],
  ])('that is due is counted as %s', async (queue, data) => {
    await waitingMail(test.services, project.id, { count: 1 });
    await batches({ ...data, nextAttemptAt: ago(5 * minutes) });
    const other = await createTestProject(test.services);
    await waitingMail(test.services, other.id, { count: 1 });
    await test.services.database.prisma.deliveryBatch.updateMany({
      where: { projectId: other.id },
      data: { ...data, nextAttemptAt: ago(2 * minutes) },
    });
    expect(await queueOf(queue)).toEqual({ length: 2, oldestSeconds: 300 });
    const { mail } = await look();
    const others = mail.queues.filter((each) => each.queue !== queue);
    expect(others.map(({ length, oldestSeconds }) => [length, oldestSeconds])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    expect(mail.held).toEqual({ scheduled: 0, retry: 0, paused: 0, held: 0 });
  });

  it('that is scheduled is not due, whatever its time', async () => {
    await waitingMail(test.services, project.id, { count: 1 });
    await batches({ nextAttemptAt: new Date(Date.now() + minutes) });
    const { mail } = await look();
    expect(mail.queues.every(({ length, oldestSeconds }) => length === 0 && oldestSeconds === 0)).toBe(true);
    expect(mail.held).toEqual({ scheduled: 1, retry: 0, paused: 0, held: 0 });
  });

  it('that waits for its retry, is paused, or is claimed, is not due', async () => {
    await waitingMail(test.services, project.id, { count: 1 });
    await batches({ again: true, nextAttemptAt: new Date(Date.now() + minutes) });
    expect((await look()).mail.held).toEqual({ scheduled: 0, retry: 1, paused: 0, held: 0 });
    await batches({ again: false, held: true, nextAttemptAt: ago(minutes) });
    expect((await look()).mail.held).toEqual({ scheduled: 0, retry: 0, paused: 1, held: 0 });
    await batches({ held: false, token: newId(), worker: 'a', leaseUntil: new Date(Date.now() + minutes) });
    const { mail } = await look();
    expect(mail.queues.every(({ length }) => length === 0)).toBe(true);
    expect(mail.held).toEqual({ scheduled: 0, retry: 0, paused: 0, held: 0 });
  });

  it('that does not leave since a restore is held', async () => {
    const { prisma } = test.services.database;
    await waitingMail(test.services, project.id, { count: 1 });
    await batches({ priority: 4, nextAttemptAt: ago(minutes) });
    await prisma.installation.update({ where: { id: 1 }, data: { hold: 'marketing' } });
    expect((await look()).mail.held.held).toBe(1);
    await batches({ priority: 1 });
    expect((await look()).mail.held.held).toBe(0);
    expect((await queueOf('direct')).length).toBe(1);
    await prisma.installation.update({ where: { id: 1 }, data: { hold: 'all' } });
    expect((await look()).mail.held.held).toBe(1);
    expect(await queueOf('direct')).toEqual({ length: 0, oldestSeconds: 0 });
  });

  it('of a route that is paused', async () => {
    await test.services.database.prisma.route.create({
      data: { id: 'smtp://relay:25', pausedAt: new Date(), reason: 'connect' },
    });
    expect((await look()).routes).toEqual([{ id: 'smtp://relay:25', isPaused: true }]);
  });
});

describe('other queues', () => {
  it('events', async () => {
    await test.services.database.prisma.eventDispatch.createMany({
      data: [3, 1].map((age) => ({ eventId: newId(), projectId: project.id, createdAt: ago(age * minutes) })),
    });
    expect(await queueOf('events')).toEqual({ length: 2, oldestSeconds: 180 });
  });

  it('executions that are due, and not those that wait', async () => {
    const dueAts = [ago(2 * minutes), ago(minutes), new Date(Date.now() + minutes), null];
    await test.services.database.prisma.workflowExecution.createMany({
      data: dueAts.map((dueAt) => ({
        id: newId(),
        projectId: project.id,
        workflowId: newId(),
        contactId: newId(),
        dueAt,
      })),
    });
    expect(await queueOf('executions')).toEqual({ length: 2, oldestSeconds: 120 });
  });

  it('webhooks of enabled endpoints that no process attempts', async () => {
    const { prisma } = test.services.database;
    const endpoint = async (enabled: boolean): Promise<string> => {
      const id = newId();
      const data = { id, projectId: project.id, url: 'https://hooks.example', secretCipher: '-', enabled };
      await prisma.webhookEndpoint.create({ data });
      return id;
    };
    const [enabled, disabled] = [await endpoint(true), await endpoint(false)];
    const delivery = (endpointId: string, rest: object) => ({
      ...{ id: newId(), projectId: project.id, endpointId, type: 'email.sent', data: {} },
      ...rest,
    });
    await prisma.webhookDelivery.createMany({
      data: [
        delivery(enabled, { nextAttemptAt: ago(3 * minutes), claimedUntil: new Date(Date.now() + minutes) }),
        delivery(enabled, { nextAttemptAt: ago(2 * minutes) }),
        delivery(enabled, { nextAttemptAt: new Date(Date.now() + minutes) }),
        delivery(disabled, { nextAttemptAt: ago(9 * minutes) }),
      ],
    });
    expect(await queueOf('webhooks')).toEqual({ length: 1, oldestSeconds: 120 });
  });

  it('requests of workflows', async () => {
    const request = (host: string, dueAt: Date) => ({
      ...{ stepExecutionId: newId(), executionId: newId(), projectId: project.id, request: {} },
      ...{ host, dueAt },
    });
    await test.services.database.prisma.stepRequest.createMany({
      data: [
        request('a.test', ago(minutes)),
        request('b.test', ago(4 * minutes)),
        request('b.test', new Date(Date.now() + minutes)),
      ],
    });
    expect(await queueOf('requests')).toEqual({ length: 2, oldestSeconds: 240 });
  });

  it('jobs that have not begun', async () => {
    const job = (state: string, createdAt: Date) => ({
      ...{ id: newId(), projectId: project.id, kind: 'contacts.import', state, createdAt },
    });
    await test.services.database.prisma.job.createMany({
      data: [
        job('waiting', ago(2 * minutes)),
        job('active', ago(9 * minutes)),
        job('completed', ago(9 * minutes)),
      ],
    });
    expect(await queueOf('jobs')).toEqual({ length: 1, oldestSeconds: 120 });
  });
});

describe('the server', () => {
  it('has written WAL, and says how old its oldest snapshot is', async () => {
    const { durable, prisma } = test.services.database;
    const before = await look();
    const client = await durable.connect();
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await client.query('SELECT count(*) FROM "Project"');
      await prisma.$queryRaw`SELECT pg_sleep(1)::text`;
      await createTestProject(test.services);
      const { server } = await look();
      expect(server.oldestSnapshotSeconds).toBeGreaterThanOrEqual(1);
      expect(server.walBytes).toBeGreaterThan(before.server.walBytes);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    expect(before.server).toMatchObject({ standbysMissing: 0, replicationLagSeconds: null, epoch: 1 });
  });

  it('counts the age of a backup from the last one, or else from the installation', async () => {
    const { prisma } = test.services.database;
    const { startedAt } = await prisma.epoch.findFirstOrThrow();
    const sinceStart = (Date.now() - startedAt.getTime()) / 1_000;
    expect(Math.abs(((await look()).server.backupAgeSeconds ?? 0) - sinceStart)).toBeLessThan(60);
    await prisma.installation.update({ where: { id: 1 }, data: { backedUpAt: new Date() } });
    expect((await look()).server.backupAgeSeconds).toBeLessThan(60);
  });

  it('has expired rows', async () => {
    expect((await look()).sweepBacklog.get('idempotency keys') ?? 0).toBe(0);
    const kept = test.services.config.IDEMPOTENCY_TTL_HOURS * 60 * minutes;
    await test.services.database.prisma.idempotencyKey.create({
      data: { projectId: project.id, key: 'a', request: 'a', createdAt: ago(kept + 3 * minutes) },
    });
    const late = (await look()).sweepBacklog.get('idempotency keys') ?? 0;
    expect(Math.floor(late / 30) * 30).toBe(180);
  });

  it('has tables in slices, of which the last one grows', async () => {
    const { prisma } = test.services.database;
    await prisma.event.create({ data: { id: newId(), projectId: project.id, name: 'seen' } });
    await prisma.$executeRaw`ANALYZE "Event"`;
    await cutAt(test.services.database, new Date());
    const states = async () =>
      (await look()).slices.map(({ bytes, ...state }) => ({ ...state, hasBytes: bytes > 0 }));
    const others = slicedNames
      .filter((table) => table !== 'Event')
      .map((table) => ({ table, slices: 1, rows: 0, hasBytes: true }));
    expect(await states()).toEqual([{ table: 'Event', slices: 2, rows: 0, hasBytes: true }, ...others]);
    await prisma.event.create({
      data: { id: idAt(new Date(Date.now() + 2 * hourMs)), projectId: project.id, name: 'seen' },
    });
    await prisma.$executeRaw`ANALYZE "Event"`;
    expect(await states()).toEqual([{ table: 'Event', slices: 2, rows: 1, hasBytes: true }, ...others]);
  });

  it('counts old deliveries as late once they can be removed: a week later where their slice is dropped whole', async () => {
    const { prisma } = test.services.database;
    const days = 24 * 60 * minutes;
    await prisma.$executeRaw(insertRow('WebhookDelivery', project.id, newId(), ago(32 * days)));
    const late = async () => Math.round(((await look()).sweepBacklog.get('webhook deliveries') ?? 0) / 3_600);
    expect(await late()).toBe(2 * 24);
    await cutAt(test.services.database, new Date(), alwaysFull('WebhookDelivery'));
    expect(await late()).toBe(0);
    await prisma.$executeRaw`UPDATE "WebhookDelivery" SET "createdAt" = ${ago(40 * days)}`;
    expect(await late()).toBe(2 * 24);
    await prisma.webhookDelivery.deleteMany();
  });

  it('and its disks', async () => {
    const { diskFree, isEngineUp } = await look();
    for (const share of diskFree.values()) {
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThan(1);
    }
    expect(diskFree.has('database')).toBe(true);
    expect(isEngineUp).toBe(false);
  });
});

it('counts no further than it says, however long a queue is', async () => {
  const { prisma } = test.services.database;
  await prisma.$executeRaw`
    INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "nextAttemptAt", "emailIds")
    SELECT uuid7(), uuid7(), p, now() - n * interval '1 second', '{}' FROM generate_series(1, 25) AS n, unnest('{1,2,4}'::int[]) AS p`;
  await prisma.$executeRaw`
    INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "nextAttemptAt", "emailIds")
    SELECT uuid7(), ${project.id}::uuid, p, now() - n * interval '1 second', '{}' FROM generate_series(1, 10000) AS n, unnest('{1,2,4}'::int[]) AS p`;
  await prisma.$executeRaw`
    INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId", "dueAt", "updatedAt")
    SELECT uuid7(), ${project.id}::uuid, ${project.id}::uuid, uuid7(), now() - n * interval '1 second', now() FROM generate_series(1, 20000) AS n`;
  expect(await queueOf('direct')).toEqual({ length: mostCounted, oldestSeconds: expect.any(Number) });
});

describe('one process of all', () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  const epochs = async (): Promise<number> => {
    const metric = await register.getSingleMetric('postrider_epoch')?.get();
    return metric?.values.length ?? 0;
  };

  it('shows the gauges, and the next one when it ends', async () => {
    const first = watchDatabase(test.services, 20);
    await expect.poll(epochs, { timeout: 10_000 }).toBe(1);
    // The gauges of the second one take the place of the first one's in the registry of this process.
    stops.push(watchDatabase(test.services, 20));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await epochs()).toBe(0);
    await first();
    await expect.poll(epochs, { timeout: 10_000 }).toBe(1);
  });

  it('takes the lock again after its connection was lost', async () => {
    stops.push(watchDatabase(test.services, 20));
    await expect.poll(epochs, { timeout: 10_000 }).toBe(1);
    const { prisma } = test.services.database;
    const lock = () => prisma.$queryRaw<{ pid: number }[]>`
      SELECT a."pid" FROM pg_stat_activity a WHERE a."application_name" = 'postrider metrics' AND a."datname" = current_database()`;
    const [before] = await lock();
    await prisma.$queryRaw`SELECT pg_terminate_backend(${before?.pid ?? 0}::int)`;
    await expect
      .poll(async () => (await lock())[0]?.pid ?? before?.pid, { timeout: 10_000 })
      .not.toBe(before?.pid);
    await expect.poll(epochs, { timeout: 10_000 }).toBe(1);
  });
});
