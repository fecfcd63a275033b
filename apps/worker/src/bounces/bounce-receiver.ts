import type { AddressInfo, Socket } from 'node:net';
import type { Services } from '@postrider/core/base/kernel';
import { clientNetwork } from '@postrider/core/base/lib';
import {
  findReportedEmail,
  needsProof,
  proveReport,
  ReportSources,
  readReceived,
  receiveReport,
} from '@postrider/core/mail/news';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { ClientLimits, type LimitsPerClient } from './client-limits.ts';
import { countReport } from './count-report.ts';
import { type Refusal, Refusals } from './refusals.ts';

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
 * emails only, and answers 250 when the report is stored.
 *
 * @param port 0 for any free one
 * @throws Error naming BOUNCE_PORT when it cannot listen there
 */
export async function startBounceReceiver(
  services: Services,
  port: number,
  limits: ReceiverLimits = defaultLimits,
): Promise<BounceReceiver> {
  const reading = new Slots(limits.reading);
  const sources = new ReportSources(services.config, services.log);
  const clients = new ClientLimits(limits.perClient);
  const refusals = new Refusals(services.log);
  const emails = new WeakMap<SMTPServerSession, Map<string, string>>();
  /** by address and port of the client */
  const sockets = new Map<string, Socket>();

  const refuse = (reason: Refusal, session: SMTPServerSession, code: number, text: string): Error => {
    refusals.note(reason, session.remoteAddress);
    // A client that is refused for now is not served on this connection either.
    if (code === 421) setImmediate(() => sockets.get(clientOf(session))?.end());
    return reply(code, text);
  };
  const blocked = (session: SMTPServerSession): Error =>
    refuse('blocked', session, 421, '4.7.0 Too many unknown recipients; try again later');
  /** The mail server that all email goes through reports about all of it. */
  const isLimited = async ({ remoteAddress }: SMTPServerSession): Promise<boolean> =>
    !(await sources.has(remoteAddress));

  const connect = async (session: SMTPServerSession): Promise<Error | null> => {
    if (!(await isLimited(session))) return null;
    const { remoteAddress } = session;
    if (clients.isBlocked(remoteAddress, Date.now())) return blocked(session);
    return clients.hasTooManyConnections(remoteAddress, Date.now())
      ? refuse('connections', session, 421, '4.7.0 Too many connections')
      : null;
  };

  const begin = async (session: SMTPServerSession): Promise<Error | null> => {
    emails.set(session, new Map());
    if (!(await isLimited(session)) || clients.takeMessage(session.remoteAddress, Date.now())) return null;
    return refuse('rate', session, 451, '4.7.1 Too many messages; try again later');
  };

  const addRecipient = async (address: string, session: SMTPServerSession): Promise<Error | null> => {
    const found = emails.get(session) ?? new Map<string, string>();
    emails.set(session, found);
    if (found.size >= mostRecipients) return refuse('recipients', session, 452, '4.5.3 Too many recipients');
    const isLimitedClient = await isLimited(session);
    if (isLimitedClient && clients.isBlocked(session.remoteAddress, Date.now())) return blocked(session);
    const emailId = await findReportedEmail(services, address);
    if (emailId !== null) {
      found.set(address.toLowerCase(), emailId);
      return null;
    }
    if (isLimitedClient && clients.refuseRecipient(session.remoteAddress, Date.now()))
      return blocked(session);
    return refuse('unknown_address', session, 550, '5.1.1 No such address here');
  };

  /** @returns the refusal, or null once everything is stored */
  const receive = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Error | null> => {
    const emailIds = [...new Set(emails.get(session)?.values())];
    const { mailFrom } = session.envelope;
    const raw = await collect(stream);
    if (raw === null) return refuse('too_large', session, 552, '5.3.4 The message is larger than 1 MB');
    return reading.run(async () => {
      const report = await readReceived(services, raw, mailFrom ? mailFrom.address : '');
      if (report.isLoop) return refuse('loop', session, 554, '5.4.6 The message is in a loop');
      const client = session.remoteAddress;
      const proven = await proveReport(services, sources, emailIds, { raw, report, client });
      for (const emailId of emailIds) {
        await receiveReport(services, emailId, report, proven.has(emailId));
        countReport(report, proven.has(emailId));
        if (needsProof(report.result) && !proven.has(emailId))
          services.log.info({ emailId, client: clientNetwork(client) }, 'report not proven');
      }
      return null;
    });
  };

  /** Answers a command with the refusal that `decide` gives, or with 451 when it fails. */
  const answer = (
    session: SMTPServerSession,
    decide: Promise<Error | null>,
    callback: (refusal?: Error | null) => void,
  ): void => {
    decide.then(callback, (error: unknown) => {
      services.log.warn({ err: error }, 'a report could not be stored; its sender repeats it');
      callback(refuse('unavailable', session, 451, '4.3.0 The report cannot be stored now'));
    });
  };

  const server = new SMTPServer({
    name: services.config.MAIL_HOST,
    banner: 'Postrider bounces',
    size: maxBytes,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    hideSMTPUTF8: false,
    maxClients: limits.connections,
    socketTimeout: limits.silenceMs,
    closeTimeout: 1_000,
    onConnect: (session, callback) => answer(session, connect(session), callback),
    onMailFrom: (_address, session, callback) => answer(session, begin(session), callback),
    onRcptTo: ({ address }, session, callback) => answer(session, addRecipient(address, session), callback),
    onData: (stream, session, callback) => answer(session, receive(stream, session), callback),
  });

  server.server.on('connection', (socket: Socket) => {
    const { remoteAddress = '', remotePort = 0 } = socket;
    const client = clientOf({ remoteAddress, remotePort });
    sockets.set(client, socket);
    clients.opened(remoteAddress, Date.now());
    const timer = setTimeout(() => socket.destroy(), limits.connectionMs);
    socket.once('close', () => {
      clearTimeout(timer);
      sockets.delete(client);
      clients.closed(remoteAddress, Date.now());
    });
  });
  // A broken connection concerns its client only, which sends its report again.
  server.on('error', (error: Error) =>
    services.log.info({ err: error }, 'a connection of the bounce receiver broke'),
  );
  await listen(server, services.config.HOST, port);
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        refusals.stop();
        server.close(() => resolve());
      }),
  };
}

const clientOf = ({
  remoteAddress,
  remotePort,
}: Pick<SMTPServerSession, 'remoteAddress' | 'remotePort'>): string => `${remoteAddress} ${remotePort}`;

/** The message; null when it is too large, in which case it is read to its end without being kept. */
async function collect(stream: SMTPServerDataStream): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (stream.sizeExceeded) chunks.length = 0;
    else chunks.push(chunk);
  }
  return stream.sizeExceeded ? null : Buffer.concat(chunks);
}

const reply = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

async function listen(server: SMTPServer, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(new Error(`BOUNCE_PORT: the worker cannot listen on port ${port}`, { cause: error }));
    server.server.once('error', fail);
    server.listen(port, host, () => {
      server.server.off('error', fail);
      resolve();
    });
  });
}

/** Runs at most `free` tasks at the same time, in the order in which they came. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free -= 1;
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
