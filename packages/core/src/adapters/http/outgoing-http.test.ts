import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { OutgoingRequest } from '../../base/kernel/ports/outgoing-http.ts';
import { createOutgoingHttp } from './outgoing-http.ts';
import { isPublicAddress } from './public-address.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A real server; its answers and what it was asked. */
async function serve(
  listener: RequestListener,
): Promise<{ port: number; asked: string[]; headers: IncomingMessage['headers'][] }> {
  const asked: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url}`);
    headers.push(request.headers);
    listener(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, asked, headers };
}

const request = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  method: 'POST',
  url,
  body: '{}',
  headersFor: () => ({ 'Content-Type': 'application/json' }),
  timeoutMs: 5_000,
  maxResponseLength: 10_000,
  ...more,
});

const loopback = async () => [{ address: '127.0.0.1', family: 4 }];
const redirect = (response: ServerResponse, location: string, status = 307) =>
  response.writeHead(status, { location }).end();

/** Every form of a URL that leads outside of the public internet (behaviour B6.5). */
const refusedHosts = [
  '127.0.0.1',
  '127.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '127%2e0%2e0%2e1',
  '①②⑦.⓪.⓪.①',
  '１２７.0.0.1',
  '127。0。0。1',
  '127．0．0．1',
  '127｡0｡0｡1',
  '⑯⑨。②⑤④。⑯⑨｡②⑤④',
  '0x7f.1',
  '0177.1',
  '00000000177.0.0.1',
  '0x00000000000000007f000001',
  '0300.0250.1.1',
  '0xA9.254.0251.254',
  '4294967295',
  '0',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.1.1',
  '0xc0a80101',
  '3232235777',
  '169.254.169.254',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '100.64.0.1',
  '100.127.255.254',
  '100.100.100.200',
  '192.0.0.8',
  '192.0.0.170',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.175.48.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[0:0:0:0:0:ffff:169.254.169.254]',
  '[::ffff:8.8.8.8]',
  '[::ffff:0:127.0.0.1]',
  '[::127.0.0.1]',
  '[::8.8.8.8]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2002:c0a8:101::c0a8:101]',
  '[2001:0:7f00:1::]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  '[2001:2::1]',
  '[2001:10::1]',
  '[2001:20::1]',
  '[2620:4f:8000::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd12:3456:789a::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[ff0e::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[4000::1]',
] as const;

describe('an address outside of the public internet is refused', () => {
  const http = createOutgoingHttp({ allowedHosts: [] });

  it.each(refusedHosts)('http://%s/', async (host) => {
    const answer = await http.send(request(`http://${host}/`));
    expect(answer.kind).toBe('refused');
  });

  it.each([
    // Who signs in is not where it goes.
    'http://example.com@127.0.0.1/',
    'http://example.com:80@127.0.0.1/',
    'http://example.com%40x@[::1]/',
    // A browser's reading of slashes, and the ends of an authority.
    'http://127.0.0.1\\@example.com/',
    'http://127.0.0.1#@example.com/',
    'http://127.0.0.1?@example.com/',
    'http:\\\\10.0.0.1\\',
    'http:10.0.0.1',
    'http:///10.0.0.1/',
    // What a URL's reader leaves out on its way.
    'ht\ntp://127.0.0.1/',
    'http://127.0.0.1\t/',
    ' http://127.\r0.0.1/',
    'http://127.0.0.1%00/',
    'http://[fe80::1%25eth0]/',
    'http://[::ffff:0x7f.0.0.1]/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'javascript:alert(1)',
    'data:text/plain,x',
    'http://',
    'https://[::1',
    'no url',
    '',
    'http://127.0.0.256/',
  ])('%s', async (url) => {
    expect((await http.send(request(url))).kind).toBe('refused');
  });

  it.each(['localhost', 'LOCALHOST', 'ｌｏｃａｌｈｏｓｔ'])(
    'the name %s, resolved by the system',
    async (host) => {
      expect((await http.send(request(`http://${host}:9/`))).kind).toBe('refused');
    },
  );

  it.each(refusedHosts.filter((host) => /^\[|^\d+(\.\d+){3}$/.test(host)))(
    'a name that leads to %s',
    async (host) => {
      const address = host.replace(/^\[|\]$/g, '');
      const named = createOutgoingHttp({
        allowedHosts: [],
        lookup: async () => [
          { address: '93.184.215.14', family: 4 },
          { address, family: address.includes(':') ? 6 : 4 },
        ],
      });
      expect((await named.send(request('http://name.test/'))).kind).toBe('refused');
    },
  );

  it.each(['93.184.215.14', '8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001:82f::200e'])(
    'while %s is not',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

it('an address of this machine is reached at the ports of the web only, unless it is allowed', async () => {
  const own = '93.184.215.14';
  const settings = {
    lookup: async () => [{ address: own, family: 4 }],
    ownAddresses: () => new Set([own]),
  };
  const http = createOutgoingHttp({ allowedHosts: [], ...settings });
  const short = { timeoutMs: 300 };
  expect(await http.send(request('http://own.test:8080/', short))).toEqual({
    kind: 'refused',
    reason: 'own.test:8080 is a port of this machine that is not for the web',
  });
  expect((await http.send(request('http://own.test/', short))).kind).not.toBe('refused');
  const allowing = createOutgoingHttp({ allowedHosts: ['own.test:8080'], ...settings });
  expect((await allowing.send(request('http://own.test:8080/', short))).kind).not.toBe('refused');
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    '%s into private space is refused before anybody is asked there',
    async (status) => {
      const inner = await serve((_request, response) => response.end('secret'));
      const outer = await serve((_request, response) =>
        redirect(response, `http://127.0.0.1:${inner.port}/`, status),
      );
      const http = createOutgoingHttp({ allowedHosts: [`127.0.0.1:${outer.port}`] });
      expect((await http.send(request(`http://127.0.0.1:${outer.port}/`))).kind).toBe('refused');
      expect(inner.asked).toEqual([]);
    },
  );

  it.each([
    'http://169.254.169.254/latest',
    'http://[::1]:1/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://0x7f.1:1/',
    'http://2852039166/',
    'http://127%E3%80%820%E3%80%820%E3%80%821/',
    'http://example.com@10.0.0.1/',
    '//10.0.0.1/',
    '/\\10.0.0.1/',
    '\\\\10.0.0.1\\',
    'http:\\\\192.168.0.1/',
    'http://inside.test/',
    'http://localhost/',
    'file:///etc/passwd',
    'gopher://10.0.0.1/',
    'http://[::1',
  ])('to %s at the end of a chain is refused', async (last) => {
    const server = await serve((asked, response) =>
      redirect(response, asked.url === '/3' ? last : `/${Number(asked.url?.slice(1)) + 1}`),
    );
    const http = createOutgoingHttp({
      allowedHosts: [`127.0.0.1:${server.port}`],
      lookup: async () => [{ address: '10.0.0.1', family: 4 }],
    });
    expect((await http.send(request(`http://127.0.0.1:${server.port}/1`))).kind).toBe('refused');
    expect(server.asked).toHaveLength(3);
  });

  it('is followed five times, and the sixth is the answer', async () => {
    const server = await serve((asked, response) => {
      const hop = Number(asked.url?.slice(1));
      if (hop === 5 && asked.headers['x-end']) response.end('here');
      else redirect(response, `/${hop + 1}`);
    });
    const http = createOutgoingHttp({ allowedHosts: [`127.0.0.1:${server.port}`] });
    const url = `http://127.0.0.1:${server.port}/0`;
    expect(await http.send(request(url, { headersFor: () => ({ 'X-End': '1' }) }))).toMatchObject({
      kind: 'answer',
      status: 200,
      body: 'here',
    });
    expect(await http.send(request(url))).toMatchObject({ kind: 'answer', status: 307 });
    expect(server.asked).toHaveLength(12);
  });

  it('is the answer when none is to be followed', async () => {
    const server = await serve((_asked, response) => redirect(response, '/next', 301));
    const http = createOutgoingHttp({ allowedHosts: [`127.0.0.1:${server.port}`] });
    const url = `http://127.0.0.1:${server.port}/`;
    expect(await http.send(request(url, { maxRedirects: 0 }))).toMatchObject({ kind: 'answer', status: 301 });
    expect(server.asked).toHaveLength(1);
  });

  it('of 303 becomes a GET whose headers are made for an empty body', async () => {
    const server = await serve((asked, response) =>
      asked.url === '/' ? redirect(response, '/next', 303) : response.end('ok'),
    );
    const http = createOutgoingHttp({ allowedHosts: [`127.0.0.1:${server.port}`] });
    await http.send(
      request(`http://127.0.0.1:${server.port}/`, {
        headersFor: (method, body) => ({ 'X-Made-For': `${method}:${body}` }),
      }),
    );
    expect(server.headers.map((headers) => headers['x-made-for'])).toEqual(['POST:{}', 'GET:']);
  });

  it('to another origin does not carry credentials there', async () => {
    const other = await serve((_asked, response) => response.end('ok'));
    const first = await serve((_asked, response) => redirect(response, `http://127.0.0.1:${other.port}/`));
    const http = createOutgoingHttp({ allowedHosts: [`127.0.0.1:${other.port}`, `127.0.0.1:${first.port}`] });
    await http.send(
      request(`http://127.0.0.1:${first.port}/`, {
        headersFor: () => ({
          Authorization: 'Bearer x',
          'X-Api-Key': 'y',
          'X-Postrider-Signature': 't=1,v1=z',
          'X-Postrider-Delivery': '1',
          'Content-Type': 'application/json',
        }),
      }),
    );
    expect(first.headers[0]?.authorization).toBe('Bearer x');
    expect(first.headers[0]?.['x-api-key']).toBe('y');
    expect(other.headers[0]).not.toHaveProperty('authorization');
    expect(other.headers[0]).not.toHaveProperty('x-api-key');
    expect(first.headers[0]?.['x-postrider-signature']).toBe('t=1,v1=z');
    expect(Object.keys(other.headers[0] ?? {}).filter((name) => name.startsWith('x-postrider-'))).toEqual([]);
    expect(other.headers[0]?.['content-type']).toBe('application/json');
  });
});

describe('a request', () => {
  it('connects to the checked addresses, even if the name resolves differently a moment later', async () => {
    const server = await serve((_request, response) => response.end('ok'));
    let asked = 0;
    const http = createOutgoingHttp({
      allowedHosts: [`rebind.test:${server.port}`],
      lookup: async () => {
        asked += 1;
        return asked === 1 ? loopback() : [{ address: '127.0.0.2', family: 4 }];
      },
    });
    expect(await http.send(request(`http://rebind.test:${server.port}/`))).toMatchObject({ status: 200 });
    expect(asked).toBe(1);
    expect(server.asked).toEqual([`POST rebind.test:${server.port}/`]);
  });

  it('to a name that is no longer public when a redirect leads to it again is refused', async () => {
    const inner = await serve((_request, response) => response.end('secret'));
    const server = await serve((asked, response) =>
      redirect(
        response,
        asked.url === '/' ? `http://rebind.test:${server.port}/again` : `http://rebind.test:${inner.port}/`,
      ),
    );
    let asked = 0;
    const http = createOutgoingHttp({
      allowedHosts: [`rebind.test:${server.port}`],
      lookup: async () => {
        asked += 1;
        return loopback();
      },
    });
    expect((await http.send(request(`http://rebind.test:${server.port}/`))).kind).toBe('refused');
    expect([asked, server.asked.length, inner.asked.length]).toEqual([3, 2, 0]);
  });

  it('to a name without any address fails, and is not sent anywhere', async () => {
    const http = createOutgoingHttp({ allowedHosts: [], lookup: async () => [] });
    expect((await http.send(request('http://nobody.test/'))).kind).toBe('failed');
  });

  it('to an exempt host needs the exact port', async () => {
    const server = await serve((_request, response) => response.end('ok'));
    const http = createOutgoingHttp({ allowedHosts: ['127.0.0.1:1'] });
    expect((await http.send(request(`http://127.0.0.1:${server.port}/`))).kind).toBe('refused');
  });

  it('without an answer times out, during the headers and during the body', async () => {
    const server = await serve((asked, response) => {
      if (asked.url === '/body') response.write('begun');
    });
    const http = createOutgoingHttp({ allowedHosts: [`127.0.0.1:${server.port}`] });
    for (const path of ['/', '/body']) {
      const answer = await http.send(request(`http://127.0.0.1:${server.port}${path}`, { timeoutMs: 300 }));
      expect(answer).toEqual({ kind: 'failed', reason: 'no answer within 0.3 seconds' });
    }
  });

  it('stops reading an endless answer at its limit', async () => {
    const server = await serve((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const http = createOutgoingHttp({ allowedHosts: [`127.0.0.1:${server.port}`] });
    const answer = await http.send(request(`http://127.0.0.1:${server.port}/`));
    expect(answer).toEqual({ kind: 'answer', status: 200, body: 'x'.repeat(10_000), isCut: true });
  });

  it('to a closed port fails with a reason', async () => {
    const http = createOutgoingHttp({ allowedHosts: ['127.0.0.1:1'] });
    expect(await http.send(request('http://127.0.0.1:1/'))).toEqual({
      kind: 'failed',
      reason: 'the connection was refused',
    });
  });
});

describe('a port of another service', () => {
  const http = createOutgoingHttp({ allowedHosts: ['smtp.example.com:25'], lookup: loopback });

  it.each([22, 25, 465, 587, 5432, 6379])('%i is refused, whatever the host', async (port) => {
    expect(http.mayReach(`https://example.com:${port}/`)).toBe(false);
    const answer = await http.send(request(`http://1.1.1.1:${port}/`));
    expect(answer).toEqual({ kind: 'refused', reason: `port ${port} is not one of a web server` });
  });

  it('is open where the operator allows it, and web servers may use any other', () => {
    expect(http.mayReach('http://smtp.example.com:25/')).toBe(true);
    expect(http.mayReach('https://example.com:8443/')).toBe(true);
    expect(http.mayReach('http://example.com:3000/')).toBe(true);
  });
});

describe('webhooks to this machine, where they are allowed', () => {
  const http = (closedPorts: number[] = []) =>
    createOutgoingHttp({ allowedHosts: [], loopback: { closedPorts } });

  it.each(['localhost', '127.0.0.1'])('reach %s', async (host) => {
    const { port, asked } = await serve((_, response) => response.end('ok'));
    const url = `http://${host}:${port}/hook`;
    expect(http().mayReach(url)).toBe(true);
    expect(await http().send(request(url))).toMatchObject({ kind: 'answer', status: 200 });
    expect(await http().send(request(url, { keepAlive: true }))).toMatchObject({ kind: 'answer' });
    expect(asked).toHaveLength(2);
  });

  it.each(['127.9.8.7', '[::1]'])('may reach %s', (host) => {
    expect(http().mayReach(`http://${host}:4000/`)).toBe(true);
    expect(createOutgoingHttp({ allowedHosts: [] }).mayReach(`http://${host}:4000/`)).toBe(false);
  });

  it('reach neither the services of the installation nor ports that are not for the web', async () => {
    const { port, asked } = await serve((_, response) => response.end('ok'));
    for (const [closed, url] of [
      [port, `http://localhost:${port}/`],
      [1, 'http://127.0.0.1:25/'],
      [1, 'http://[::1]:6379/'],
    ] as const) {
      expect(http([closed]).mayReach(url)).toBe(false);
      expect(await http([closed]).send(request(url))).toMatchObject({ kind: 'refused' });
    }
    expect(asked).toEqual([]);
  });

  it.each([
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    'api.localhost',
    'printer.local',
  ])('do not reach %s, as ever', async (host) => {
    expect(http().mayReach(`http://${host}/`)).toBe(false);
    expect((await http().send(request(`http://${host}/`))).kind).not.toBe('answer');
  });

  it('are not reached through a name that resolves to it, nor by a redirect from elsewhere', async () => {
    const { port, asked } = await serve((_, response) => response.end('ok'));
    const other = createOutgoingHttp({ allowedHosts: [], loopback: { closedPorts: [] }, lookup: loopback });
    expect(await other.send(request(`http://stranger.example:${port}/`))).toMatchObject({ kind: 'refused' });
    const stranger = await serve((_, response) => redirect(response, `http://localhost:${port}/`));
    const exempt = createOutgoingHttp({
      allowedHosts: [`stranger.example:${stranger.port}`],
      loopback: { closedPorts: [] },
      lookup: loopback,
    });
    expect(await exempt.send(request(`http://stranger.example:${stranger.port}/`))).toMatchObject({
      kind: 'refused',
    });
    expect(asked).toEqual([]);
  });
});
