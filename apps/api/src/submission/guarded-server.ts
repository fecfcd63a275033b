import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { SubmissionLimits } from './submission-limits.ts';

type Connection = SMTPServer['connections'] extends Set<infer Each> ? Each : never;

/** A text that begins with an enhanced code of its own (RFC 3463). */
const hasEnhancedCode = /^[245]\.\d{1,3}\.\d{1,3} /;
const separator = '\n';

/** Several lines of one reply, for a callback of the server that takes one text. */
export const linesOfReply = (lines: readonly string[]): string => lines.join(separator);

/** An SMTP server with limits for connections, whose replies may have several lines and enhanced codes of their own. */
export class GuardedServer extends SMTPServer {
  readonly #limits: SubmissionLimits;
  readonly #perAddress = new Map<string, number>();

  constructor(limits: SubmissionLimits, options: SMTPServerOptions) {
    super({ ...options, hideENHANCEDSTATUSCODES: false, socketTimeout: limits.silenceMs });
    this.#limits = limits;
  }

  override connect(socket: Socket, options?: Parameters<SMTPServer['connect']>[1]): void {
    if (!this.#admits(socket)) {
      socket.on('error', () => undefined);
      socket.end('421 4.7.0 Too many connections\r\n');
      setTimeout(() => socket.destroy(), 1_000).unref();
      return;
    }
    super.connect(socket, options);
    // The newest connection is the last one of the set.
    const connection = [...this.connections].at(-1);
    if (!connection) return;
    speakInLines(connection);
    const login = setTimeout(() => {
      if (!connection.session.user) connection.send(421, '4.7.0 No login');
    }, this.#limits.loginMs);
    socket.once('close', () => clearTimeout(login));
  }

  connectionOf(session: Connection['session']): Connection | undefined {
    return [...this.connections].find((connection) => connection.session === session);
  }

  #admits(socket: Socket): boolean {
    const address = socket.remoteAddress ?? '';
    const open = this.#perAddress.get(address) ?? 0;
    if (open >= this.#limits.connectionsPerAddress || this.connections.size >= this.#limits.connections)
      return false;
    this.#perAddress.set(address, open + 1);
    socket.once('close', () => {
      const left = (this.#perAddress.get(address) ?? 1) - 1;
      if (left > 0) this.#perAddress.set(address, left);
      else this.#perAddress.delete(address);
    });
    return true;
  }
}

function speakInLines(connection: Connection): void {
  const send = connection.send.bind(connection);
  connection.send = (code, data, context) => {
    if (typeof data !== 'string' || !hasEnhancedCode.test(data)) return send(code, data, context);
    const lines = data.split(separator);
    return send(code, lines.length > 1 ? lines : data, false);
  };
}
