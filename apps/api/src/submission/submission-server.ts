import {
  ByteBudget,
  type MessageStream,
  receiveMessage,
  type SmtpLogin,
  SmtpRefusal,
  type SmtpSession,
  startSmtpServer,
} from '@postrider/core/adapters/smtp-server';
import { AppError, normalizeAddress, type Services } from '@postrider/core/base/kernel';
import { type Share, whole } from '@postrider/core/base/lib';
import { mostSubmissionRecipients } from '@postrider/core/mail/submission';
import { acceptMessage } from './accept-message.ts';
import { FailedLogins } from './failed-logins.ts';
import { resolveSender, userName } from './log-in.ts';
import { recorded } from './record-submission.ts';
import { queuedAs, replyOf } from './reply.ts';
import { type SubmissionLimits, submissionLimits } from './submission-limits.ts';

const megabyte = 1_048_576;
const loopback = /^(?:127\.|::1$|::ffff:127\.)/;

export interface SubmissionOptions {
  /** a certificate and its key in PEM; without them there is no STARTTLS */
  tls?: { cert: Buffer; key: Buffer } | null;
  limits?: Partial<SubmissionLimits>;
  /** the part of the limits for each address that this process has */
  share?: Share;
}

/** The commands that a client is not offered before TLS. Without it, a key would cross the network in plain text. */
export const disabledCommandsFor = (ip: string, { hasTls }: { hasTls: boolean }): string[] => [
  ...(hasTls ? [] : ['STARTTLS']),
  ...(loopback.test(ip) ? [] : ['AUTH']),
];

/** What a login is remembered by. */
interface User {
  key: string;
}

const notStored = '4.3.0 The message cannot be stored now';

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
  { tls = null, limits: changed = {}, share = whole }: SubmissionOptions = {},
): Promise<SubmissionServer> {
  const maxBytes = Math.floor(services.config.MESSAGE_MAX_MB * megabyte);
  const limits = { ...submissionLimits(maxBytes), ...changed };
  const budget = new ByteBudget(limits.bytes);
  const failedLogins = new FailedLogins(limits.failedLogins, share);

  /** @returns the key */
  async function logIn({ username, password }: SmtpLogin, { remoteAddress }: SmtpSession): Promise<User> {
    if (failedLogins.isBlocked(remoteAddress))
      throw new SmtpRefusal(421, '4.7.0 Too many failed logins; wait a minute');
    try {
      if (username !== userName) throw new AppError('INVALID_API_KEY', `The user name is ${userName}`);
      const key = password ?? '';
      await recorded(services, { method: 'AUTH', key, ip: remoteAddress }, async (found) => {
        await resolveSender(services, key, { countRequest: false }, found);
        return [];
      });
      return { key };
    } catch (error) {
      const refusal = replyOf(error);
      if (!refusal) throw later(454, '4.7.0 Temporary authentication failure', error);
      failedLogins.add(remoteAddress);
      throw refusal;
    }
  }

  function begin({ user }: SmtpSession): void {
    if (!user)
      throw new SmtpRefusal(
        530,
        tls ? '5.7.0 Send STARTTLS, then log in' : '5.7.0 Authentication requires TLS',
      );
  }

  function addRecipient(address: string, { envelope }: SmtpSession): void {
    if (envelope.rcptTo.length >= mostSubmissionRecipients)
      throw new SmtpRefusal(452, '4.5.3 Too many recipients');
    if (normalizeAddress(address) === null) throw new SmtpRefusal(550, '5.1.3 Not an email address');
  }

  /** @returns the answer, with the ids of the emails */
  async function receive(stream: MessageStream, session: SmtpSession): Promise<string[]> {
    const received = await receiveMessage(stream, budget);
    if ('refusal' in received)
      throw received.refusal === 'too large'
        ? new SmtpRefusal(552, `5.3.4 The message is larger than ${services.config.MESSAGE_MAX_MB} MB`)
        : new SmtpRefusal(451, '4.3.1 Too much mail at once; try again later');
    try {
      const ids = await acceptMessage(services, {
        key: (session.user as User).key,
        ip: session.remoteAddress,
        recipients: session.envelope.rcptTo.map(({ address }) => address),
        message: received.message,
      });
      return queuedAs(ids);
    } catch (error) {
      throw replyOf(error) ?? later(451, notStored, error);
    } finally {
      received.release();
    }
  }

  /** The client keeps the message and sends it again. */
  function later(code: number, text: string, error: unknown): SmtpRefusal {
    services.log.warn({ err: error }, 'a submission failed; its client repeats it');
    return new SmtpRefusal(code, text);
  }

  const server = await startSmtpServer(
    services,
    {
      connect(session) {
        session.disabledCommands = disabledCommandsFor(session.remoteAddress, { hasTls: tls !== null });
      },
      secured(session) {
        session.disabledCommands = [];
      },
      logIn,
      begin,
      addRecipient,
      receive,
      // Any other failure means that the client disconnected before the end of its message, so it does not read this reply.
      failed: () => new SmtpRefusal(451, notStored),
    },
    {
      port,
      names: { variable: 'SUBMISSION_PORT', app: 'api', server: 'the submission port' },
      banner: 'Postrider submission',
      maxBytes,
      tls,
      hasEnhancedCodes: true,
      limits: { ...limits, share },
    },
  );
  return {
    port: server.port,
    async stop() {
      await server.drain();
      await server.close();
    },
  };
}
