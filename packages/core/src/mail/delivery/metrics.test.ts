import { type Sink, startSink } from '@postrider/local/sink';
import { register } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { routeId } from '../../base/providers/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  waitingMail,
} from '../../testing/index.ts';
import { drained, startDelivery, withDelivery } from './delivery.fixture.ts';

let sink: Sink;
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  sink = await startSink();
  test = await createTestServices({ env: { SMTP_URL: sink.url } });
});
afterAll(async () => {
  await test.close();
  await sink.stop();
});
beforeEach(async () => {
  register.resetMetrics();
  await sink.setBehaviour({ reject: { share: 0 }, drop: { share: 0, stored: false } });
  project = await createTestProject(test.services);
});

/** The values of a metric, by their labels. */
async function valuesOf(name: string): Promise<Record<string, number>> {
  const found = (await register.getMetricsAsJSON()).find((metric) => metric.name === `postrider_${name}`);
  const values = (found?.values ?? []) as {
    labels: Record<string, unknown>;
    value: number;
    metricName?: string;
  }[];
  return Object.fromEntries(
    values.map(({ labels, value, metricName }) => [
      [metricName?.replace(`postrider_${name}`, ''), ...Object.values(labels)].filter(Boolean).join(' '),
      value,
    ]),
  );
}

/** Connections of the route to this server, by state: other tests of the process have routes too. */
async function connections(): Promise<Record<string, number>> {
  const route = routeId(test.services.config);
  const all = Object.entries(await valuesOf('smtp_connections'));
  return Object.fromEntries(
    all.flatMap(([labels, value]) =>
      labels.startsWith(`${route} `) ? [[labels.slice(route.length + 1), value]] : [],
    ),
  );
}

const deliver = () =>
  withDelivery(test.services, sink.url, async () => {
    await drained(test.services, project.id);
    const states = await connections();
    expect(Object.keys(states).toSorted()).toEqual(['busy', 'free', 'refused']);
    expect(Object.values(states).reduce((total, value) => total + value, 0)).toBe(5);
  });

it('email is counted once with what became of it, and how late it left', async () => {
  await waitingMail(test.services, project.id, { count: 3 });
  await test.services.database.prisma.deliveryBatch.updateMany({
    data: { nextAttemptAt: new Date(Date.now() - 20_000) },
  });
  await deliver();
  expect(await valuesOf('emails_total')).toEqual({ 'transactional sent': 3 });
  const delays = await valuesOf('send_delay_seconds');
  expect(delays).toMatchObject({
    '_bucket 15 transactional': 0,
    '_bucket 60 transactional': 3,
    '_count transactional': 3,
  });
  expect(Object.values(await valuesOf('smtp_replies_total'))).toEqual([3]);
  const statements = await valuesOf('sql_seconds');
  expect(statements['_count write-batches']).toBeGreaterThan(0);
  expect(await connections()).toEqual({});
});

it('email that is refused fails, and one whose answer is lost is uncertain', async () => {
  await sink.setBehaviour({ reject: { share: 1 } });
  await waitingMail(test.services, project.id, { count: 2 });
  await deliver();
  expect(await valuesOf('emails_total')).toEqual({ 'transactional failed': 2 });
  await sink.setBehaviour({ reject: { share: 0 }, drop: { share: 1, stored: false } });
  await waitingMail(test.services, project.id, { count: 1 });
  const runtime = startDelivery(test.services, sink.url);
  await expect.poll(() => valuesOf('uncertain_total'), { timeout: 20_000 }).toEqual({ answer: 1 });
  expect(await valuesOf('emails_total')).toMatchObject({ 'transactional uncertain': 1 });
  await runtime.stop();
});
