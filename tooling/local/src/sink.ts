import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { type ScriptedStep, serveSession, type Verdict } from './sink-session.ts';

/** A message as the sink accepted it. */
export interface SinkMessage {
  from: string;
  to: string[];
  /** The header's value with its angle brackets; '' when the message has none. */
  messageId: string;
  /** The header X-Postrider-Email; '' when the message has none. */
  emailId: string;
  /** When the final dot was read, in milliseconds since the epoch. */
  at: number;
  /** Bytes on the wire, without the final dot. */
  size: number;
  /** The message as sent, with dot-stuffing removed (RFC 5321 4.5.2). Only with `keepRaw`. */
  raw?: string;
}

/** Each share is a fraction of all addresses, selected by the address: the same address always has the same outcome. */
export interface SinkBehaviour {
  /** Answers RCPT with a temporary refusal, for this time after `setBehaviour` (default: indefinitely). */
  defer: { share: number; forMs?: number; reply?: string };
  /** Answers RCPT with a permanent refusal. */
  reject: { share: number; reply?: string };
  /** Drops the connection after the final dot; `stored`: the message still counts as received. */
  drop: { share: number; stored: boolean };
  /** Time between the final dot and its answer. */
  delayMs: number;
  refuseAuth: boolean;
  /** Offers 8BITMIME to further connections. */
  eightBit: boolean;
  /** Refuses connections and closes the open ones. */
  paused: boolean;
  /** Greets further connections with 421; null allows any number. */
  mostConnections: number | null;
  /** What is said at a step about an address that contains `about`: the sender at `mail`, else the recipient. 421 closes the connection. */
  replies: { step: ScriptedStep; about: string; reply: string }[];
}

export interface SinkOptions {
  /** Default: a free port. */
  port?: number;
  /** A file to which one JSON object per message is also appended, for other processes. */
  file?: string;
  /** `latin1`: `raw` has a character for each byte. */
  keepRaw?: boolean | 'latin1';
  /**
   * Keeps only messages to addresses that start with this. Of the others the arrival alone is kept, for `count` and `summarize`: a run of
   * millions of messages then needs some bytes for each.
   */
  keepOnlyTo?: string;
  behaviour?: Partial<SinkBehaviour>;
}

export interface Sink {
  port: number;
  /** `smtp://127.0.0.1:port` */
  url: string;
  /** The kept messages: all, except with `keepOnlyTo`. */
  messages(): SinkMessage[];
  /** The number of all messages. */
  count(): number;
  /** The kept messages with one of these values of X-Postrider-Email. */
  find(emailIds: readonly string[]): SinkMessage[];
  /** Figures of all messages, for runs whose messages are too many to be copied. */
  summarize(every: number): SinkSummary;
  byRecipient(): Map<string, SinkMessage[]>;
  /** How often each address was refused at RCPT, temporarily or permanently. */
  refusals(): { deferred: Map<string, number>; rejected: Map<string, number> };
  /** Replaces the given settings and keeps the rest; time windows start now. */
  setBehaviour(change: Partial<SinkBehaviour>): Promise<void>;
  /** Clears all messages and refusals in memory. */
  clear(): void;
  stop(): Promise<void>;
}

export interface SinkSummary {
  messages: number;
  /** different addresses of the kept messages */
  recipients: number;
  /** when the first and the last message was read, in milliseconds since the epoch; 0 without messages */
  first: number;
  last: number;
  /** when each `every`-th message was read */
  marks: number[];
}

export type Fate = 'accept' | 'defer' | 'reject' | 'drop';

export const FRIENDLY: SinkBehaviour = {
  defer: { share: 0 },
  reject: { share: 0 },
  drop: { share: 0, stored: true },
  delayMs: 0,
  refuseAuth: false,
  eightBit: true,
  paused: false,
  mostConnections: null,
  replies: [],
};

/** The outcome of an address under a behaviour, during its time window. The shares never overlap. */
export function fateOf(behaviour: SinkBehaviour, recipient: string): Fate {
  const { defer, reject, drop } = behaviour;
  if (defer.share + reject.share + drop.share === 0) return 'accept';
  const point = createHash('sha1').update(recipient.toLowerCase()).digest().readUInt32BE() / 2 ** 32;
  if (point < reject.share) return 'reject';
  if (point < reject.share + drop.share) return 'drop';
  if (point < reject.share + drop.share + defer.share) return 'defer';
  return 'accept';
}

