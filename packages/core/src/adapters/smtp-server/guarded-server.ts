import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { Counts, type Share, whole } from '../../base/lib/index.ts';
import type { ClientLimits } from './client-limits.ts';

type Connection = SMTPServer['connections'] extends Set<infer Each> ? Each : never;

/** Limits for every client, so that none can occupy the process. Times are in milliseconds. */
export interface ConnectionLimits {
  /** open connections in all, and of one address, by default as many */
  connections: number;
  ofAddress?: number;
  /** the part of `ofAddress` that this process has */
  share?: Share;
  /** what a connection beyond these numbers is told with 421 */
  tooMany?: string;
  /** without a byte from the client */
  silenceMs: number;
  /** how long a connection may last, whatever it is used for; by default without an end */
  connectionMs?: number;
  /** from the connection to the login; by default without an end */
  loginMs?: number;
}

/** A text that begins with an enhanced code of its own (RFC 3463). */
const hasEnhancedCode = /^[245]\.\d{1,3}\.\d{1,3} /;
const separator = '\n';

/** Several lines of one reply, for a callback of the server that takes one text. */
export const linesOfReply = (lines: readonly string[]): string => lines.join(separator);

/** An SMTP server with limits for connections, whose replies may have several lines and enhanced codes of their own. */
export class GuardedServer extends SMTPServer {
  readonly #limits: ConnectionLimits;
  readonly #clients: ClientLimits | undefined;
  readonly #ofAddress = new Counts();

  /** @param clients counts the connections of each client as well, for what the service decides about them */
  constructor(limits: ConnectionLimits, clients: ClientLimits | undefined, options: SMTPServerOptions) {
    super({ ...options, socketTimeout: limits.silenceMs });
    this.#limits = limits;
    this.#clients = clients;
  }

  override connect(socket: Socket, options?: Parameters<SMTPServer['connect']>[1]): void {
    this.#count(socket);
    if (!this.#admits(socket)) {
      socket.on('error', () => undefined);
      socket.end(`421 ${this.#limits.tooMany ?? '4.7.0 Too many connections'}\r\n`);
      setTimeout(() => socket.destroy(), 1_000).unref();
      return;
    }
    super.connect(socket, options);
    // The newest connection is the last one of the set.
    const connection = [...this.connections].at(-1);
    if (!connection) return;
    speakInLines(connection);
    const { connectionMs, loginMs } = this.#limits;
    within(socket, connectionMs, () => socket.destroy());
    within(socket, loginMs, () => {
      if (!connection.session.user) connection.send(421, '4.7.0 No login');
    });
  }

  connectionOf(session: Connection['session']): Connection | undefined {
    return [...this.connections].find((connection) => connection.session === session);
  }

  #count(socket: Socket): void {
    const { remoteAddress = '' } = socket;
    this.#clients?.opened(remoteAddress, Date.now());
    socket.once('close', () => this.#clients?.closed(remoteAddress, Date.now()));
  }

  #admits(socket: Socket): boolean {
    const { connections, ofAddress = connections, share = whole } = this.#limits;
    if (this.connections.size >= connections) return false;
    const leave = this.#ofAddress.take(socket.remoteAddress ?? '', share(ofAddress));
    if (leave) socket.once('close', leave);
    return leave !== null;
  }
}

/** Does this after so long, unless the connection has been closed. */
function within(socket: Socket, ms: number | undefined, late: () => void): void {
  if (ms === undefined) return;
  const timer = setTimeout(late, ms);
  socket.once('close', () => clearTimeout(timer));
}

function speakInLines(connection: Connection): void {
  const send = connection.send.bind(connection);
  connection.send = (code, data, context) => {
    if (typeof data !== 'string' || !hasEnhancedCode.test(data)) return send(code, data, context);
    const lines = data.split(separator);
    return send(code, lines.length > 1 ? lines : data, false);
  };
}
