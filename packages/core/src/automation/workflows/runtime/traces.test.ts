import { type Sink, startSink } from '@postrider/local/sink';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sweepEventTraces, trackEvent } from '../../../audience/events/index.ts';
import { type EndedSpan, rootSpan, setTracer } from '../../../base/kernel/traces.ts';
import { newId } from '../../../base/lib/index.ts';
import { startDelivery } from '../../../mail/delivery/delivery.fixture.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../../testing/index.ts';
import { ExecutionRunners } from './runners.ts';
import { buildWorkflow } from './runtime.fixture.ts';

let sink: Sink;
let test: TestServices;
let project: TestProject;
let runners: ExecutionRunners;
let delivery: ReturnType<typeof startDelivery>;
const ended: EndedSpan[] = [];

beforeAll(async () => {
  sink = await startSink();
  test = await createTestServices({ env: { SMTP_URL: sink.url } });
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'traced.test');
  const template = await test.services.database.prisma.template.create({
    data: {
      id: newId(),
      projectId: project.id,
      name: 'Welcome',
      subject: 'Welcome',
      body: '<p>Hello</p>',
      from: 'sender@traced.test',
      type: 'TRANSACTIONAL',
    },
  });
  await buildWorkflow(test.services, project.id, {
    hello: { type: 'SEND_EMAIL', config: { templateId: template.id }, templateId: template.id },
  });
  // Only what a caller has asked for is sampled.
  setTracer({
    samples: (_id, parent) => parent ?? false,
    take: (span) => void ended.push(span),
    admitsUnsampled: () => false,
  });
  runners = new ExecutionRunners(test.services, { drivesAll: true });
  delivery = startDelivery(test.services, sink.url);
});
afterAll(async () => {
  await Promise.all([runners.stop(), delivery.stop()]);
  setTracer(null);
  await test.close();
  await sink.stop();
});

const parentOf = (digit: string, isSampled: boolean) => ({
  traceId: digit.repeat(32),
  spanId: digit.repeat(16),
  isSampled,
});

const track = (digit: string, isSampled: boolean, email: string) =>
  rootSpan('POST /v1/track', {}, { parent: parentOf(digit, isSampled) }, () =>
    trackEvent.run(project.publicCtx, { email, event: 'signup' }),
  );

const sent = (email: string) =>
  test.services.database.prisma.email.count({ where: { to: email, status: 'SENT' } });
const patience = { timeout: 60_000, interval: 20 };

it('one trace goes from a tracked event to the email of the workflow that it begins', async () => {
  await track('a', true, 'ann@people.test');
  await expect.poll(() => sent('ann@people.test'), patience).toBe(1);
  const ofTrace = () => ended.filter(({ context }) => context.traceId === 'a'.repeat(32));
  await expect.poll(() => ofTrace().map(({ name }) => name), patience).toContain('smtp.transaction');
  await expect.poll(() => ofTrace().map(({ name }) => name), patience).toContain('delivery.batch');
  const named = (name: string): EndedSpan | undefined => ofTrace().find((span) => span.name === name);
  const tracked = named('events.track');
  for (const name of ['events.dispatch', 'executions.set'])
    expect(named(name)).toMatchObject({
      parent: { spanId: tracked?.context.spanId },
      attributes: { 'postrider.project_id': project.id, 'postrider.count': 1 },
    });
  // A slow machine may have given the batch back before.
  const batches = ofTrace().filter(({ name }) => name === 'delivery.batch');
  for (const { parent } of batches) expect(parent?.spanId).toBe(named('executions.set')?.context.spanId);
  expect(batches.map(({ context }) => context.spanId)).toContain(named('smtp.transaction')?.parent?.spanId);
  expect(await test.services.database.prisma.eventTrace.count()).toBe(1);
});

it('an event of a trace that is not sampled leaves nothing', async () => {
  await track('b', false, 'bob@people.test');
  await expect.poll(() => sent('bob@people.test'), patience).toBe(1);
  expect(ended.filter(({ context }) => context.traceId === 'b'.repeat(32))).toEqual([]);
  expect(await test.services.database.prisma.eventTrace.count()).toBe(1);
});

it('the trace of an event is kept for an hour', async () => {
  const { services } = test;
  expect(await sweepEventTraces(services, new Date(Date.now() + 59 * 60_000), 10)).toBe(0);
  expect(await sweepEventTraces(services, new Date(Date.now() + 61 * 60_000), 10)).toBe(1);
  expect(await services.database.prisma.eventTrace.count()).toBe(0);
});
