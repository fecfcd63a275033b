import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Sink, startSink } from '@postrider/local/sink';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  verifiedDomain,
  waitingMail,
} from '../../testing/index.ts';
import { createDatabaseOnOwnServer, type OwnServerDatabase } from '../../testing/test-database.ts';
import { sendEmail } from '../sending/send-email.ts';
import { drained, statusesOf, withDelivery } from './delivery.fixture.ts';

let sink: Sink;
let database: OwnServerDatabase;
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  sink = await startSink();
  database = await createDatabaseOnOwnServer();
  test = await createTestServices({ env: { SMTP_URL: sink.url }, postgres: database });
}, 180_000);

afterAll(async () => {
  await test.close();
  await sink.stop();
});

beforeEach(async () => {
  await sink.setBehaviour({ delayMs: 0 });
  sink.clear();
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
});

const addresses = (): string[] => sink.messages().map(({ to }) => to[0] ?? '');

/** Accepted one by one, each with its own content, as transactional email is. */
async function acceptMany(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await sendEmail.runRaw(project.ctx, {
      to: `${n}@people.test`,
      from: 'sender@mail.test',
      subject: `Number ${n}`,
      body: `<p>Your number is ${n}</p>`,
    });
  }
}

/** A way to the database whose open connections can fall silent, as when a host vanishes; new ones work. */
async function startProxy(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    silence() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function expectAllSentOnce(count: number): Promise<void> {
  await drained(test.services, project.id, 60_000);
  expect(await statusesOf(test.services, project.id)).toEqual({ SENT: count });
  expect(sink.messages()).toHaveLength(count);
  expect(new Set(addresses()).size).toBe(count);
}

describe.each([
  ['restarts', () => database.server.restart()],
  [
    'is killed and recovers',
    async () => {
      await database.server.kill();
      await database.server.start();
    },
  ],
  [
    'is away for longer than every lease',
    async () => {
      await database.server.stop();
      await delay(5_000);
      await database.server.start();
    },
  ],
])('while email is sent, PostgreSQL %s', (_what, interrupt) => {
  it('no transactional email is uncertain, lost or sent twice', async () => {
    await acceptMany(200);
    await sink.setBehaviour({ delayMs: 50 });
    await withDelivery(
      test.services,
      sink.url,
      async () => {
        await expect.poll(() => sink.messages().length).toBeGreaterThan(30);
        await interrupt();
        await expectAllSentOnce(200);
      },
      { connections: 10 },
    );
  });

  it('no email of a campaign is uncertain, lost or sent twice, and its counters are exact', async () => {
    const campaignId = await sendingCampaign(test.services, project.id);
    await waitingMail(test.services, project.id, { count: 1_500, campaignId });
    await sink.setBehaviour({ delayMs: 20 });
    await withDelivery(
      test.services,
      sink.url,
      async () => {
        await expect.poll(() => sink.messages().length).toBeGreaterThan(300);
        await interrupt();
        await expectAllSentOnce(1_500);
      },
      { connections: 20 },
    );
    expect(
      await test.services.database.prisma.campaignCounter.findUniqueOrThrow({ where: { campaignId } }),
    ).toMatchObject({ sentCount: 1_500, failedCount: 0, skippedCount: 0, uncertainCount: 0 });
  });
});

it('connections to PostgreSQL that fall silent are replaced', async () => {
  const campaignId = await sendingCampaign(test.services, project.id);
  await waitingMail(test.services, project.id, { count: 400, campaignId });
  await sink.setBehaviour({ delayMs: 50 });
  const proxy = await startProxy(database.url);
  const config = { ...test.services.config, DATABASE_URL: proxy.url };
  try {
    await withDelivery({ ...test.services, config }, sink.url, async () => {
      await expect.poll(() => sink.messages().length).toBeGreaterThan(20);
      proxy.silence();
      await delay(200);
      const before = sink.messages().length;
      await expect.poll(() => sink.messages().length).toBeGreaterThan(before + 10);
      await expectAllSentOnce(400);
    });
  } finally {
    await proxy.close();
  }
});

it('a process that stops while PostgreSQL is away ends without its answer', async () => {
  await acceptMany(20);
  await sink.setBehaviour({ delayMs: 200 });
  try {
    await withDelivery(
      test.services,
      sink.url,
      async (runtime) => {
        await expect.poll(() => sink.messages().length).toBeGreaterThan(0);
        await database.server.stop();
        await runtime.stop();
      },
      { stopMs: 2_000 },
    );
  } finally {
    await database.server.start();
  }
});
