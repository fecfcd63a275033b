import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream';
import type { SMTPServerAuthentication, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import type { Services } from '../../base/kernel/services.ts';
import type { ClientLimits } from './client-limits.ts';
import { type ConnectionLimits, GuardedServer, linesOfReply } from './guarded-server.ts';
import { SmtpRefusal } from './refusal.ts';

export type SmtpSession = SMTPServerSession;
export type SmtpLogin = SMTPServerAuthentication;
export type MessageStream = SMTPServerDataStream;

/** What a server does for its clients. Each part refuses by throwing an `SmtpRefusal`; after a 421 the connection is closed. */
export interface SmtpService {
  connect?(session: SmtpSession): void | Promise<void>;
  /** The connection is protected by TLS from now on. */
  secured?(session: SmtpSession): void;
  /** Without it, AUTH is not offered, and with it, it is required. @returns what is `session.user` from now on */
  logIn?(login: SmtpLogin, session: SmtpSession): Promise<object>;
  /** A message begins. */
  begin?(session: SmtpSession): void | Promise<void>;
  addRecipient(address: string, session: SmtpSession): void | Promise<void>;
  /** @returns the lines of the answer 250, or nothing for the usual one */
  receive(stream: MessageStream, session: SmtpSession): Promise<readonly string[] | undefined>;
  /** The answer to an error that is no refusal. */
  failed(error: unknown, session: SmtpSession): SmtpRefusal;
}

export interface SmtpServerOptions {
  /** 0 for any free one */
  port: number;
  /** what operators call it: the variable of its port, the app that it belongs to, and the server, as in `the bounce receiver` */
  names: { variable: string; app: string; server: string };
  /** follows the name of the host in its greeting */
  banner: string;
  /** the largest message in bytes, which EHLO announces */
  maxBytes: number;
  /** a certificate and its key in PEM; by default there is no STARTTLS */
  tls?: { cert: Buffer; key: Buffer } | null;
  /** whether every reply has an enhanced code (RFC 2034), which EHLO announces */
  hasEnhancedCodes?: boolean;
  /** `messageMs`: from DATA to the end of the message; by default without an end */
  limits: ConnectionLimits & { messageMs?: number };
  /** counts the connections of each client */
  clients?: ClientLimits;
}

export interface SmtpServer {
  port: number;
  /** Takes no more connections and messages, and resolves when those that are being received are answered. */
  drain(): Promise<void>;
  /** Connections that are still open after a second are closed. */
  close(): Promise<void>;
}

/**
 * An SMTP server for one service: it speaks the protocol, keeps the limits of connections, and answers each command with what the service
 * decides.
 *
 * @throws Error naming the variable of the port when it cannot listen there
 */
export async function startSmtpServer(
  { config, log }: Pick<Services, 'config' | 'log'>,
  service: SmtpService,
  { port, names, banner, maxBytes, tls = null, hasEnhancedCodes = false, limits, clients }: SmtpServerOptions,
): Promise<SmtpServer> {
  const underWay = new Set<Promise<unknown>>();
  let stopping = false;

  async function answer<Result>(
    session: SmtpSession,
    decide: () => Result | Promise<Result>,
    callback: (refusal: SmtpRefusal | null, result?: Result) => void,
  ): Promise<void> {
    let result: Result;
    try {
      result = await decide();
    } catch (error) {
      callback(error instanceof SmtpRefusal ? error : service.failed(error, session));
      return;
    }
    callback(null, result);
  }

  /** A client that sends its message byte by byte holds its connection no longer. */
  const limitTime = (stream: MessageStream, session: SmtpSession): void => {
    if (limits.messageMs === undefined) return;
    const timer = setTimeout(() => {
      server.connectionOf(session)?.send(421, '4.4.2 The message took too long');
      stream.destroy();
    }, limits.messageMs);
    finished(stream, { writable: false }, () => clearTimeout(timer));
  };

  const { logIn } = service;
  const server = new GuardedServer(limits, clients, {
    name: config.MAIL_HOST,
    banner,
    size: maxBytes,
    logger: false,
    disableReverseLookup: true,
    disabledCommands: [...(logIn ? [] : ['AUTH']), ...(tls ? [] : ['STARTTLS'])],
    hideSTARTTLS: tls === null,
    hideSMTPUTF8: false,
    hideENHANCEDSTATUSCODES: !hasEnhancedCodes,
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN'],
    authRequiredMessage: '5.7.0 Authentication required',
    closeTimeout: 1_000,
    ...tls,
    onConnect: (session, callback) => void answer(session, () => service.connect?.(session), callback),
    onSecure(_socket, session, callback) {
      service.secured?.(session);
      callback();
    },
    ...(logIn && {
      onAuth: (login, session, callback) =>
        void answer(
          session,
          () => logIn(login, session),
          (refusal, user) => callback(refusal, { user }),
        ),
    }),
    onMailFrom(_address, session, callback) {
      const begin = () => {
        if (stopping) throw new SmtpRefusal(421, '4.3.2 The server is stopping');
        return service.begin?.(session);
      };
      void answer(session, begin, callback);
    },
    onRcptTo: ({ address }, session, callback) =>
      void answer(session, () => service.addRecipient(address, session), callback),
    onData(stream, session, callback) {
      limitTime(stream, session);
      const done = answer(
        session,
        () => service.receive(stream, session),
        (refusal, lines) => callback(refusal, lines && linesOfReply(lines)),
      );
      underWay.add(done);
      void done.finally(() => underWay.delete(done));
    },
  });
  // A broken connection concerns its client only, which sends its message again.
  server.on('error', (error: Error) => log.info({ err: error }, `a connection of ${names.server} broke`));
  await listen(server, { host: config.HOST, port, names });
  return {
    port: (server.server.address() as AddressInfo).port,
    async drain() {
      stopping = true;
      // Connections stay open until the answers to their messages are written.
      server.server.close();
      while (underWay.size > 0) await Promise.all(underWay);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function listen(
  server: GuardedServer,
  { host, port, names }: Pick<SmtpServerOptions, 'port' | 'names'> & { host: string },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: Error): void =>
      reject(new Error(`${names.variable}: the ${names.app} cannot listen on port ${port}`, { cause }));
    server.server.once('error', fail);
    server.listen(port, host, () => {
      server.server.off('error', fail);
      resolve();
    });
  });
}
