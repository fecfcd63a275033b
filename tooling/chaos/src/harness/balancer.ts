import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Balancer {
  url: string;
  stop(): Promise<void>;
}

export interface BalancerOptions {
  /** Asks each server so often whether it is ready, and leads new connections only to those that are. Default: to all. */
  checkMs?: number;
}

/** One address for several servers on this machine, by turns. A connection that one refuses goes to the next. */
export async function startBalancer(
  ports: readonly number[],
  { checkMs }: BalancerOptions = {},
): Promise<Balancer> {
  const sockets = new Set<Socket>();
  const ready = new Set(ports);
  const stopping = new AbortController();
  const watching = checkMs === undefined ? [] : ports.map((port) => watch(port, checkMs));
  let turn = 0;

  async function watch(port: number, everyMs: number): Promise<void> {
    while (!stopping.signal.aborted) {
      if (await isReady(port)) ready.add(port);
      else ready.delete(port);
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const next = (): number => {
    const usable = ready.size > 0 ? [...ready] : ports;
    turn += 1;
    return usable[turn % usable.length] ?? 0;
  };
  const lead = (client: Socket, left: number): void => {
    const server = connect(next(), '127.0.0.1');
    track(server);
    server.once('connect', () => {
      client.pipe(server).pipe(client);
      client.once('close', () => server.destroy());
      // What the server has sent before it closed still reaches the client.
      server.once('close', (broke) => (broke ? client.destroy() : client.destroySoon()));
    });
    server.once('error', () => {
      if (!server.connecting && server.bytesRead > 0) return;
      if (left > 1) lead(client, left - 1);
      else client.destroy();
    });
  };
  const listener = createServer((client) => {
    track(client);
    lead(client, ports.length);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    async stop() {
      stopping.abort();
      await Promise.all(watching);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

/** On a connection of its own, as balancers check. */
const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(checkTimeoutMs),
  }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );

const checkTimeoutMs = 5_000;
