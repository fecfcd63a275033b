import type { MailTransport } from '../../base/kernel/ports/mail-transport.ts';
import { ConnectionPool } from './connection-pool.ts';
import { parseSmtpUrl } from './smtp-url.ts';

export interface SmtpTransportOptions {
  /** `smtp://user:pass@host:port` or `smtps://…`, with nodemailer's query parameters. */
  url: string;
  /** The most connections open at once; fewer while the server refuses more. */
  connections: number;
  /** The longest silence of the server after which a connection is given up, in milliseconds. */
  socketTimeoutMs: number;
  /** The longest wait for the reply to a message that was transferred, in milliseconds; default 10 minutes (RFC 5321, 4.5.3.2.6). */
  finalReplyTimeoutMs?: number | undefined;
  /** The longest that connecting, TLS and the greeting together may take, in milliseconds. */
  greetingTimeoutMs: number;
  /** A connection without work for this long is closed, in milliseconds. */
  idleTimeoutMs: number;
  /** Name for EHLO; default: the machine's name when it is a full one, else an address literal. */
  hostname?: string | undefined;
  /** A connection is closed after this many messages; default 1,000. */
  messagesPerConnection?: number | undefined;
  /** After a server has refused a connection, one more is tried after this time, then after longer ones; default 10 seconds. */
  growthWaitMs?: number | undefined;
}

/** A pool of SMTP connections, opened when needed and reused. Throws a TypeError for a URL that it cannot read. */
export function createSmtpTransport(options: SmtpTransportOptions): MailTransport {
  const { connection, auth } = parseSmtpUrl(options.url);
  const server = {
    auth,
    connection: {
      ...connection,
      name: options.hostname ?? connection.name,
      connectionTimeout: options.greetingTimeoutMs,
      greetingTimeout: options.greetingTimeoutMs,
      socketTimeout: options.socketTimeoutMs,
      // Closing means destroying: what is still buffered has no business on the wire.
      socketCloseTimeout: 0,
    },
  };
  return new ConnectionPool(server, {
    connections: options.connections,
    messagesPerConnection: options.messagesPerConnection ?? 1_000,
    socketTimeoutMs: options.socketTimeoutMs,
    finalReplyTimeoutMs: options.finalReplyTimeoutMs ?? 600_000,
    idleTimeoutMs: options.idleTimeoutMs,
    growthWaitMs: options.growthWaitMs ?? 10_000,
  });
}
