import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Balancer {
  url: string;
  stop(): Promise<void>;
}

/** One address for several servers on this machine, by turns. A connection that one refuses goes to the next. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const lead = (client: Socket, left: number): void => {
    turn += 1;
    const server = connect(ports[turn % ports.length] ?? 0, '127.0.0.1');
    track(server);
    server.once('connect', () => {
      client.pipe(server).pipe(client);
      client.once('close', () => server.destroy());
      server.once('close', () => client.destroy());
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
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
