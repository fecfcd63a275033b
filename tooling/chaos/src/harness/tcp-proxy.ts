import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on loopback between the product and a server. It can behave like a network that loses connections. */
export interface TcpProxy {
  port: number;
  /** The target of connections from now on; open ones keep theirs. */
  retarget(port: number): void;
  /**
   * Stops forwarding on all open connections without closing them, as when a host disappears without a word: the
   * client waits for an answer that never comes. New connections are forwarded.
   *
   * @param server `closed`: the server sees the end of its connections, as after its restart; `kept`: it does not
   *   either, as when a router forgets them
   * @returns the number of these connections
   */
  freeze(server: 'closed' | 'kept'): number;
  /** The connections that are frozen and not yet closed by the client. */
  readonly frozen: number;
  stop(): Promise<void>;
}

interface Link {
  client: Socket;
  server: Socket;
  isFrozen: boolean;
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  let target = targetPort;
  const links = new Set<Link>();

  const server = createServer((client) => {
    const link: Link = {
      client,
      server: connect({ host: '127.0.0.1', port: target, noDelay: true }),
      isFrozen: false,
    };
    links.add(link);
    client.setNoDelay(true);
    forward(link.client, link.server, link);
    forward(link.server, link.client, link);
    client.once('close', () => {
      links.delete(link);
      // The end of a frozen connection does not reach the server: nothing does.
      if (!link.isFrozen) link.server.destroy();
    });
    link.server.once('close', () => {
      if (!link.isFrozen) client.destroy();
    });
    for (const socket of [client, link.server]) socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const lost = new Set<Socket>();

  return {
    port: (server.address() as AddressInfo).port,
    retarget(port) {
      target = port;
    },
    freeze(way) {
      const open = [...links].filter(({ isFrozen }) => !isFrozen);
      for (const link of open) {
        link.isFrozen = true;
        if (way === 'closed') link.server.destroy();
        else lost.add(link.server);
      }
      return open.length;
    },
    get frozen() {
      return [...links].filter(({ isFrozen }) => isFrozen).length;
    },
    async stop() {
      for (const { client, server: upstream } of links) {
        client.destroy();
        upstream.destroy();
      }
      for (const socket of lost) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Bytes of a frozen connection are read and dropped, so that the sender's system acknowledges them. */
function forward(from: Socket, to: Socket, link: Link): void {
  from.on('data', (chunk) => {
    if (link.isFrozen || to.destroyed) return;
    if (!to.write(chunk)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
  });
  from.on('end', () => {
    if (!link.isFrozen && !to.destroyed) to.end();
  });
}
