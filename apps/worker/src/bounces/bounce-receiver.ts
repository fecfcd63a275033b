import {
  ClientLimits,
  type LimitsPerClient,
  type MessageStream,
  receiveMessage,
  SmtpRefusal,
  type SmtpSession,
  startSmtpServer,
} from '@postrider/core/adapters/smtp-server';
import type { Services } from '@postrider/core/base/kernel';
import { clientNetwork, Slots, whole } from '@postrider/core/base/lib';
import {
  findReportedEmail,
  findRoleMailbox,
  needsProof,
  proveReport,
  ReportSources,
  receiveReport,
} from '@postrider/core/mail/news';
import { countReport } from './count-report.ts';
import { type Refusal, Refusals } from './refusals.ts';
import { type Recipient, reportsOf } from './reports-of.ts';

const maxBytes = 1_048_576;

export interface ReceiverLimits {
  /** open connections in all */
  connections: number;
  perClient: LimitsPerClient;
  /** how long a client may be silent, and how long a connection may last, in milliseconds */
  silenceMs: number;
  connectionMs: number;
  /** reports read at the same time; the others wait */
  reading: number;
}

const defaultLimits: ReceiverLimits = {
  connections: 200,
  perClient: { connections: 20, messagesPerMinute: 120, refusals: 100, refusalsMs: 600_000 },
  silenceMs: 60_000,
  connectionMs: 300_000,
  reading: 4,
};

/** Recipients of one message: a report is about one email, and some servers send one message about several. */
const mostRecipients = 20;

export interface BounceReceiver {
  port: number;
  stop(): Promise<void>;
}

/**
 * The SMTP server that receives bounces, complaints and automatic replies (behaviour B11.7). It takes mail for the envelope senders of
 * emails and for the postmaster, abuse and feedback addresses only, and answers 250 when the report or note is stored.
 *
 * @param port 0 for any free one
 * @param share the part of the limits for each client that this process has
 * @throws Error naming BOUNCE_PORT when it cannot listen there
 */
export async function startBounceReceiver(
  services: Services,
  port: number,
  limits: ReceiverLimits = defaultLimits,
  share = whole,
): Promise<BounceReceiver> {
  const reading = new Slots({ places: limits.reading });
  const sources = new ReportSources(services.config, services.log);
  const clients = new ClientLimits(limits.perClient, share);
  const refusals = new Refusals(services.log);
  const recipients = new WeakMap<SmtpSession, Map<string, Recipient>>();

  const refuse = (reason: Refusal, session: SmtpSession, code: number, text: string): SmtpRefusal => {
    refusals.note(reason, session.remoteAddress);
    return new SmtpRefusal(code, text);
  };
  const blocked = (session: SmtpSession): SmtpRefusal =>
    refuse('blocked', session, 421, '4.7.0 Too many unknown recipients; try again later');
  /** The mail server that all email goes through reports about all of it. */
  const isLimited = async ({ remoteAddress }: SmtpSession): Promise<boolean> =>
    !(await sources.has(remoteAddress));

  const connect = async (session: SmtpSession): Promise<void> => {
    if (!(await isLimited(session))) return;
    const { remoteAddress } = session;
    if (clients.isBlocked(remoteAddress, Date.now())) throw blocked(session);
    if (clients.hasTooManyConnections(remoteAddress, Date.now()))
      throw refuse('connections', session, 421, '4.7.0 Too many connections');
  };

  const begin = async (session: SmtpSession): Promise<void> => {
    recipients.set(session, new Map());
    if (!(await isLimited(session)) || clients.takeMessage(session.remoteAddress, Date.now())) return;
    throw refuse('rate', session, 451, '4.7.1 Too many messages; try again later');
  };

  const addRecipient = async (address: string, session: SmtpSession): Promise<void> => {
    const found = recipients.get(session) ?? new Map<string, Recipient>();
    recipients.set(session, found);
    if (found.size >= mostRecipients) throw refuse('recipients', session, 452, '4.5.3 Too many recipients');
    const isLimitedClient = await isLimited(session);
    if (isLimitedClient && clients.isBlocked(session.remoteAddress, Date.now())) throw blocked(session);
    const recipient =
      (await findReportedEmail(services, address)) ?? (await findRoleMailbox(services, address));
    if (recipient !== null) {
      found.set(address.toLowerCase(), recipient);
      return;
    }
    if (isLimitedClient && clients.refuseRecipient(session.remoteAddress, Date.now())) throw blocked(session);
    throw refuse('unknown_address', session, 550, '5.1.1 No such address here');
  };

  /** Resolves once everything is stored. */
  const receive = async (stream: MessageStream, session: SmtpSession): Promise<undefined> => {
    const to = [...new Set(recipients.get(session)?.values())];
    const { mailFrom } = session.envelope;
    const received = await receiveMessage(stream);
    if ('refusal' in received)
      throw refuse('too_large', session, 552, '5.3.4 The message is larger than 1 MB');
    const raw = received.message;
    await reading.run(async () => {
      const { read, reports } = await reportsOf(services, raw, mailFrom ? mailFrom.address : '', to);
      if (read.isLoop) throw refuse('loop', session, 554, '5.4.6 The message is in a loop');
      const client = session.remoteAddress;
      const proven = await proveReport(services, sources, reports, { raw, report: read, client });
      for (const { email, result, isOfService } of reports) {
        const { id: emailId } = email;
        const isProven = isOfService || proven.has(emailId);
        await receiveReport(services, emailId, read.fingerprint, result, isProven);
        countReport(result, isProven);
        if (needsProof(result) && !isProven)
          services.log.info({ emailId, client: clientNetwork(client) }, 'report not proven');
      }
    });
  };

  const failed = (error: unknown, session: SmtpSession): SmtpRefusal => {
    services.log.warn({ err: error }, 'a report could not be stored; its sender repeats it');
    return refuse('unavailable', session, 451, '4.3.0 The report cannot be stored now');
  };

  const { connections, silenceMs, connectionMs } = limits;
  const server = await startSmtpServer(
    services,
    { connect, begin, addRecipient, receive, failed },
    {
      port,
      names: { variable: 'BOUNCE_PORT', app: 'worker', server: 'the bounce receiver' },
      banner: 'Postrider bounces',
      maxBytes,
      limits: {
        connections,
        tooMany: `${services.config.MAIL_HOST} Too many connected clients, try again in a moment`,
        silenceMs,
        connectionMs,
      },
      clients,
    },
  );
  return {
    port: server.port,
    stop() {
      refusals.stop();
      return server.close();
    },
  };
}
