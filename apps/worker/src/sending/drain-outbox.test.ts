import { createSmtpTransport } from '@postrider/core/adapters';
import { readRowSignal, taskQueues } from '@postrider/core/kernel';
import { DeliveryRuntime, defaultDeliveryOptions, drainOutboxJob } from '@postrider/core/sending';
import {
  createTestProject,
  createTestServices,
  type TestServices,
  verifiedDomain,
  waitingMail,
} from '@postrider/core/testing';
import { FRIENDLY, type Sink, startSink } from '@postrider/local/sink';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signalJob } from '../testing/jobs.ts';
import { createTimeSkippingEnvironment, withWorker } from '../testing/time-skipping.ts';
import { createSendingActivities } from './sending.activities.ts';

let sink: Sink;
let test: TestServices;
let environment: TestWorkflowEnvironment;

beforeAll(async () => {
  [sink, environment] = await Promise.all([startSink(), createTimeSkippingEnvironment()]);
  test = await createTestServices({ env: { SMTP_URL: sink.url } });
}, 300_000);
afterAll(async () => {
  await environment.teardown();
  await test.close();
  await sink.stop();
});

/** Runs `work` beside one delivery process that retries after a second instead of a minute. */
async function withDelivery(work: () => Promise<void>): Promise<void> {
  const transport = createSmtpTransport({
    url: sink.url,
    connections: 5,
    socketTimeoutMs: 2_000,
    greetingTimeoutMs: 1_000,
    idleTimeoutMs: 2_000,
  });
  const runtime = new DeliveryRuntime(test.services, transport, {
    ...defaultDeliveryOptions,
    leaseMs: 4_000,
    lingerMs: 50,
    retryScale: 1 / 60,
  });
  const activities = createSendingActivities(runtime, new AbortController().signal);
  try {
    await withWorker(environment, {}, work, {
      [taskQueues.mail]: activities,
      [taskQueues.mailBulk]: activities,
    });
  } finally {
    await runtime.close();
  }
}

it('an outbox is drained, deferred emails included, and then its workflow ends', async () => {
  const { prisma } = test.services.database;
  const { id: projectId } = await createTestProject(test.services);
  const domainId = await verifiedDomain(test.services, projectId, 'mail.test');
  await waitingMail(test.services, projectId, { count: 3, domainId });
  await sink.setBehaviour({ ...FRIENDLY, defer: { share: 1 } });
  const sent = () => prisma.email.count({ where: { projectId, status: 'SENT' } });
  await withDelivery(async () => {
    const handle = await signalJob(environment, drainOutboxJob, { projectId });
    await expect
      .poll(() => prisma.email.count({ where: { projectId, attempts: { gt: 0 } } }), { timeout: 20_000 })
      .toBe(3);
    await sink.setBehaviour(FRIENDLY);
    await waitingMail(test.services, projectId, { count: 2, domainId });
    await handle.signal(readRowSignal);
    await handle.result();
  });
  expect(await sent()).toBe(5);
  expect(await prisma.delivery.count({ where: { projectId } })).toBe(0);
  expect(sink.messages()).toHaveLength(5);
});
