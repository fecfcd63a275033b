import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setMemoryLevel } from '@postrider/core/base/kernel';
import { createTestProject, createTestServices, type TestProject } from '@postrider/core/testing';
import { register } from 'prom-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { bodyLimits } from '../src/plugins/large-bodies.ts';

/** The memory of large bodies is bounded, per project and in total (behaviour B8.3). */
const kilobyte = 1024;
const limits = {
  ...bodyLimits,
  largeAbove: 10 * kilobyte,
  perOwner: 200 * kilobyte,
  total: 300 * kilobyte,
  windowMs: 60_000,
};
const body = JSON.stringify({ to: 'nobody', subject: 'S', body: 'x'.repeat(90 * kilobyte) });

let test: Awaited<ReturnType<typeof start>>;
let project: TestProject;
let open: ClientRequest[] = [];

async function start(bodies = limits) {
  const { services, close } = await createTestServices();
  const app = createApp(services, { bodies });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    await app.close();
    await close();
  };
  return { services, port, close: stop };
}

beforeEach(async () => {
  test = await start();
  project = await createTestProject(test.services);
});
afterEach(async () => {
  for (const each of open) each.destroy();
  open = [];
  await test.close();
});

interface Reply {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  body: { error: { code: string; message: string } };
}

/** A request whose body can be sent in parts. */
function begin({ secretKey }: TestProject, headers: Record<string, string | number>, path = '/v1/send') {
  const request = httpRequest({
    port: test.port,
    host: '127.0.0.1',
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json', ...headers },
  });
  open.push(request);
  const reply = new Promise<Reply>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', async (response) => {
      const text = (await response.toArray()).join('');
      resolve({ status: response.statusCode, headers: response.headers, body: JSON.parse(text) });
    });
  });
  reply.catch(() => undefined);
  return { request, reply };
}

const whole = (owner: TestProject): Promise<Reply> => {
  const { request, reply } = begin(owner, { 'content-length': Buffer.byteLength(body) });
  request.end(body);
  return reply;
};

/** Sends a body except for its last byte, and waits until the server has it. */
async function allButOne(owner: TestProject, headers = {}) {
  const begun = begin(owner, { 'content-length': Buffer.byteLength(body), ...headers });
  await new Promise((resolve) => begun.request.write(body.slice(0, -1), resolve));
  return { ...begun, finish: () => begun.request.end(body.slice(-1)) };
}

it('a project is refused with 429 above its bound, other projects are not, and answered requests free their share', async () => {
  const [first, second] = [await allButOne(project), await allButOne(project)];
  await expect.poll(async () => (await whole(project)).status).toBe(429);
  const refused = await whole(project);
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED' } } });
  expect(refused.headers['retry-after']).toBe('1');
  expect((await whole(await createTestProject(test.services))).status).toBe(422);
  first.finish();
  expect((await first.reply).status).toBe(422);
  await expect.poll(async () => (await whole(project)).status).toBe(422);
  // A connection that ends without an answer frees its share as well.
  second.request.destroy();
  const both = async () => {
    const statuses = await Promise.all([whole(project), whole(project)]);
    return statuses.map(({ status }) => status);
  };
  await expect.poll(both).toEqual([422, 422]);
});

it('all projects together are bounded by what has arrived, not by what is declared', async () => {
  const projects = await Promise.all(Array.from({ length: 4 }, () => createTestProject(test.services)));
  for (const each of projects) begin(each, { 'content-length': 90 * kilobyte }).request.flushHeaders();
  expect((await whole(project)).status).toBe(422);
  const held = await Promise.all(projects.slice(0, 3).map((each) => allButOne(each)));
  await expect
    .poll(async () => (await whole(project)).body.error.message)
    .toBe('Too many requests with a body arrive at the same time');
  for (const { finish } of held) finish();
  expect((await Promise.all(held.map(({ reply }) => reply))).map(({ status }) => status)).toEqual([
    422, 422, 422,
  ]);
});

it('a body in chunks counts as one of the largest size once it is large', async () => {
  const { request, reply } = begin(project, { 'transfer-encoding': 'chunked' });
  request.write(body);
  // The largest size of this route is above the bound of the project.
  expect(await reply).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED' } } });
  const small = begin(project, { 'transfer-encoding': 'chunked' });
  small.request.end(JSON.stringify({ to: 'nobody', subject: 'S', body: 'B' }));
  expect((await small.reply).status).toBe(422);
});

it('while memory is short a large body is 503 in both forms, and a small one is read', async () => {
  setMemoryLevel('short');
  try {
    const chunks = begin(project, { 'transfer-encoding': 'chunked' });
    chunks.request.write(body);
    for (const refused of [await whole(project), await chunks.reply]) {
      expect(refused).toMatchObject({ status: 503, body: { error: { code: 'INTERNAL_SERVER_ERROR' } } });
      expect(refused.headers['retry-after']).toBe('5');
    }
    const small = begin(project, { 'transfer-encoding': 'chunked' });
    small.request.end(JSON.stringify({ to: 'nobody', subject: 'S', body: 'B' }));
    expect((await small.reply).status).toBe(422);
  } finally {
    setMemoryLevel('enough');
  }
});

