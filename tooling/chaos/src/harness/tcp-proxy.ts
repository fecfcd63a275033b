import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** Which way bytes go: from the client to the server, or back. */
export type Direction = 'to the server' | 'to the client';

export interface Target {
  port: number;
  /** default: 127.0.0.1 */
  host?: string;
}

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
  /** Resets all open connections, and every new one until `heal`. */
  cut(): void;
  /**
   * Holds back what goes in these directions, the ends of connections included, on open connections and on new ones: what is lost on the
   * way is sent again by TCP, and arrives after `heal`.
   */
  stall(...directions: readonly Direction[]): void;
  /** Ends this direction of all open connections; the other goes on until somebody closes it. */
  halfClose(direction: Direction): void;
  /** Undoes `cut` and `stall`. */
  heal(): void;
  /** How often the mark went to the server since the start. */
  readonly marks: number;
  stop(): Promise<void>;
}

interface Link {
  client: Socket;
  server: Socket;
  isFrozen: boolean;
}

export interface ProxyOptions {
  /** Text that is counted on its way to the server; on each connection it may be split between two chunks. */
  mark?: string;
}

/** @param target a port of this machine, or several servers by turns: a connection that one refuses goes to the next */
export async function startTcpProxy(
  target: number | readonly Target[],
  { mark }: ProxyOptions = {},
): Promise<TcpProxy> {
  let targets: readonly Target[] = typeof target === 'number' ? [{ port: target }] : target;
  const links = new Set<Link>();
  const stalled = new Set<Direction>();
  /** the ends of connections that are held back with what goes before them */
  let held: (() => void)[] = [];
  let marks = 0;
  let isCut = false;
  let turn = 0;

  const forward = (from: Socket, to: Socket, link: Link, direction: Direction): void => {
    // Bytes of a frozen connection are read and dropped, so that the sender's system acknowledges them.
    const count = mark !== undefined && direction === 'to the server' ? counterOf(mark) : () => 0;
    from.on('data', (chunk) => {
      if (link.isFrozen || to.destroyed || to.writableEnded) return;
      marks += count(chunk);
      if (!to.write(chunk)) {
        from.pause();
        to.once('drain', () => {
          if (!stalled.has(direction)) from.resume();
        });
      }
    });
    from.on('end', () => {
      if (!link.isFrozen && !to.destroyed) to.end();
    });
    if (stalled.has(direction)) from.pause();
  };
  const passOn = (direction: Direction, end: () => void): void => {
    if (stalled.has(direction)) held.push(end);
    else end();
  };

  const lead = (client: Socket, left: number): void => {
    turn += 1;
    const { host = '127.0.0.1', port = 0 } = targets[turn % targets.length] ?? {};
    const upstream = connect({ host, port, noDelay: true, allowHalfOpen: true });
    const link: Link = { client, server: upstream, isFrozen: false };
    const tryNext = (): void => {
      upstream.destroy();
      if (left > 1) lead(client, left - 1);
      else client.destroy();
    };
    upstream.once('error', tryNext);
    upstream.once('connect', () => {
      upstream.off('error', tryNext);
      upstream.on('error', () => upstream.destroy());
      if (isCut) {
        client.resetAndDestroy();
        upstream.resetAndDestroy();
        return;
      }
      links.add(link);
      forward(client, upstream, link, 'to the server');
      forward(upstream, client, link, 'to the client');
      const clientIsGone = (): void => {
        links.delete(link);
        // The end of a frozen connection does not reach the server: nothing does.
        if (!link.isFrozen) passOn('to the server', () => upstream.destroy());
      };
      if (client.destroyed) clientIsGone();
      else client.once('close', clientIsGone);
      upstream.once('close', () => {
        if (!link.isFrozen) passOn('to the client', () => client.destroy());
      });
    });
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    client.setNoDelay(true);
    client.on('error', () => client.destroy());
    if (isCut) client.resetAndDestroy();
    else lead(client, targets.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const lost = new Set<Socket>();

  return {
    port: (server.address() as AddressInfo).port,
    retarget(port) {
      targets = [{ port }];
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
    cut() {
      isCut = true;
      for (const { client, server: upstream } of links) {
        client.resetAndDestroy();
        upstream.resetAndDestroy();
      }
    },
    stall(...directions) {
      for (const direction of directions) stalled.add(direction);
      for (const { client, server: upstream } of links) {
        if (stalled.has('to the server')) client.pause();
        if (stalled.has('to the client')) upstream.pause();
      }
    },
    halfClose(direction) {
      for (const { client, server: upstream } of links)
        (direction === 'to the server' ? upstream : client).end();
    },
    heal() {
      isCut = false;
      stalled.clear();
      for (const { client, server: upstream } of links) {
        client.resume();
        upstream.resume();
      }
      const ends = held;
      held = [];
      for (const end of ends) end();
    },
    get marks() {
      return marks;
    },
    async stop() {
      for (const { client, server: upstream } of links) {
        client.destroy();
        upstream.destroy();
      }
      for (const socket of lost) socket.destroy();
      for (const end of held) end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Counts a text in a stream, chunk by chunk. */
function counterOf(mark: string): (chunk: Buffer) => number {
  let rest = '';
  return (chunk) => {
    const parts = (rest + chunk.toString('latin1')).split(mark);
    rest = (parts.at(-1) ?? '').slice(1 - mark.length);
    return parts.length - 1;
  };
}
