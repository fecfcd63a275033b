import { TLSSocket } from 'node:tls';
import type { SmtpSessionFacts, SmtpSessionRefused } from '../../base/kernel/ports/inspections.ts';
import type { RouteFailed } from '../../base/kernel/ports/mail-transport.ts';
import { ReplyReader } from './reply-reader.ts';
import { openSession, type SmtpSession } from './smtp-session.ts';
import { parseSmtpUrl } from './smtp-url.ts';

const timeoutMs = 10_000;
const literalOfThisMachine = '[127.0.0.1]';

/** A session in which commands are given one after the other. */
class Conversation {
  readonly #session: SmtpSession;
  #answer: ((reply: { code: number; text: string } | Error) => void) | null = null;
  #failure: Error | null = null;

  constructor(session: SmtpSession) {
    this.#session = session;
    const { socket } = session;
    const reader = new ReplyReader({
      closed: false,
      onReply: (code, text) => this.#end({ code, text }),
      onContinuation: () => undefined,
      onMalformed: (error) => this.#fail(new Error(error)),
    });
    session.listen((text) => reader.feed(text));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('Connection closed unexpectedly')));
  }

  async ask(command: string): Promise<{ code: number; text: string }> {
    if (this.#failure) throw this.#failure;
    const { promise, resolve } = Promise.withResolvers<{ code: number; text: string } | Error>();
    this.#answer = resolve;
    const timer = setTimeout(() => this.#fail(new Error(`No reply to ${command.slice(0, 4)}`)), timeoutMs);
    this.#session.socket.write(`${command}\r\n`);
    const reply = await promise;
    clearTimeout(timer);
    if (reply instanceof Error) throw reply;
    return reply;
  }

  /** Does not wait for the server. */
  quit(): void {
    const { socket } = this.#session;
    socket.end('QUIT\r\n');
    socket.setTimeout(1_000, () => socket.destroy());
  }

  get socket(): SmtpSession['socket'] {
    return this.#session.socket;
  }

  #end(reply: { code: number; text: string } | Error): void {
    this.#answer?.(reply);
    this.#answer = null;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#end(error);
  }
}

function converse(url: string, signal: AbortSignal): Promise<Conversation | RouteFailed> {
  const { connection, auth } = parseSmtpUrl(url);
  const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  return new Promise((resolve) =>
    openSession({ auth, connection: { ...connection, ...limits } }, (opened) => {
      if ('kind' in opened) return resolve(opened);
      signal.addEventListener('abort', () => opened.socket.destroy(), { once: true });
      resolve(new Conversation(opened));
    }),
  );
}

const refused = ({ reason, error }: RouteFailed): SmtpSessionRefused => ({ kind: 'refused', reason, error });

/** Opens a session as deliveries do, asks what the server offers to it, and ends it. Nothing is sent. */
export async function inspectSmtp(
  url: string,
  signal: AbortSignal,
): Promise<SmtpSessionFacts | SmtpSessionRefused> {
  const opened = await converse(url, signal);
  if ('kind' in opened) return refused(opened);
  try {
    const { connection } = parseSmtpUrl(url);
    const { code, text } = await opened.ask(`EHLO ${connection.name ?? literalOfThisMachine}`);
    await opened.ask('NOOP');
    const { socket } = opened;
    const isEncrypted = socket instanceof TLSSocket;
    const until = isEncrypted ? Date.parse(socket.getPeerCertificate().valid_to) : Number.NaN;
    return {
      kind: 'open',
      extensions: code === 250 ? extensionsIn(text) : new Map(),
      isEncrypted,
      certificateUntil: Number.isNaN(until) ? null : new Date(until),
    };
  } catch (error) {
    return {
      kind: 'refused',
      reason: 'connect',
      error: error instanceof Error ? error.message : String(error),
    };
  } finally {
    opened.quit();
  }
}

/** The lines after the first one of a reply to EHLO. */
const extensionsIn = (reply: string): Map<string, string> =>
  new Map(
    reply
      .split('\n')
      .slice(1)
      .map((line): [string, string] => {
        const [keyword = '', ...parameters] = line.slice(4).trim().split(/[ =]/);
        return [keyword.toUpperCase(), parameters.join(' ')];
      }),
  );

/** Opens sessions, each of which stays open beside the others, until the server refuses one or there are `most`. */
export async function countSmtpConnections(
  url: string,
  most: number,
  signal: AbortSignal,
): Promise<{ open: number; refusal: string | null }> {
  const open: Conversation[] = [];
  try {
    while (open.length < most && !signal.aborted) {
      const opened = await converse(url, signal);
      if ('kind' in opened) return { open: open.length, refusal: opened.error };
      try {
        await opened.ask('NOOP');
      } catch (error) {
        opened.socket.destroy();
        return { open: open.length, refusal: error instanceof Error ? error.message : String(error) };
      }
      open.push(opened);
    }
    return { open: open.length, refusal: null };
  } finally {
    for (const each of open) each.quit();
  }
}
