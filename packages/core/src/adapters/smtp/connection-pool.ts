import { rowOf } from '../../base/kernel/mail-replies.rules.ts';
import type {
  HandOver,
  MailTransport,
  OutgoingMessage,
  RouteFailed,
} from '../../base/kernel/ports/mail-transport.ts';
import { refuseEnvelope } from './envelope.ts';
import { Transaction } from './hand-over.ts';
import { PoolSize } from './pool-size.ts';
import { probeServer } from './probe-server.ts';
import { type Clock, type ConnectionOwner, SmtpConnection } from './smtp-connection.ts';
import { openSession } from './smtp-session.ts';
import type { SmtpServer } from './smtp-url.ts';

/** How long to wait for the reply to QUIT, in milliseconds; nothing depends on it. */
const QUIT_TIMEOUT_MS = 1_000;
const LONGEST_GROWTH_WAIT_MS = 300_000;
/** Further connections that are tried for a message that has not begun. */
const MOST_RETRIES = 2;

const noConnection: RouteFailed = {
  kind: 'route',
  error: 'No connection was free',
  reason: 'unavailable',
  code: null,
  othersWork: true,
};

interface PoolOptions {
  connections: number;
  messagesPerConnection: number;
  socketTimeoutMs: number;
  finalReplyTimeoutMs: number;
  idleTimeoutMs: number;
  growthWaitMs: number;
}

/**
 * Connections to one server, opened when there is something to send. While some work, a refused or lost connection is no
 * failure of the route: its message, unless it has begun, goes to another one, and the pool keeps the number that the server
 * allows and tries one more from time to time. The route has failed when no connection works; it starts again with one.
 */
export class ConnectionPool implements MailTransport, ConnectionOwner {
  readonly connections: number;
  readonly messagesPerConnection: number;
  readonly clock: Clock & { ticks: number };
  chaining = true;
  eightBit: boolean | null = null;
  readonly #server: SmtpServer;
  readonly #size: PoolSize;
  readonly #idleTicks: number;
  readonly #timer: NodeJS.Timeout;
  readonly #open = new Set<SmtpConnection>();
  /** The most recently used last: a smaller load leaves the others to their idle timeout. */
  readonly #idle: SmtpConnection[] = [];
  #opening = 0;
  /** Messages whose connection was refused or lost before they began, and probes of senders. */
  readonly #waiting: Transaction[] = [];
  /** A message waits for more connections than there are. */
  #wanted = false;
  #next: (chained: boolean) => OutgoingMessage | null = () => null;
  #filling = false;
  #closing: Promise<void> | null = null;
  #onEmpty = () => {};

