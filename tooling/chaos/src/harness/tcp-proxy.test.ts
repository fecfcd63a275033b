import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const open: { proxies: TcpProxy[]; servers: Server[]; sockets: Socket[] } = {
  proxies: [],
  servers: [],
  sockets: [],
};

afterEach(async () => {
  for (const socket of open.sockets.splice(0)) socket.destroy();
  for (const proxy of open.proxies.splice(0)) await proxy.stop();
  for (const server of open.servers.splice(0)) server.close();
});

/** A server that answers each chunk with its name. */
async function startNamed(name: string): Promise<{ port: number; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    open.sockets.push(socket);
    socket.on('data', () => socket.write(name));
    socket.on('error', () => undefined);
  });
  open.servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, sockets };
}

async function startProxy(port: number): Promise<TcpProxy> {
  const proxy = await startTcpProxy(port);
  open.proxies.push(proxy);
  return proxy;
}

async function dial(proxy: TcpProxy): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: proxy.port });
  open.sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

async function ask(socket: Socket): Promise<string> {
  const answered = once(socket, 'data') as Promise<[Buffer]>;
  socket.write('who?');
  const [answer] = await answered;
  return answer.toString();
}

it('forwards both ways, and to another target after a change', async () => {
  const [first, second] = [await startNamed('first'), await startNamed('second')];
  const proxy = await startProxy(first.port);
  const before = await dial(proxy);
  expect(await ask(before)).toBe('first');
  proxy.retarget(second.port);
  expect(await ask(await dial(proxy))).toBe('second');
  expect(await ask(before)).toBe('first');
});

it('a frozen connection stays open and silent, and a new one is forwarded', async () => {
  const { port } = await startNamed('server');
  const proxy = await startProxy(port);
  const frozen = await dial(proxy);
  expect(await ask(frozen)).toBe('server');
  expect(proxy.freeze('kept')).toBe(1);
  let heard = '';
  frozen.on('data', (chunk) => {
    heard += chunk.toString();
  });
  frozen.write('who?');
  // The answer to the new connection comes after any that the frozen one could get.
  expect(await ask(await dial(proxy))).toBe('server');
  expect(heard).toBe('');
  expect(frozen.destroyed).toBe(false);
  expect(proxy.frozen).toBe(1);
});

it('the server sees the end of a frozen connection only if it is to', async () => {
  const server = await startNamed('server');
  const proxy = await startProxy(server.port);
  await ask(await dial(proxy));
  proxy.freeze('kept');
  await ask(await dial(proxy));
  const closed = once(server.sockets[1] as Socket, 'close');
  proxy.freeze('closed');
  await closed;
  expect(server.sockets[0]?.destroyed).toBe(false);
});

it('what is stalled arrives after the way is healed, also on a new connection', async () => {
  const { port } = await startNamed('server');
  const proxy = await startProxy(port);
  const old = await dial(proxy);
  expect(await ask(old)).toBe('server');
  proxy.stall('to the client');
  const young = await dial(proxy);
  const answers = [ask(old), ask(young)];
  const heard: string[] = [];
  for (const answer of answers) void answer.then((text) => heard.push(text));
  // A way of its own tells that the server would have answered meanwhile.
  expect(await ask(await dial(await startProxy(port)))).toBe('server');
  expect(heard).toEqual([]);
  proxy.heal();
  expect(await Promise.all(answers)).toEqual(['server', 'server']);
});

it('a way that is cut resets old and new connections until it is healed', async () => {
  const { port } = await startNamed('server');
  const proxy = await startProxy(port);
  const old = await dial(proxy);
  await ask(old);
  const reset = once(old, 'error') as Promise<[NodeJS.ErrnoException]>;
  proxy.cut();
  expect((await reset)[0].code).toBe('ECONNRESET');
  const young = connect({ host: '127.0.0.1', port: proxy.port });
  open.sockets.push(young);
  expect(((await once(young, 'error')) as [NodeJS.ErrnoException])[0].code).toBe('ECONNRESET');
  proxy.heal();
  expect(await ask(await dial(proxy))).toBe('server');
});

it('a half-closed connection goes on in the other direction', async () => {
  const { port, sockets } = await startNamed('server');
  const proxy = await startProxy(port);
  const client = connect({ host: '127.0.0.1', port: proxy.port, allowHalfOpen: true });
  open.sockets.push(client);
  await once(client, 'connect');
  await ask(client);
  const ended = once(client, 'end');
  proxy.halfClose('to the client');
  await ended;
  const received = once(sockets[0] as Socket, 'data') as Promise<[Buffer]>;
  client.write('still here');
  expect((await received)[0].toString()).toBe('still here');
});

it('a server that refuses is passed over', async () => {
  const gone = await startNamed('gone');
  const { port } = await startNamed('server');
  open.servers.find((server) => (server.address() as AddressInfo | null)?.port === gone.port)?.close();
  const proxy = await startTcpProxy([{ port: gone.port }, { port }]);
  open.proxies.push(proxy);
  expect(await ask(await dial(proxy))).toBe('server');
  expect(await ask(await dial(proxy))).toBe('server');
});

it('counts a mark that comes in pieces', async () => {
  const { port } = await startNamed('server');
  const proxy = await startTcpProxy(port, { mark: '\r\n.\r\n' });
  open.proxies.push(proxy);
  const client = await dial(proxy);
  for (const piece of ['a\r\n.\r\nb\r\n', '.', '\r\nc']) {
    const answered = once(client, 'data');
    client.write(piece);
    await answered;
  }
  expect(proxy.marks).toBe(2);
});
