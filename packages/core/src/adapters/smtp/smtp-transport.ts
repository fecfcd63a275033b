import type { HandOver, MailTransport, OutgoingMessage, Refused } from '../../kernel/ports/mail-transport.ts';
import type { Handed } from './hand-over.ts';
import { openSession, type SmtpSession } from './smtp-session.ts';
import { parseSmtpUrl } from './smtp-url.ts';

export interface SmtpTransportOptions {
  /** `smtp://user:pass@host:port` or `smtps://…`, with nodemailer's query parameters. */
  url: string;
  /** The most connections open at once; each carries one message at a time. */
  connections: number;
  /** The longest silence of the server after which a connection is given up, in milliseconds. Must be shorter than the lease of an email. */
  socketTimeoutMs: number;
  /** The longest that connecting, TLS and the greeting together may take, in milliseconds. */
  greetingTimeoutMs: number;
  /** A connection without work for this long is closed, in milliseconds. */
  idleTimeoutMs: number;
  /** Name for EHLO; default: the machine's name when it is a full one, else an address literal. */
  hostname?: string | undefined;
  /** A connection is closed after this many messages; default 1,000. */
  messagesPerConnection?: number | undefined;
}

interface Resting {
  session: SmtpSession;
  since: number;
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
      // Closing means destroying: what is still buffered of a message without its end has no business on the wire.
      socketCloseTimeout: 0,
    },
  };
  const messagesPerConnection = options.messagesPerConnection ?? 1_000;
  /**
   * The most recently used last: a smaller load leaves the others to their idle timeout. One that the server has closed
   * meanwhile is found out when it is used.
   */
  const idle: Resting[] = [];
  const queue: (() => void)[] = [];
  let busy = 0;
  let closing: Promise<void> | null = null;
  let onDrained = () => {};

  async function send(message: OutgoingMessage): Promise<HandOver> {
    if (closing) throw new Error('The SMTP transport is closed');
    const impossible = refuseEnvelope(message.envelope);
    if (impossible) return impossible;
    if (busy < options.connections) busy += 1;
    else await new Promise<void>((resolve) => queue.push(resolve));

    const resting = idle.pop();
    if (resting) {
      const handed = await resting.session.handOver(message);
      // The server dropped the connection while it was idle: the message was never taken up and gets a fresh one, once.
      if (!handed.untouched) return settle(resting.session, handed);
    }
    const session = await openSession(server);
    if ('kind' in session) {
      releaseSlot();
      return session;
    }
    return settle(session, await session.handOver(message));
  }

  /** Gives the result at once; the slot follows as soon as the connection is fit for the next message. */
  function settle(session: SmtpSession, handed: Handed): HandOver {
    if (handed.connection === 'ready' && session.handled < messagesPerConnection) rest(session);
    else if (handed.connection === 'lost') releaseSlot();
    else if (session.handled >= messagesPerConnection) void session.quit().then(releaseSlot);
    else void session.reset().then((fit) => (fit ? rest(session) : releaseSlot()));
    return handed.result;
  }

  function rest(session: SmtpSession): void {
    idle.push({ session, since: Date.now() });
    releaseSlot();
  }

  function releaseSlot(): void {
    const next = queue.shift();
    if (next) next();
    else busy -= 1;
    if (busy === 0) onDrained();
  }

  function closeRested(): void {
    const latest = Date.now() - options.idleTimeoutMs;
    while (idle[0] && idle[0].since <= latest) void idle.shift()?.session.quit();
  }

  async function shutDown(): Promise<void> {
    if (busy > 0) await new Promise<void>((resolve) => (onDrained = resolve));
    clearInterval(sweep);
    await Promise.all(idle.splice(0).map(({ session }) => session.quit()));
  }

  const sweep = setInterval(closeRested, Math.max(options.idleTimeoutMs / 4, 10)).unref();

  return {
    send,
    get free() {
      return options.connections - busy;
    },
    connections: options.connections,
    close() {
      closing ??= shutDown();
      return closing;
    },
  };
}

/**
 * An address that cannot stand between angle brackets is refused here as a server would (RFC 5321, 4.2.3: 553; RFC 3463:
 * 5.1.7 for the sender, 5.1.3 for the recipient), since it must never become part of a command.
 */
function refuseEnvelope({ from, to }: OutgoingMessage['envelope']): Refused | null {
  const unspeakable = /[\r\n<>\0]/;
  if (unspeakable.test(from)) return refusal('mail', '5.1.7', 'The sender address is not valid');
  if (to.trim() === '' || unspeakable.test(to))
    return refusal('rcpt', '5.1.3', 'The recipient address is not valid');
  return null;
}

function refusal(stage: 'mail' | 'rcpt', enhancedCode: string, text: string): Refused {
  return {
    kind: 'refused',
    permanent: true,
    code: 553,
    enhancedCode,
    response: `553 ${enhancedCode} ${text}`,
    stage,
  };
}
