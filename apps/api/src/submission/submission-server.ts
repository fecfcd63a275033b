import type { AddressInfo } from 'node:net';
import { AppError, isEmailAddress, type Services } from '@postrider/core/base/kernel';
import { mostSubmissionRecipients, submissionRecipient } from '@postrider/core/mail/submission';
import type {
  SMTPServerAuthentication,
  SMTPServerDataStream,
  SMTPServerOptions,
  SMTPServerSession,
} from 'smtp-server';
import { acceptMessage } from './accept-message.ts';
import { FailedLogins } from './failed-logins.ts';
import { GuardedServer, linesOfReply } from './guarded-server.ts';
import { resolveSender, userName } from './log-in.ts';
import { ByteBudget, receiveMessage } from './receive-message.ts';
import { queuedAs, reply, replyOf } from './reply.ts';
import { type SubmissionLimits, submissionLimits } from './submission-limits.ts';

const megabyte = 1_048_576;
const loopback = /^(?:127\.|::1$|::ffff:127\.)/;

export interface SubmissionOptions {
  /** a certificate and its key in PEM; without them there is no STARTTLS */
  tls?: { cert: Buffer; key: Buffer } | null;
  limits?: Partial<SubmissionLimits>;
}

/** The commands that a client is not offered before TLS. Without it, a key would cross the network in plain text. */
export const disabledCommandsFor = (ip: string, { hasTls }: { hasTls: boolean }): string[] => [
  ...(hasTls ? [] : ['STARTTLS']),
  ...(loopback.test(ip) ? [] : ['AUTH']),
];

export interface SubmissionServer {
  port: number;
  /** Takes no more messages, and waits for those that are being received. */
  stop(): Promise<void>;
}

/**
 * The SMTP server that accepts messages of programs (behaviour B11.8). It answers 250 when every recipient has an Email row.
 *
 * @param port 0 for any free one
 * @throws Error naming SUBMISSION_PORT when it cannot listen there
 */
export async function startSubmission(
  services: Services,
  port: number,
  { tls = null, limits: changed = {} }: SubmissionOptions = {},
): Promise<SubmissionServer> {
  const size = Math.floor(services.config.MESSAGE_MAX_MB * megabyte);
  const limits = { ...submissionLimits(size), ...changed };
  const budget = new ByteBudget(limits.bytes);
  const failedLogins = new FailedLogins(limits.failedLogins);
  const underWay = new Set<Promise<unknown>>();
  let stopping = false;

  const server = new GuardedServer(limits, {
    name: services.config.MAIL_HOST,
    banner: 'Postrider submission',
    size,
    logger: false,
    disableReverseLookup: true,
    hideSTARTTLS: tls === null,
    hideSMTPUTF8: false,
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN'],
    authRequiredMessage: '5.7.0 Authentication required',
    closeTimeout: 1_000,
    ...tls,
    onConnect(session, callback) {
      session.disabledCommands = disabledCommandsFor(session.remoteAddress, { hasTls: tls !== null });
      callback();
    },
    onSecure(_socket, session, callback) {
      session.disabledCommands = [];
      callback();
    },
    onAuth(auth, session, callback) {
      logIn(auth, session).then(
        (user) => callback(null, { user }),
        (error: Error) => callback(error),
      );
    },
    onMailFrom(_address, session, callback) {
      if (stopping) return callback(reply(421, '4.3.2 The server is stopping'));
      if (session.user) return callback();
      callback(reply(530, tls ? '5.7.0 Send STARTTLS, then log in' : '5.7.0 Authentication requires TLS'));
    },
    onRcptTo({ address }, session, callback) {
      if (session.envelope.rcptTo.length >= mostSubmissionRecipients)
        return callback(reply(452, '4.5.3 Too many recipients'));
      if (!isEmailAddress(submissionRecipient(address)))
        return callback(reply(550, '5.1.3 Not an email address'));
      callback();
    },
    onData(stream, session, callback) {
      const done = receive(stream, session).then(
        (ids) => callback(null, linesOfReply(queuedAs(ids))),
        (error: Error) => callback(error),
      );
      underWay.add(done);
      void done.finally(() => underWay.delete(done));
    },
  } satisfies SMTPServerOptions);

  /** @returns the key @throws the reply of a refusal */
  async function logIn(
    { username, password }: SMTPServerAuthentication,
    { remoteAddress }: SMTPServerSession,
  ): Promise<{ key: string }> {
    if (failedLogins.isBlocked(remoteAddress))
      throw reply(421, '4.7.0 Too many failed logins; wait a minute');
    try {
      if (username !== userName) throw new AppError('INVALID_API_KEY', `The user name is ${userName}`);
      const key = password ?? '';
      await resolveSender(services, key, { countRequest: false });
      return { key };
    } catch (error) {
      const refusal = replyOf(error);
      if (!refusal) throw laterReply(454, '4.7.0 Temporary authentication failure', error);
      failedLogins.add(remoteAddress);
      throw refusal;
    }
  }

  /** @returns the ids of the emails @throws the reply of a refusal */
  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string[]> {
    // A client that sends its message byte by byte holds its connection no longer.
    const tooSlow = setTimeout(() => {
      server.connectionOf(session)?.send(421, '4.4.2 The message took too long');
      stream.destroy();
    }, limits.messageMs);
    const received = await receiveMessage(stream, budget).finally(() => clearTimeout(tooSlow));
    if ('refusal' in received)
      throw received.refusal === 'too large'
        ? reply(552, `5.3.4 The message is larger than ${services.config.MESSAGE_MAX_MB} MB`)
        : reply(451, '4.3.1 Too much mail at once; try again later');
    try {
      return await acceptMessage(services, {
        key: (session.user as { key: string }).key,
        ip: session.remoteAddress,
        recipients: session.envelope.rcptTo.map(({ address }) => submissionRecipient(address)),
        message: received.message,
      });
    } catch (error) {
      throw replyOf(error) ?? laterReply(451, '4.3.0 The message cannot be stored now', error);
    } finally {
      received.release();
    }
  }

  /** The client keeps the message and sends it again. */
  function laterReply(code: number, text: string, error: unknown): Error {
    services.log.warn({ err: error }, 'a submission failed; its client repeats it');
    return reply(code, text);
  }

  // A broken connection concerns its client only, which sends its message again.
  server.on('error', (error: Error) =>
    services.log.info({ err: error }, 'a connection of the submission port broke'),
  );
  await listen(server, services.config.HOST, port);
  return {
    port: (server.server.address() as AddressInfo).port,
    async stop() {
      stopping = true;
      // Connections stay open until the answers to their messages are written.
      server.server.close();
      while (underWay.size > 0) await Promise.all(underWay);
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function listen(server: GuardedServer, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(new Error(`SUBMISSION_PORT: the api cannot listen on port ${port}`, { cause: error }));
    server.server.once('error', fail);
    server.listen(port, host, () => {
      server.server.off('error', fail);
      resolve();
    });
  });
}
