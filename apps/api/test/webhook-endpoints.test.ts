import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** Statuses and shapes of webhook endpoints over HTTP (behaviour B11.3). */
let test: TestApp;
let send: Send;

beforeAll(async () => {
  test = await startApp();
  send = test.withKey(test.project.secretKey);
});
afterAll(() => test.close());

const url = 'https://hooks.example.com/';
const created = async (): Promise<string> => (await send('POST', '/webhook-endpoints', { url })).body.id;

it('an endpoint is created, read, changed, rotated and deleted', async () => {
  const made = await send('POST', '/webhook-endpoints', { url, types: ['email.sent'], description: 'CRM' });
  const { secret, ...record } = made.body;
  expect([made.status, secret]).toEqual([201, expect.stringMatching(/^whsec_[A-Za-z0-9+/]+=*$/)]);
  expect(record).toEqual({
    id: expect.any(String),
    url,
    description: 'CRM',
    types: ['email.sent'],
    format: 'POSTRIDER',
    publicKey: null,
    enabled: true,
    disabledReason: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  const path = `/webhook-endpoints/${record.id}`;
  expect(await send('GET', path)).toMatchObject({ status: 200, body: record });
  expect((await send('GET', '/webhook-endpoints')).body).toEqual([record]);
  expect(await send('PATCH', path, { enabled: false })).toMatchObject({
    status: 200,
    body: { enabled: false },
  });
  expect(await send('POST', `${path}/rotate-secret`)).toMatchObject({
    status: 200,
    body: { id: record.id, secret: expect.stringMatching(/^whsec_/) },
  });
  expect(await send('DELETE', path)).toMatchObject({ status: 204, text: '' });
  expect(await send('GET', path)).toMatchObject({ status: 404 });
  expect(codeOf(await send('GET', path))).toBe('RESOURCE_NOT_FOUND');
});

it('a test is a delivery that is listed, read and replayed', async () => {
  const path = `/webhook-endpoints/${await created()}`;
  const tested = await send('POST', `${path}/test`);
  expect([tested.status, tested.body]).toEqual([202, { deliveryId: expect.any(String) }]);
  const { deliveryId } = tested.body;
  const one = await send('GET', `${path}/deliveries/${deliveryId}`);
  expect([one.status, one.body]).toEqual([
    200,
    {
      id: deliveryId,
      type: 'webhook.test',
      status: 'PENDING',
      attempts: [],
      nextAttemptAt: expect.any(String),
      payload: {
        type: 'webhook.test',
        kind: 'webhook.test',
        timestamp: expect.any(String),
        data: expect.any(Object),
      },
      createdAt: expect.any(String),
    },
  ]);
  const list = await send('GET', `${path}/deliveries?status=PENDING&type=webhook.test`);
  expect([list.status, list.body]).toEqual([
    200,
    { data: [one.body], cursor: null, hasMore: false, total: 1 },
  ]);
  expect((await send('GET', `${path}/deliveries?status=SENT`)).status).toBe(400);
  const replayed = await send('POST', `${path}/deliveries/${deliveryId}/replay`);
  expect([replayed.status, replayed.body.id]).toEqual([202, deliveryId]);
});

it('a replay of a period is a job', async () => {
  const path = `/webhook-endpoints/${await created()}`;
  const range = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', failedOnly: true };
  const started = await send('POST', `${path}/replay`, range);
  expect([started.status, started.body]).toEqual([
    202,
    {
      id: expect.any(String),
      state: 'waiting',
      waitsFor: null,
      progress: 0,
      result: null,
      failedReason: null,
      createdAt: expect.any(String),
      completedAt: null,
    },
  ]);
  const job = await send('GET', `${path}/replay/${started.body.id}`);
  const { id, createdAt } = started.body;
  expect([job.status, job.body]).toEqual([200, expect.objectContaining({ id, createdAt })]);
  expect((await send('GET', `${path}/replay/none`)).status).toBe(404);
  expect((await send('POST', `${path}/replay`, { from: range.from })).status).toBe(422);
});

it('a private address is 422, the 21st endpoint 409, and a member may only read', async () => {
  const refused = await send('POST', '/webhook-endpoints', { url: 'http://192.168.0.1/' });
  expect([refused.status, refused.body.error.errors[0].field]).toEqual([422, 'url']);
  const { body: endpoints } = await send('GET', '/webhook-endpoints');
  for (let count = endpoints.length; count < 20; count += 1) await created();
  const another = await send('POST', '/webhook-endpoints', { url });
  expect([another.status, codeOf(another)]).toEqual([409, 'CONFLICT']);
  const member = await test.withSession('MEMBER');
  expect((await member('GET', '/webhook-endpoints')).status).toBe(200);
  expect((await member('POST', '/webhook-endpoints', { url })).status).toBe(403);
});