/** Starts an SMTP server that accepts email as fast as it can and records each message with its recipients. */
export async function startSink(options: SinkOptions = {}): Promise<Sink> {
  const stored: SinkMessage[] = [];
  /** When each message arrived. */
  const arrivals: number[] = [];
  const deferred = new Map<string, number>();
  const rejected = new Map<string, number>();
  const sockets = new Set<Socket>();
  const log = options.file === undefined ? undefined : appendLog(options.file);
  let behaviour: SinkBehaviour = { ...FRIENDLY, ...options.behaviour };
  let since = Date.now();

  const refuse = (recipient: string): string | undefined => {
    const fate = fateOf(behaviour, recipient);
    if (fate === 'reject') {
      count(rejected, recipient);
      return behaviour.reject.reply ?? '550 5.1.1 No such user';
    }
    if (fate !== 'defer' || Date.now() - since > (behaviour.defer.forMs ?? Number.POSITIVE_INFINITY))
      return undefined;
    count(deferred, recipient);
    return behaviour.defer.reply ?? '451 4.3.0 Try again later';
  };

  const { keepOnlyTo } = options;
  const isKept = (to: readonly string[]): boolean =>
    keepOnlyTo === undefined || to.some((address) => address.startsWith(keepOnlyTo));

  const receive = (from: string, to: string[], content: Buffer): Verdict => {
    const dropped = to.some((recipient) => fateOf(behaviour, recipient) === 'drop');
    if (!dropped || behaviour.drop.stored) {
      const at = Date.now();
      arrivals.push(at);
      if (isKept(to)) {
        const message = toMessage(from, to, content, at, options.keepRaw ?? false);
        stored.push(message);
        log?.write(message);
      }
    }
    return { reply: dropped ? undefined : '250 2.0.0 Ok: queued', delayMs: behaviour.delayMs };
  };

  const server = createServer((socket) => {
    if (sockets.size >= (behaviour.mostConnections ?? Number.POSITIVE_INFINITY)) {
      socket.on('error', () => socket.destroy());
      socket.end('421 4.7.0 Too many connections\r\n');
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serveSession(socket, {
      name: 'sink.localhost',
      acceptsAuth: () => !behaviour.refuseAuth,
      takesEightBit: () => behaviour.eightBit,
      scripted: (step, addresses) =>
        behaviour.replies.find(
          (one) => one.step === step && addresses.some((address) => address.includes(one.about)),
        )?.reply,
      refuse,
      receive,
    });
  });
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  const port = await listen(server, options.port ?? 0);
  if (behaviour.paused) await close();

  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    messages: () => stored,
    count: () => arrivals.length,
    find(emailIds) {
      const wanted = new Set(emailIds);
      return stored.filter(({ emailId }) => wanted.has(emailId));
    },
    summarize: (every) => summarize(arrivals, stored, every),
    byRecipient: () => byRecipient(stored),
    refusals: () => ({ deferred, rejected }),
    async setBehaviour(change) {
      behaviour = { ...behaviour, ...change };
      since = Date.now();
      if (behaviour.paused) return close();
      if (!server.listening) await listen(server, port);
    },
    clear() {
      stored.length = 0;
      arrivals.length = 0;
      deferred.clear();
      rejected.clear();
    },
    async stop() {
      await close();
      log?.close();
    },
  };
}

function summarize(
  arrivals: readonly number[],
  messages: readonly SinkMessage[],
  every: number,
): SinkSummary {
  return {
    messages: arrivals.length,
    recipients: new Set(messages.flatMap(({ to }) => to)).size,
    first: arrivals.at(0) ?? 0,
    last: arrivals.at(-1) ?? 0,
    marks: arrivals.filter((_at, index) => (index + 1) % every === 0),
  };
}

export function byRecipient(messages: SinkMessage[]): Map<string, SinkMessage[]> {
  const found = new Map<string, SinkMessage[]>();
  for (const message of messages) {
    for (const recipient of message.to) {
      const list = found.get(recipient);
      if (list) list.push(message);
      else found.set(recipient, [message]);
    }
  }
  return found;
}

/** Reads the file that a sink has written. */
export async function readSinkFile(file: string): Promise<SinkMessage[]> {
  return parseLines(await readFile(file, 'utf8'));
}

function parseLines(text: string): SinkMessage[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SinkMessage);
}

function toMessage(
  from: string,
  to: string[],
  content: Buffer,
  at: number,
  keepRaw: boolean | 'latin1',
): SinkMessage {
  const end = content.indexOf('\r\n\r\n');
  const head = content.toString('latin1', 0, end === -1 ? content.length : end);
  return {
    from,
    to,
    messageId: header(content, head, MESSAGE_ID),
    emailId: header(content, head, EMAIL_ID),
    at,
    size: content.length,
    ...(keepRaw
      ? { raw: content.toString(keepRaw === 'latin1' ? keepRaw : 'utf8').replaceAll(/^\.\./gm, '.') }
      : {}),
  };
}

const MESSAGE_ID = /^message-id:[ \t]*(?:\r\n[ \t]+)?.*$/im;
const EMAIL_ID = /^x-postrider-email:[ \t]*(?:\r\n[ \t]+)?.*$/im;

/** Cut from the bytes and not from `head`: a part of a string keeps all of it in memory. */
function header(content: Buffer, head: string, pattern: RegExp): string {
  const found = pattern.exec(head);
  if (!found) return '';
  const field = content.toString('latin1', found.index, found.index + found[0].length);
  return field.slice(field.indexOf(':') + 1).trim();
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', 1024, () => {
      server.off('error', reject);
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('The sink has no port.'));
      resolve(address.port);
    });
  });
}

interface AppendLog {
  write(message: SinkMessage): void;
  close(): void;
}

/** Lines are collected for one turn of the event loop, so that a pipelined burst costs one write. */
function appendLog(file: string): AppendLog {
  const descriptor = openSync(file, 'a');
  let lines = '';
  const flush = () => {
    if (lines !== '') writeSync(descriptor, lines);
    lines = '';
  };
  return {
    write(message) {
      if (lines === '') setImmediate(flush);
      lines += `${JSON.stringify(message)}\n`;
    },
    close() {
      flush();
      closeSync(descriptor);
    },
  };
}
