import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { platformMailTo } from '../../../testing/mail.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  getWebhookDelivery,
  getWebhookReplay,
  listWebhookDeliveries,
  replayWebhookDeliveries,
  replayWebhookDelivery,
  rotateEndpointSecret,
  testEndpoint,
  WebhookRuntime,
} from '../index.ts';
import { claimDeliveries } from './claim.store.ts';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let test: TestServices;
let project: TestProject;
let server: Server;
let base: string;
const received: Received[] = [];
let sockets = 0;
let runtime: WebhookRuntime | null = null;

/** Answers by the first segment of the path; `/hang` never does. */
function answer(path: string): { status: number; body: string; headers?: Record<string, string> } | null {
  const [, kind = ''] = path.split('/');
  if (kind === 'hang') return null;
  if (kind === 'redirect') return { status: 302, body: 'elsewhere', headers: { Location: `${base}/ok` } };
  return {
    status: kind === 'ok' ? 200 : Number(kind),
    body: kind === 'ok' ? `${'é'.repeat(2_000)}end` : 'no',
  };
}

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, body });
      const given = answer(path);
      if (given) response.writeHead(given.status, given.headers).end(given.body);
    });
  });
  server.on('connection', () => {
    sockets += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  test = await createTestServices({ env: { WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${port}` } });
  project = await createTestProject(test.services);
});
afterEach(async () => {
  await runtime?.stop();
  runtime = null;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await test.close();
});

const run = (): void => {
  runtime ??= new WebhookRuntime(test.services);
};

async function until<T>(look: () => Promise<T | null | false>): Promise<T> {
  for (const ends = performance.now() + 60_000; performance.now() < ends; await delay(20)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error('it did not happen within a minute');
}

const at = (path: string): Received[] => received.filter((request) => request.path === path);
const deliveryOf = (id: string, deliveryId: string) =>
  getWebhookDelivery.run(project.ctx, { id, deliveryId });
const attempted = (id: string, deliveryId: string, times = 1) =>
  until(async () => {
    const delivery = await deliveryOf(id, deliveryId);
    return delivery.attempts.length === times && delivery;
  });

/** An endpoint with a test event that waits for it. */
async function endpointAt(path: string) {
  const endpoint = await createEndpoint.run(project.ctx, { url: `${base}${path}`, types: ['event.none'] });
  const { deliveryId } = await testEndpoint.run(project.ctx, endpoint);
  return { ...endpoint, deliveryId };
}

const secondsUntil = (date: string | null): number => (Date.parse(date ?? '') - Date.now()) / 1_000;
const verify = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

/** Makes the next attempt of a delivery due now, as after its waiting time. */
const makeDue = (id: string) =>
  test.services.database.prisma.webhookDelivery.update({
    where: { id },
    data: { nextAttemptAt: new Date() },
  });

describe('a delivery', () => {
  it('is a signed POST of type, timestamp and data; the answer is kept up to 2 KB', async () => {
    const { id, secret, deliveryId } = await endpointAt('/ok/1');
    run();
    const delivery = await until(async () => {
      const row = await deliveryOf(id, deliveryId);
      return row.status === 'DELIVERED' && row;
    });
    const [request] = at('/ok/1');
    if (!request) throw new Error('nothing arrived');
    expect(verify(secret, request)).toEqual(delivery.payload);
    expect(request.headers).toMatchObject({ 'webhook-id': deliveryId, 'content-type': 'application/json' });
    expect(delivery.payload).toMatchObject({ type: 'webhook.test', data: { endpointId: id, contact: null } });
    expect(delivery).toMatchObject({
      nextAttemptAt: null,
      attempts: [{ statusCode: 200, error: null, response: 'é'.repeat(1_024) }],
    });
  });

  it('is signed with both secrets after a rotation, and with the new one alone a day later', async () => {
    const { id, secret, deliveryId } = await endpointAt('/ok/2');
    const rotated = await rotateEndpointSecret.run(project.ctx, { id });
    run();
    await attempted(id, deliveryId);
    const [both] = at('/ok/2');
    if (!both) throw new Error('nothing arrived');
    expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2);
    for (const each of [secret, rotated.secret]) expect(() => verify(each, both)).not.toThrow();
    await test.services.database.prisma.webhookEndpoint.update({
      where: { id },
      data: { previousSecretUntil: new Date(Date.now() - 1) },
    });
    await replayWebhookDelivery.run(project.ctx, { id, deliveryId });
    await attempted(id, deliveryId, 2);
    const later = at('/ok/2')[1];
    if (!later) throw new Error('the replay did not arrive');
    expect(() => verify(rotated.secret, later)).not.toThrow();
    expect(() => verify(secret, later)).toThrow();
  });

  it('that fails is repeated by the schedule with the same webhook-id, and FAILED after the tenth attempt', async () => {
    const { id, deliveryId } = await endpointAt('/500/1');
    run();
    const first = await attempted(id, deliveryId);
    expect(first).toMatchObject({ status: 'PENDING', attempts: [{ statusCode: 500, response: 'no' }] });
    expect(secondsUntil(first.nextAttemptAt)).toBeGreaterThan(2);
    expect(secondsUntil(first.nextAttemptAt)).toBeLessThan(5.1);
    for (const [tries, waits] of [300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].entries()) {
      await makeDue(deliveryId);
      const { nextAttemptAt, status } = await attempted(id, deliveryId, tries + 2);
      expect(status).toBe('PENDING');
      expect(Math.abs(secondsUntil(nextAttemptAt) - waits)).toBeLessThan(10);
    }
    await makeDue(deliveryId);
    expect(await attempted(id, deliveryId, 10)).toMatchObject({ status: 'FAILED', nextAttemptAt: null });
    const ids = at('/500/1').map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual(Array.from({ length: 10 }, () => deliveryId));

    const replayed = await replayWebhookDelivery.run(project.ctx, { id, deliveryId });
    expect(replayed).toMatchObject({ id: deliveryId, status: 'PENDING' });
    const again = await attempted(id, deliveryId, 11);
    expect(again.status).toBe('PENDING');
    expect(secondsUntil(again.nextAttemptAt)).toBeLessThan(5.1);
  });

  it('does not follow a redirect', async () => {
    const { id, deliveryId } = await endpointAt('/redirect/1');
    run();
    const arrived = at('/ok').length;
    expect(await attempted(id, deliveryId)).toMatchObject({
      status: 'PENDING',
      attempts: [{ statusCode: 302, error: 'redirects are not followed', response: 'elsewhere' }],
    });
    expect(at('/ok')).toHaveLength(arrived);
  });

  it('to a name that resolves to a private address fails at the attempt', async () => {
    const { id, deliveryId } = await endpointAt('/ok/3');
    await test.services.database.prisma.webhookEndpoint.update({
      where: { id },
      data: { url: base.replace('127.0.0.1', 'localhost') },
    });
    run();
    expect(await attempted(id, deliveryId)).toMatchObject({
      status: 'PENDING',
      attempts: [{ statusCode: null, response: null, error: expect.stringContaining('not public') }],
    });
  });

  it('to an address in the URL that is private fails at the attempt, with an open connection too', async () => {
    const { id, deliveryId } = await endpointAt('/ok/4');
    await test.services.database.prisma.webhookEndpoint.update({
      where: { id },
      data: { url: 'http://127.0.0.1:1/' },
    });
    run();
    expect(await attempted(id, deliveryId)).toMatchObject({
      attempts: [{ statusCode: null, error: expect.stringContaining('not public') }],
    });
  });

  it('of a process that was killed is attempted by another when its claim ends', async () => {
    const { id, deliveryId } = await endpointAt('/ok/5');
    const claim = { token: crypto.randomUUID(), free: '{}', fullTurns: [], perEndpoint: 16, total: 100 };
    const claimed = await claimDeliveries(test.services.database.durable, { ...claim, leaseMs: 1_500 });
    expect(claimed.map((each) => each.id)).toContain(deliveryId);
    run();
    await delay(700);
    expect(at('/ok/5')).toEqual([]);
    expect(await attempted(id, deliveryId)).toMatchObject({ status: 'DELIVERED' });
  });
});

describe('an endpoint', () => {
  /** The bodies of the platform's emails to the owner. */
  const mailFor = async (): Promise<string[]> => {
    const { email } = await test.services.database.prisma.user.findUniqueOrThrow({
      where: { id: project.ownerId },
    });
    return (await platformMailTo(test.services, email)).map(({ body }) => body);
  };

  it('that answers 410 is disabled, with a mail to the leaders, and its delivery is FAILED', async () => {
    const { id, deliveryId } = await endpointAt('/410/1');
    run();
    expect(await attempted(id, deliveryId)).toMatchObject({ status: 'FAILED', nextAttemptAt: null });
    await until(async () => !(await getEndpoint.run(project.ctx, { id })).enabled);
    expect(await getEndpoint.run(project.ctx, { id })).toMatchObject({ disabledReason: 'GONE' });
    expect((await mailFor()).filter((body) => body.includes('/410/1'))).toHaveLength(1);
  });

  it('without a success for 5 days is disabled; a success in between begins them again', async () => {
    const { prisma } = test.services.database;
    const { id, deliveryId } = await endpointAt('/503/1');
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    await prisma.webhookEndpoint.update({ where: { id }, data: { failingSince: days(4.9) } });
    run();
    await attempted(id, deliveryId);
    expect(await getEndpoint.run(project.ctx, { id })).toMatchObject({ enabled: true });
    await prisma.webhookEndpoint.update({ where: { id }, data: { failingSince: days(5) } });
    await makeDue(deliveryId);
    await until(async () => !(await getEndpoint.run(project.ctx, { id })).enabled);
    expect(await getEndpoint.run(project.ctx, { id })).toMatchObject({ disabledReason: 'FAILING' });
    expect(await deliveryOf(id, deliveryId)).toMatchObject({ status: 'PENDING' });
    expect((await mailFor()).filter((body) => body.includes('/503/1'))).toHaveLength(1);

    const other = await endpointAt('/ok/6');
    await prisma.webhookEndpoint.update({ where: { id: other.id }, data: { failingSince: days(6) } });
    await attempted(other.id, other.deliveryId);
    const row = await prisma.webhookEndpoint.findUniqueOrThrow({ where: { id: other.id } });
    expect(row).toMatchObject({ enabled: true, failingSince: null });
  });

  it('that hangs delays no other, whose deliveries share few connections', async () => {
    const [hanging, quick] = await Promise.all([endpointAt('/hang/1'), endpointAt('/ok/7')]);
    for (const { id } of [hanging, quick])
      await Promise.all(Array.from({ length: 150 }, () => testEndpoint.run(project.ctx, { id })));
    const before = sockets;
    run();
    await until(async () => at('/ok/7').length === 151);
    const { data } = await listWebhookDeliveries.run(project.ctx, { id: hanging.id });
    expect(data.every(({ attempts }) => attempts.length === 0)).toBe(true);
    // How many are open together depends on how fast answers come; each of the 300 deliveries on its own would need one.
    expect(sockets - before).toBeLessThan(150);
    // Ends its requests, which the end of this test would otherwise wait for.
    server.closeAllConnections();
    await deleteEndpoint.run(project.ctx, hanging);
  });
});

it('a replay of a period queues its deliveries again, all or those that failed', async () => {
  const { id } = await endpointAt('/ok/8');
  for (let count = 0; count < 4; count += 1) await testEndpoint.run(project.ctx, { id });
  run();
  await until(async () => at('/ok/8').length === 5);
  const { data } = await until(async () => {
    const list = await listWebhookDeliveries.run(project.ctx, { id, status: 'DELIVERED' });
    return list.data.length === 5 && list;
  });
  const failed = data[2]?.id ?? '';
  await test.services.database.prisma.webhookDelivery.update({
    where: { id: failed },
    data: { status: 'FAILED' },
  });
  const range = {
    id,
    from: new Date(Date.now() - 60_000).toISOString(),
    to: new Date(Date.now() + 60_000).toISOString(),
  };

  const ended = async (given: { failedOnly: boolean; types?: string[] }) => {
    const job = await replayWebhookDeliveries.run(project.ctx, { ...range, ...given });
    expect(job).toMatchObject({ state: 'waiting', progress: 0, result: null });
    return until(async () => {
      const now = await getWebhookReplay.run(project.ctx, { id, jobId: job.id });
      return now.state === 'completed' && now;
    });
  };
  expect(await ended({ failedOnly: true })).toMatchObject({
    progress: 100,
    result: { matched: 1, replayed: 1 },
  });
  await attempted(id, failed, 2);
  expect(at('/ok/8').at(-1)?.headers['webhook-id']).toBe(failed);
  expect(await ended({ failedOnly: false, types: ['email.sent'] })).toMatchObject({
    result: { replayed: 0 },
  });
  expect(await ended({ failedOnly: false })).toMatchObject({ result: { matched: 5, replayed: 5 } });
  await until(async () => at('/ok/8').length === 11);

  const other = await endpointAt('/ok/9');
  const jobId = (await replayWebhookDeliveries.run(project.ctx, range)).id;
  for (const place of [
    { id: other.id, jobId },
    { id, jobId: 'none' },
  ])
    await expect(getWebhookReplay.run(project.ctx, place)).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
  const wrong = replayWebhookDeliveries.run(project.ctx, { ...range, to: range.from });
  await expect(wrong).rejects.toMatchObject({ errors: [{ field: 'to', code: 'invalid_range' }] });
});
