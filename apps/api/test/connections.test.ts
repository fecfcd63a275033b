import { type ClientRequest, request as httpRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { issueSession, sessionCookie } from '@postrider/core/people/users';
import { createTestProject, createTestServices } from '@postrider/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { type ConnectionLimits, connectionLimits } from '../src/plugins/connections.ts';
import { startApp, type TestApp } from './harness.ts';

/** Connections and requests of one client address, and the sizes of bodies that anybody may send (behaviour B8.3). */
describe('one client address', () => {
  let test: Awaited<ReturnType<typeof start>>;
  let sockets: Socket[] = [];
  let requests: ClientRequest[] = [];

  async function start(limits: Partial<ConnectionLimits>) {
    const { services, close } = await createTestServices();
    const app = createApp(services, {
      connections: { connections: 3, requests: 2, isExempt: () => false, ...limits },
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    return {
      services,
      port,
      async close() {
        await app.close();
        await close();
      },
    };
  }

  beforeEach(async () => {
    test = await start({});
  });
  afterEach(async () => {
    for (const each of [...sockets, ...requests]) each.destroy();
    [sockets, requests] = [[], []];
    await test.close();
  });

  /** A connection that has said nothing. @returns what becomes of it once the server has looked at it */
  async function open(): Promise<{ socket: Socket; answer: Promise<string> }> {
    const socket = connect(test.port, '127.0.0.1');
    sockets.push(socket);
    const answer = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (bytes) => {
        text += bytes.toString();
        if (text.includes('ok')) resolve('answered');
      });
      socket.on('error', () => undefined).on('close', () => resolve('closed'));
    });
    await new Promise((resolve) => socket.once('connect', resolve));
    return { socket, answer };
  }

  const ask = ({ socket, answer }: Awaited<ReturnType<typeof open>>): Promise<string> => {
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    return answer;
  };

  it('may have a fixed number of connections: further ones are closed before a byte is read, and one that ends makes room', async () => {
    const opened = [await open(), await open(), await open()];
    for (const each of opened) expect(await ask(each)).toBe('answered');
    expect(await (await open()).answer).toBe('closed');
    opened[0]?.socket.destroy();
    await expect.poll(async () => ask(await open())).toBe('answered');
  });

  /** A login whose body does not come. */
  function begin(headers: Record<string, string> = {}, path = '/auth/login') {
    const request = httpRequest({
      ...{ port: test.port, host: '127.0.0.1', method: 'POST', path },
      headers: { 'content-type': 'application/json', 'content-length': '100', ...headers },
    });
    requests.push(request);
    const status = new Promise<string>((resolve) => {
      request.on('error', () => resolve('gone'));
      request.on('response', (response) => {
        response.resume();
        resolve(`${response.statusCode} ${response.headers['retry-after'] ?? ''}`.trim());
      });
    });
    request.write('{');
    return { request, status };
  }

  it('has so many requests in progress without a credential; those with one are not counted, and a request that ends makes room', async () => {
    await test.close();
    test = await start({ connections: 100 });
    const slow = [begin(), begin()];
    await expect.poll(() => begin().status).toBe('429 1');
    // A key that the path does not ask for is no credential.
    expect(await begin({ authorization: 'Bearer sk_anything' }).status).toBe('429 1');
    const project = await createTestProject(test.services);
    const withKey = begin({ authorization: `Bearer ${project.secretKey}` }, '/v1/send');
    withKey.request.end('x'.repeat(99));
    expect(await withKey.status).toBe('400');
    const cookie = `${sessionCookie}=${await issueSession(test.services, { id: project.ownerId })}`;
    const withSession = begin({ cookie, 'sec-fetch-site': 'same-origin' }, '/trpc/users.updateMe');
    withSession.request.end('x'.repeat(99));
    expect(await withSession.status).toBe('400');
    slow[0]?.request.destroy();
    await expect
      .poll(async () => {
        const { request, status } = begin();
        request.end('x'.repeat(99));
        return status;
      })
      .toBe('400');
  });
});

it.each<[string, Parameters<typeof connectionLimits>[0]['trustedProxies'], string, boolean]>([
  ['this machine', false, '127.0.0.1', true],
  ['this machine, by IPv6', false, '::1', true],
  ['this machine, by IPv4 in IPv6', false, '::ffff:127.0.0.1', true],
  ['a client', false, '203.0.113.7', false],
  ['a proxy', ['203.0.113.7'], '203.0.113.7', true],
  ['a proxy of a range', ['203.0.113.0/24', '2001:db8::/32'], '2001:db8::7', true],
  ['a proxy of a named range', ['uniquelocal'], '10.1.2.3', true],
  ['a client beside the proxies', ['203.0.113.0/24'], '198.51.100.7', false],
  ['who connects, where hops are counted', 1, '198.51.100.7', true],
])('%s: exempt', (_name, trustedProxies, address, isExempt) => {
  expect(connectionLimits({ trustedProxies }).isExempt(address)).toBe(isExempt);
});

describe('16 KB', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await startApp();
  });
  afterEach(() => test.close());
  const json = { 'content-type': 'application/json' };
  const large = `{"text":"${'x'.repeat(16 * 1024)}"}`;

  it.each(['/auth/login', '/auth/signup', '/auth/verify-email'])('for a body of %s', async (path) => {
    const answer = await test.anyone('POST', path, large, json);
    expect([answer.status, answer.body.error.code]).toEqual([413, 'INVALID_REQUEST_BODY']);
  });

  it('for bodies of accounts and projects', async () => {
    const send = await test.withSession();
    for (const path of ['/users/@me', `/users/@me/projects/${test.project.id}`])
      expect((await send('PATCH', path, large, json)).status).toBe(413);
    expect((await send('POST', `/projects/${test.project.id}/members`, large, json)).status).toBe(413);
    expect((await send('POST', '/contacts', large, json)).status).not.toBe(413);
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain'])(
    'for a body of %s on a public page',
    async (type) => {
      const answer = await test.anyone('POST', '/u/token/manage', 'x'.repeat(16 * 1024 + 1), {
        'content-type': type,
      });
      expect(answer.status).toBe(413);
    },
  );

  it('and 1 MB for receivers of notifications', async () => {
    const receive = (length: number) =>
      test.anyone('POST', '/webhooks/sns', 'x'.repeat(length), { 'content-type': 'text/plain' });
    expect((await receive(1024 * 1024 + 1)).status).toBe(413);
    expect((await receive(500 * 1024)).status).not.toBe(413);
  });
});
