import type { AddressInfo, Socket } from 'node:net';
import type { Services } from '@postrider/core/kernel';
import { findReportedEmail, readReceived, receiveReport } from '@postrider/core/sending';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

const maxBytes = 1_048_576;

export interface ReceiverLimits {
  /** open connections in all, and of one address */
  connections: number;
  connectionsPerAddress: number;
  /** how long a client may be silent, and how long a connection may last, in milliseconds */
  silenceMs: number;
  connectionMs: number;
  /** reports read at the same time; the others wait */
  reading: number;
}

const defaultLimits: ReceiverLimits = {
  connections: 200,
  connectionsPerAddress: 20,
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
  const perAddress = new Map<string, number>();
  const emails = new WeakMap<SMTPServerSession, Map<string, string>>();

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
    onMailFrom(_address, session, callback) {
      emails.set(session, new Map());
      callback();
    },
    onRcptTo({ address }, session, callback) {
      const found = emails.get(session) ?? new Map<string, string>();
      emails.set(session, found);
      if (found.size >= mostRecipients) return callback(reply(452, '4.5.3 Too many recipients'));
      findReportedEmail(services, address).then(
        (emailId) => {
          if (emailId === null) return callback(reply(550, '5.1.1 No such address here'));
          found.set(address.toLowerCase(), emailId);
          callback();
        },
        (error: unknown) => callback(laterReply(services, error)),
      );
    },
    onData(stream, session, callback) {
      const ids = new Set(emails.get(session)?.values());
      const { mailFrom } = session.envelope;
      receive(stream, ids, mailFrom ? mailFrom.address : '').then(
        (refused) => callback(refused),
        (error: unknown) => callback(laterReply(services, error)),
      );
    },
  });

  /** @returns the refusal, or null once everything is stored */
  async function receive(
    stream: SMTPServerDataStream,
    emailIds: ReadonlySet<string>,
    envelopeFrom: string,
  ): Promise<Error | null> {
    const raw = await collect(stream);
    if (raw === null) return reply(552, '5.3.4 The message is larger than 1 MB');
    return reading.run(async () => {
      const report = await readReceived(services, raw, envelopeFrom);
      if (report.isLoop) return reply(554, '5.4.6 The message is in a loop');
      for (const emailId of emailIds) await receiveReport(services, emailId, report);
      return null;
    });
  }

  server.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const open = (perAddress.get(address) ?? 0) + 1;
    perAddress.set(address, open);
    if (open > limits.connectionsPerAddress) socket.end('421 4.7.0 Too many connections\r\n');
    const timer = setTimeout(() => socket.destroy(), limits.connectionMs);
    socket.once('close', () => {
      clearTimeout(timer);
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
  });
  // A broken connection concerns its client only, which sends its report again.
  server.on('error', (error: Error) =>
    services.log.info({ err: error }, 'a connection of the bounce receiver broke'),
  );
  await listen(server, services.config.HOST, port);
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The message; null when it is too large, in which case it is read to its end without being kept. */
async function collect(stream: SMTPServerDataStream): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (stream.sizeExceeded) chunks.length = 0;
    else chunks.push(chunk);
  }
  return stream.sizeExceeded ? null : Buffer.concat(chunks);
}

/** The server that reports keeps the message and sends it again. */
function laterReply(services: Services, error: unknown): Error {
  services.log.warn({ err: error }, 'a report could not be stored; its sender repeats it');
  return reply(451, '4.3.0 The report cannot be stored now');
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