  constructor(server: SmtpServer, options: PoolOptions) {
    const tickMs = Math.max(10, Math.min(options.idleTimeoutMs / 4, options.socketTimeoutMs / 4, 250));
    // The first tick may be short.
    const ticksOf = (ms: number) => Math.ceil(ms / tickMs) + 1;
    this.#server = server;
    this.connections = options.connections;
    this.messagesPerConnection = options.messagesPerConnection;
    this.clock = {
      ticks: 0,
      silence: ticksOf(options.socketTimeoutMs),
      finalSilence: ticksOf(Math.max(options.socketTimeoutMs, options.finalReplyTimeoutMs)),
      quitSilence: ticksOf(QUIT_TIMEOUT_MS),
    };
    this.#idleTicks = ticksOf(options.idleTimeoutMs);
    this.#size = new PoolSize(options.connections, {
      first: ticksOf(options.growthWaitMs),
      longest: ticksOf(LONGEST_GROWTH_WAIT_MS),
    });
    this.#timer = setInterval(() => this.#onTick(), tickMs).unref();
  }

  get allowed(): number {
    return this.#size.known;
  }

  get free(): number {
    return Math.max(0, this.#allowed - this.#busy - this.#waiting.length);
  }

  serve(next: (chained: boolean) => OutgoingMessage | null): void {
    this.#next = next;
    this.wake();
  }

  wake(): void {
    if (this.#filling) return;
    this.#filling = true;
    this.#wanted = false;
    try {
      while (this.#idle.length > 0 || this.#canOpen) {
        const message = this.take(false);
        if (!message) break;
        this.#carry(message);
      }
      if (this.#closing) for (const connection of this.#idle.splice(0)) connection.quit();
      else if (this.#wanted) this.#tryOneMore();
    } finally {
      this.#filling = false;
    }
  }

  want(): void {
    this.#wanted = true;
  }

  resume(): void {
    this.#size.restart();
    this.wake();
  }

  probe(sender: string | null): Promise<HandOver> {
    if (sender === null) return probeServer(this.#server);
    // The probe uses a connection of the pool, because the server may not allow another one.
    return new Promise((resolve) => {
      const probe = new Transaction(
        {
          envelope: { from: sender, to: '' },
          data: Buffer.alloc(0),
          begin: (granted) => granted(false),
          ended: resolve,
        },
        { isProbe: true },
      );
      this.#wait(probe);
      this.wake();
    });
  }

  close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = new Promise((resolve) => {
        this.#onEmpty = resolve;
      });
      this.#afterClose();
    }
    return this.#closing;
  }

  take(chained: boolean): Transaction | null {
    const waiting = this.#waiting[0];
    if (waiting) {
      // A waiting message gets the next free connection, not a place behind another message.
      if (chained) return null;
      this.#waiting.shift();
      waiting.result = null;
      return waiting;
    }
    while (!this.#closing) {
      const next = this.#next(chained);
      if (!next) return null;
      const message = new Transaction(next);
      const impossible = refuseEnvelope(next.envelope);
      if (!impossible) return message;
      message.refuse(impossible);
    }
    return null;
  }

  onMailAccepted(): void {
    if (this.#size.accepted()) this.wake();
  }

  onEightBit(offered: boolean): void {
    this.eightBit = offered;
  }

  onChainIgnored(): void {
    this.chaining = false;
  }

  onIdle(connection: SmtpConnection): void {
    connection.idleSince = this.clock.ticks;
    this.#idle.push(connection);
    this.wake();
  }

  onClosed(connection: SmtpConnection, unfinished: Transaction[]): void {
    this.#open.delete(connection);
    const idle = this.#idle.indexOf(connection);
    if (idle !== -1) this.#idle.splice(idle, 1);
    for (const [index, message] of unfinished.entries()) {
      this.#onUnfinished(message, index === 0 && connection.isFresh);
    }
    this.#afterClose();
  }

  get #isEmpty(): boolean {
    return this.#connected + this.#waiting.length === 0;
  }

  get #allowed(): number {
    return this.#size.allowed(this.clock.ticks);
  }

  get #busy(): number {
    return this.#connected - this.#idle.length;
  }

  get #canOpen(): boolean {
    return this.#connected < this.#allowed;
  }

  /** Connections that are open or being opened, without one that has just failed. */
  get #connected(): number {
    return this.#open.size + this.#opening;
  }

  #carry(message: Transaction): void {
    const connection = this.#idle.pop();
    if (connection) connection.start(message);
    else this.#openFor(message);
  }

  /** Opens connections without a message, so that campaigns find out what the server allows without using what is kept for others. */
  #tryOneMore(): void {
    if (!this.#size.isTrialDue(this.clock.ticks)) return;
    while (this.#canOpen) this.#openFor(null);
  }

  #openFor(message: Transaction | null): void {
    this.#opening += 1;
    const since = performance.now();
    openSession(this.#server, (session) => {
      this.#opening -= 1;
      message?.message.connected?.(since, 'kind' in session ? session : null);
      if ('kind' in session) {
        this.#onRefusedConnection(message, session);
        this.#afterClose();
        return;
      }
      this.onEightBit(session.eightBit);
      const connection = new SmtpConnection(session, this);
      this.#open.add(connection);
      this.#size.opened(this.#connected);
      if (message) connection.start(message);
      else this.onIdle(connection);
    });
  }

  #onRefusedConnection(message: Transaction | null, failure: RouteFailed): void {
    if (message) message.result = failure;
    if (this.#connected === 0) {
      this.#failRoute(message ? [message] : [], failure);
      return;
    }
    this.#size.refused(this.#connected, this.clock.ticks);
    if (message) this.#wait(message);
  }

  /** @param isFresh the connection had carried no message before */
  #onUnfinished(message: Transaction, isFresh: boolean): void {
    const { result } = message;
    // A connection that the server had dropped while it was idle, or behind the message before.
    const isStale = message.untouched && !isFresh && message.failedConnections === 0;
    if (result?.kind === 'interrupted' && isStale) this.#retry(message);
    else if (result?.kind === 'refused' && result.code === 421)
      this.#onClosedInAnswer(message, result, isStale, isFresh);
    else if (result?.kind === 'route') this.#failRoute([message], result);
    else message.end();
  }

  /** The server closed the connection with 421 in answer to a message. */
  #onClosedInAnswer(message: Transaction, result: HandOver, isStale: boolean, isFresh: boolean): void {
    const others = this.#connected;
    const row = rowOf(result);
    if (row?.teaches && isFresh && others > 0) this.#size.refused(others, this.clock.ticks);
    const canMove = others > 0 && message.failedConnections < MOST_RETRIES;
    const again =
      row?.elsewhere === 'others' ? isStale || canMove : row?.elsewhere === 'once' && !message.wasRefused;
    if (again) this.#retry(message);
    else message.end();
  }

  /** No connection is left, or none may send. */
  #failRoute(messages: readonly Transaction[], failure: RouteFailed): void {
    this.#size.restart();
    for (const each of [...messages, ...this.#waiting.splice(0)]) {
      each.result = failure;
      each.end();
    }
  }

  /** On a new connection where one may be opened: the other idle ones may be as stale. */
  #retry(message: Transaction): void {
    message.restart();
    if (this.#canOpen) this.#openFor(message);
    else this.#wait(message);
  }

  #wait(message: Transaction): void {
    message.waitingSince ??= this.clock.ticks;
    this.#waiting.push(message);
  }

  #afterClose(): void {
    this.wake();
    if (!this.#closing || !this.#isEmpty) return;
    clearInterval(this.#timer);
    this.#onEmpty();
  }

  #onTick(): void {
    this.clock.ticks += 1;
    for (const connection of this.#open) connection.onTick();
    const latest = this.clock.ticks - this.#idleTicks;
    while (this.#idle[0] && this.#idle[0].idleSince <= latest) this.#idle.shift()?.quit();
    this.#giveUpWaiting();
    this.#afterClose();
  }

  /**
   * Ends a message with the failure that it met, once no connection has taken it for as long as a server may be silent. The other
   * connections are only busy, so this is not a failure of the route.
   */
  #giveUpWaiting(): void {
    const latest = this.clock.ticks - this.clock.silence;
    for (const message of this.#waiting.splice(0)) {
      if ((message.waitingSince ?? latest) > latest) this.#waiting.push(message);
      else {
        message.result =
          message.result?.kind === 'route' ? { ...message.result, othersWork: true } : noConnection;
        message.end();
      }
    }
  }
}
