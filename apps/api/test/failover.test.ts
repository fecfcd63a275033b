import { createSmtpTransport } from '@postrider/core/adapters';
import { configuredRoute, DeliveryRuntime, defaultDeliveryOptions } from '@postrider/core/mail/delivery';
import { simulatorRoute } from '@postrider/core/mail/simulator';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '@postrider/core/testing';
import { createDatabasePair, type DatabasePair } from '@postrider/core/testing/database-pair.ts';
import { hasPostgres15 } from '@postrider/local/postgres';
import { type Sink, startSink } from '@postrider/local/sink';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedApi, serveApi } from './served-api.ts';

let pair: DatabasePair;
let test: TestServices;
let sink: Sink;
let api: ServedApi;
let project: TestProject;
let runtime: DeliveryRuntime;

// It has pg_basebackup, which the embedded servers have not.
const isInstalled = await hasPostgres15();

beforeAll(async () => {
  if (!isInstalled) return;
  sink = await startSink();
  pair = await createDatabasePair();
  test = await createTestServices({ env: { SMTP_URL: sink.url }, postgres: pair });
  api = await serveApi(test.services, { RATE_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'silent' });
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
  const { services } = test;
  const timeouts = { socketTimeoutMs: 10_000, greetingTimeoutMs: 10_000, idleTimeoutMs: 5_000 };
  const transport = createSmtpTransport({ url: sink.url, connections: 5, ...timeouts });
  const routes = [configuredRoute(services.config, transport), simulatorRoute(services)] as const;
  runtime = new DeliveryRuntime(services, routes, defaultDeliveryOptions);
  runtime.start();
  // The standby has everything so far, and from now on every commit before it is confirmed.
  await pair.synchronize();
}, 240_000);
afterAll(async () => {
  if (!isInstalled) return;
  await api?.stop();
  await runtime?.stop();
  await test?.close();
  await sink.stop();
});

interface Reply {
  status: number;
  retryAfter: string | null;
  text: string;
}

async function send(n: number): Promise<Reply> {
  const answer = await fetch(`${api.url}/v1/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${project.secretKey}`,
      'content-type': 'application/json',
      'idempotency-key': `order-${n}`,
    },
    body: JSON.stringify({ to: `${n}@people.test`, from: 'hello@shop.test', subject: 'Hi', body: 'Hi' }),
  });
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    text: await answer.text(),
  };
}

describe.runIf(isInstalled)('with a standby in DATABASE_URL', () => {
  it('api and delivery go on by themselves when it is promoted, and a repeated send is one email', async () => {
    const replies: Reply[] = [];
    let next = 0;
    let isOver = false;
    /** Sends the next email until it is stored, as a program with a key does. */
    const lane = async (): Promise<void> => {
      while (!isOver) {
        const n = next;
        next += 1;
        for (;;) {
          const reply = await send(n);
          replies.push(reply);
          if (reply.status !== 503) break;
        }
      }
    };
    const lanes = Promise.all([1, 2, 3, 4].map(lane));
    await expect.poll(() => next).toBeGreaterThan(30);
    await pair.primary.kill();
    await pair.promote();
    const after = next;
    await expect.poll(() => next).toBeGreaterThan(after + 30);
    isOver = true;
    await lanes;

    for (const { status, retryAfter, text } of replies)
      expect([status, retryAfter], text).toEqual(
        status === 503 ? [503, '2'] : [expect.toBeOneOf([200, 409]), null],
      );
    // Once more after the failover: each key is known there.
    for (let n = 0; n < next; n += 1) expect((await send(n)).status).toBe(409);
    const { email } = test.services.database.prisma;
    await expect.poll(() => email.count({ where: { status: 'SENT' } }), { timeout: 60_000 }).toBe(next);
    expect(await email.count()).toBe(next);
    expect(sink.messages().map(({ to }) => to[0])).toHaveLength(next);
    expect(new Set(sink.messages().map(({ to }) => to[0])).size).toBe(next);
  }, 180_000);

  it('a request waits 5 seconds for a server that takes writes, and then says that it may be repeated', async () => {
    await pair.standby.kill();
    // A statement that goes out on a connection whose end is not known yet is refused at once: it may have been stored.
    for (let waited = 0; waited < 3_000; ) {
      const since = performance.now();
      const reply = await send(-1);
      waited = performance.now() - since;
      expect([reply.status, reply.retryAfter]).toEqual([503, '2']);
      expect(reply.text).not.toMatch(/ECONN|127\.0\.0\.1|standby/);
      expect(waited).toBeLessThan(20_000);
    }
    const ready = await fetch(`${api.url}/health/ready`);
    expect(ready.status).toBe(503);

    await pair.standby.start();
    await expect.poll(async () => (await send(-2)).status, { timeout: 60_000 }).toBe(200);
  }, 120_000);

  it('while commits wait for a standby, a request is told that it may be repeated, and nothing more is led to this server', async () => {
    await pair.setWaiting(true);
    const statusOf = async (): Promise<number> => (await fetch(`${api.url}/health/ready`)).status;
    const waiting = send(-3);
    await expect.poll(statusOf, { timeout: 20_000 }).toBe(503);
    const reply = await waiting;
    expect([reply.status, reply.retryAfter]).toEqual([503, '2']);
    await pair.setWaiting(false);
    // It was stored after all, and is not a second time.
    await expect.poll(async () => (await send(-3)).status, { timeout: 60_000 }).toBe(409);
    expect(await statusOf()).toBe(200);
  }, 120_000);
});
