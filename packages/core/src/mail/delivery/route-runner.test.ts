import { FRIENDLY, type Sink, startSink } from '@postrider/local/sink';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSmtpTransport } from '../../adapters/index.ts';
import { providers } from '../../base/providers/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { sendEmail } from '../sending/send-email.ts';
import { drained } from './delivery.fixture.ts';
import { defaultDeliveryOptions } from './delivery-options.ts';
import { DeliveryRuntime } from './delivery-runtime.ts';
import { noRoom, widestOf } from './room.ts';
import type { Route } from './route.ts';

let sinks: [Sink, Sink];
let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  sinks = await Promise.all([startSink(), startSink()]);
  test = await createTestServices({ env: { SMTP_URL: sinks[0].url } });
});
afterAll(async () => {
  await test.close();
  await Promise.all(sinks.map((sink) => sink.stop()));
});
beforeEach(async () => {
  await test.services.database.prisma.route.deleteMany();
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
  for (const sink of sinks) {
    await sink.setBehaviour(FRIENDLY);
    sink.clear();
  }
});

const routeTo = ({ url }: Sink): Route => ({
  id: url,
  provider: providers.smtp,
  transport: createSmtpTransport({
    url,
    connections: 2,
    socketTimeoutMs: 2_000,
    greetingTimeoutMs: 1_000,
    idleTimeoutMs: 2_000,
  }),
});

async function deliver(until: () => Promise<void>): Promise<void> {
  const [one, other] = sinks;
  const runtime = new DeliveryRuntime(test.services, [routeTo(one), routeTo(other)], {
    ...defaultDeliveryOptions,
    pollMs: 200,
    sendRate: 100_000,
    probeSeconds: [60],
  });
  await runtime.prepare();
  runtime.start();
  try {
    await until();
  } finally {
    await runtime.stop();
  }
}

const send = (to: string) =>
  sendEmail.runRaw(project.ctx, { from: 'sender@mail.test', subject: 'Hello', body: '<p>Hi</p>', to });
const counts = () => sinks.map((sink) => sink.messages().length);

it('of several routes, email takes the one of its batch', async () => {
  await send('ann@people.test');
  await deliver(() => drained(test.services, project.id));
  expect(counts()).toEqual([1, 0]);
});

it('a route that fails is paused alone, and its email waits for it', async () => {
  await sinks[0].setBehaviour({ mostConnections: 0 });
  await send('ann@people.test');
  const { route: routes, deliveryBatch } = test.services.database.prisma;
  await deliver(() => expect.poll(async () => (await routes.findFirst())?.pausedAt).toBeInstanceOf(Date));
  expect((await routes.findMany({ where: { pausedAt: { not: null } } })).map(({ id }) => id)).toEqual([
    sinks[0].url,
  ]);
  expect(await deliveryBatch.count({ where: { projectId: project.id } })).toBe(1);
  expect(counts()).toEqual([0, 0]);
});

it('a claim that does not choose between routes takes what the one with most room may have', () => {
  const rooms = [3, 7, 5].map((emails) => ({ ...noRoom, emails }));
  expect(widestOf(rooms).emails).toBe(7);
  expect(widestOf([])).toBe(noRoom);
});