it('a client that sends too slowly is refused, and its share is free again', async () => {
  await test.close();
  test = await start({ ...limits, perOwner: 100 * kilobyte, windowMs: 300, leastPerWindow: 50 * kilobyte });
  project = await createTestProject(test.services);
  const { request, reply } = begin(project, { 'content-length': Buffer.byteLength(body) });
  request.write(body.slice(0, 20 * kilobyte));
  expect(await reply).toMatchObject({
    status: 400,
    headers: { connection: 'close' },
    body: { error: { code: 'INVALID_REQUEST_BODY', message: 'The request body arrived too slowly' } },
  });
  await expect.poll(async () => (await whole(project)).status).toBe(422);
});

const form = (length: number) => ({
  'content-type': 'multipart/form-data; boundary=x',
  'content-length': length,
});
const formStart =
  '--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n';

it('every body counts from its first byte, forms and small ones too, and is given back whatever the answer', async () => {
  await test.close();
  test = await start({ ...limits, largeAbove: 1000 * kilobyte });
  project = await createTestProject(test.services);
  const held = () => register.getSingleMetricAsString('postrider_bodies_bytes');
  const bytes = async () => Number(/^postrider_bodies_bytes (\d+)$/m.exec(await held())?.[1]);
  const json = await allButOne(project);
  await expect.poll(bytes).toBe(Buffer.byteLength(body) - 1);
  const upload = begin(project, form(200 * kilobyte), '/uploads/image');
  upload.request.write(formStart + 'x'.repeat(150 * kilobyte));
  await expect.poll(bytes).toBe(Buffer.byteLength(body) - 1 + formStart.length + 150 * kilobyte);
  // 300 KB in all: the rest of the next body has no room.
  const refused = await whole(await createTestProject(test.services));
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED' } } });
  upload.request.destroy();
  json.finish();
  expect((await json.reply).status).toBe(422);
  expect((await whole(project)).status).toBe(422);
  await expect.poll(bytes).toBe(0);
});

it.each<[string, string, Record<string, string | number>, string]>([
  ['a small body', '/v1/send', { 'content-length': 100 }, '{'],
  ['a small body in chunks', '/v1/send', { 'transfer-encoding': 'chunked' }, '{'],
  ['a form', '/uploads/image', form(200 * kilobyte), formStart],
  ['a form larger than any JSON body', '/uploads/image', form(9000 * kilobyte), formStart],
])(
  '%s that does not come to its end in time is refused, and its connection closed',
  async (_name, path, headers, start_) => {
    await test.close();
    test = await start({ ...bodyLimits, smallMs: 300, windowMs: 300 });
    project = await createTestProject(test.services);
    const { request, reply } = begin(project, headers, path);
    request.write(start_);
    expect(await reply).toMatchObject({
      status: 400,
      headers: { connection: 'close' },
      body: { error: { code: 'INVALID_REQUEST_BODY', message: 'The request body arrived too slowly' } },
    });
  },
);

it('a form counts with what it declares, and one that no file can fill is refused before it is read', async () => {
  const held = begin(project, form(9000 * kilobyte), '/uploads/image');
  held.request.flushHeaders();
  expect(await held.reply).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED' } } });
  const endless = begin(project, form(1_000_000 * kilobyte), '/uploads/image');
  endless.request.write(formStart);
  expect(await endless.reply).toMatchObject({ status: 413 });
});

it('large bodies of one project are all answered, also behind clients that went away', async () => {
  const gone = await Promise.all([allButOne(project), allButOne(project)]);
  for (const { finish, request } of gone) {
    finish();
    request.destroy();
  }
  await expect.poll(async () => (await whole(project)).status).toBe(422);
  const replies = await Promise.all([whole(project), whole(project)]);
  expect(replies.map(({ status }) => status)).toEqual([422, 422]);
});

/** Sends everything, whatever the server answers meanwhile. */
async function sendAll(agent: Agent, parts: Buffer[], headers: Record<string, string | number>) {
  const request = httpRequest({
    agent,
    port: test.port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/contacts',
    headers: {
      authorization: `Bearer ${project.secretKey}`,
      'content-type': 'application/json',
      ...headers,
    },
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) =>
    request.on('response', resolve).on('error', reject),
  );
  for (const part of parts) await new Promise((resolve) => request.write(part, resolve));
  request.end();
  const response = await answer;
  await response.toArray();
  return { status: response.statusCode, connectionIsKept: request.reusedSocket };
}

it.each([
  ['of a declared length', (length: number) => ({ 'content-length': length })],
  ['in chunks', () => ({ 'transfer-encoding': 'chunked' })],
])(
  'a body %s that is too large is read to its end, so that its sender gets the 413 and no reset',
  async (_name, headersOf) => {
    await test.close();
    test = await start(bodyLimits);
    project = await createTestProject(test.services);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const parts = Array.from({ length: 40 }, () => Buffer.alloc(250 * kilobyte, ' '));
    try {
      for (const connectionIsKept of [false, true])
        expect(await sendAll(agent, parts, headersOf(parts.length * 250 * kilobyte))).toEqual({
          status: 413,
          connectionIsKept,
        });
    } finally {
      agent.destroy();
    }
  },
);
