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
