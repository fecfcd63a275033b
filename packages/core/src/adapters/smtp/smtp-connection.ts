import { mailCommand, needsUtf8, rcptCommand, refuseUtf8 } from './envelope.ts';
import type { Transaction } from './hand-over.ts';
import { type ReplyListener, ReplyReader } from './reply-reader.ts';
import type { SmtpSession } from './smtp-session.ts';
import { isLong, writeEnd, writeParts } from './write-message.ts';

/** While final replies take longer than this, no message is chained behind another one, since it would have to wait for that reply. */
const QUICK_REPLY_MS = 500;
const CLOSED = 'Connection closed unexpectedly';

/** Time in ticks, so that a process that was stopped still gives its servers the time that is left. */
export interface Clock {
  readonly ticks: number;
  /** Ticks for a reply. */
  readonly silence: number;
  /** Ticks for the reply to the final dot. */
  readonly finalSilence: number;
  /** Ticks for the reply to QUIT. */
  readonly quitSilence: number;
}

export interface ConnectionOwner {
  readonly clock: Clock;
  readonly messagesPerConnection: number;
  /** False when the server does not read what follows a message in the same write. */
  readonly chaining: boolean;
  onChainIgnored(): void;
  /** The server has accepted the sender of a message. */
  onMailAccepted(): void;
  /** Whether the server takes 8-bit messages. */
  onEightBit(offered: boolean): void;
  /** The message to chain, if there is one. */
  take(chained: boolean): Transaction | null;
  /** The connection can carry a message. */
  onIdle(connection: SmtpConnection): void;
  /** The connection is closed. It did not hand these over, the first of them has a result. */
  onClosed(connection: SmtpConnection, unfinished: Transaction[]): void;
}

/**
 * One open connection. With PIPELINING (RFC 2920) the envelope of a message is one write, and it follows the body and the
 * final dot of the message before it in the same write; otherwise each command waits for its reply.
 */
export class SmtpConnection implements ReplyListener {
  readonly #session: SmtpSession;
  readonly #owner: ConnectionOwner;
  readonly #reader: ReplyReader;
  /** The message whose replies are awaited. */
  #current: Transaction | null = null;
  /** The message whose envelope was written behind the final dot of the current one. */
  #chained: Transaction | null = null;
  /** How much of a long message is written; null when none is being written. */
  #writtenTo: number | null = null;
  /** An earlier message left a transaction open on the server. */
  #needsReset = false;
  #started = 0;
  /** Chaining is for servers that accept quickly. */
  #quick = true;
  #dotAt = 0;
  /** The tick at which the server has been silent for too long. */
  #deadline = Number.POSITIVE_INFINITY;
  #deadlineExtended = false;
  closed = false;
  idleSince = 0;

  constructor(session: SmtpSession, owner: ConnectionOwner) {
    this.#session = session;
    this.#owner = owner;
    this.#reader = new ReplyReader(this);
    const { socket } = session;
    socket.on('error', (error) => this.close(error.message));
    socket.on('end', () => this.close(CLOSED));
    socket.on('close', () => this.close(CLOSED));
    socket.on('drain', () => this.#writeOn());
    session.listen((text) => {
      if (!this.closed) this.#reader.feed(text);
    });
  }

  /** True when no message was completed on this connection before the current one. */
  get isFresh(): boolean {
    return this.#started <= 1;
  }

  start(message: Transaction): void {
    if (!this.#speakable(message)) {
      this.#owner.onIdle(this);
      return;
    }
    this.#current = message;
    this.#session.socket.write(this.#opening(message), 'utf8');
    this.#awaitReply();
  }

  /** Sends QUIT; the connection closes after the reply. */
  quit(): void {
    this.#deadline = this.#owner.clock.ticks + this.#owner.clock.quitSilence;
    this.#session.socket.write('QUIT\r\n');
  }

  /** Called at each tick of the clock: closes the connection when the server has been silent for too long. */
  onTick(): void {
    if (this.#owner.clock.ticks < this.#deadline) return;
    const waitsForFinal = this.#current?.dotWritten === true && this.#session.socket.writableLength === 0;
    if (waitsForFinal && !this.#deadlineExtended) {
      // RFC 5321, 4.5.3.2.6: the server may take 10 minutes to accept a message that it has received.
      this.#deadlineExtended = true;
      this.#deadline += Math.max(0, this.#owner.clock.finalSilence - this.#owner.clock.silence);
      this.onTick();
      return;
    }
    if (this.#current?.isChained && this.#current.untouched) this.#owner.onChainIgnored();
    this.close('Timeout');
  }

  close(error: string): void {
    if (this.closed) return;
    this.closed = true;
    this.#session.socket.destroy();
    const unfinished: Transaction[] = [];
    for (const message of [this.#current, this.#chained]) {
      if (!message) continue;
      message.lost(error);
      unfinished.push(message);
    }
    this.#current = null;
    this.#chained = null;
    this.#owner.onClosed(this, unfinished);
  }

  onReply(code: number, text: string): void {
    const message = this.#current;
    // Either the server closes an idle connection (421), or replies and commands are out of step.
    if (!message) {
      this.close(CLOSED);
      return;
    }
    const wasAccepted = message.mailAccepted;
    const verdict = message.reply(code, text, this.#session);
    if (message.mailAccepted && !wasAccepted) this.#owner.onMailAccepted();
    switch (verdict) {
      case 'continue':
        this.#awaitReply();
        if (!this.#session.pipelining || message.isProbe) this.#session.socket.write(commandOf(message));
        return;
      case 'begin':
        this.#deadline = Number.POSITIVE_INFINITY;
        message.begin((granted) => this.#onGranted(message, granted));
        return;
      case 'ready':
        this.#finish(message);
        return;
      case 'reset':
        this.#needsReset = true;
        this.#finish(message);
        return;
      case 'close':
        this.close(CLOSED);
    }
  }

  onContinuation(): void {
    if (this.#deadline !== Number.POSITIVE_INFINITY) this.#awaitReply();
  }

  onMalformed(error: string): void {
    this.close(error);
  }

  /** The commands that can be written at once. */
  #opening(message: Transaction): string {
    this.#started += 1;
    const reset = this.#needsReset;
    this.#needsReset = false;
    message.step = reset ? 'rset' : 'mail';
    if (!this.#session.pipelining || message.isProbe) return commandOf(message);
    const { envelope } = message.message;
    return `${reset ? 'RSET\r\n' : ''}${mailCommand(envelope)}${rcptCommand(envelope)}DATA\r\n`;
  }

  #onGranted(message: Transaction, granted: boolean): void {
    if (!granted || this.#session.socket.destroyed) {
      this.close(CLOSED);
      return;
    }
    this.#awaitReply();
    if (isLong(message.message.data)) {
      this.#writtenTo = 0;
      this.#writeOn();
    } else {
      this.#writeEnd(message, 0);
    }
  }

  #writeOn(): void {
    const message = this.#current;
    if (this.#writtenTo === null || !message || this.closed) return;
    this.#awaitReply();
    const { at, drained } = writeParts(this.#session.socket, message.message.data, this.#writtenTo);
    this.#writtenTo = at;
    if (drained) this.#writeEnd(message, at);
  }

  #writeEnd(message: Transaction, at: number): void {
    this.#writtenTo = null;
    const follows = this.#chainable();
    const commands = follows ? this.#opening(follows) : '';
    this.#chained = follows;
    message.dotWritten = true;
    this.#dotAt = performance.now();
    writeEnd(this.#session.socket, message.message.data, at, commands);
  }

  #finish(message: Transaction): void {
    if (message.dotWritten) this.#quick = performance.now() - this.#dotAt < QUICK_REPLY_MS;
    this.#current = this.#chained;
    this.#chained = null;
    if (this.#current) this.#awaitReply();
    else this.#deadline = Number.POSITIVE_INFINITY;
    message.end();
    if (this.#current || this.closed) return;
    if (this.#started < this.#owner.messagesPerConnection) this.#owner.onIdle(this);
    else this.quit();
  }

  #chainable(): Transaction | null {
    if (!this.#session.pipelining || !this.#owner.chaining || !this.#quick) return null;
    while (this.#started < this.#owner.messagesPerConnection) {
      const message = this.#owner.take(true);
      if (!message) return null;
      if (!this.#speakable(message)) continue;
      message.isChained = true;
      return message;
    }
    return null;
  }

  /**
   * False when the server does not understand the addresses, and the message is refused, or when it does not take 8-bit messages: then the
   * message is given back, to be composed in 7-bit.
   */
  #speakable(message: Transaction): boolean {
    const { envelope } = message.message;
    if (!this.#session.smtpUtf8 && needsUtf8(envelope)) message.refuse(refuseUtf8(envelope));
    else if (!this.#session.eightBit && envelope.is8Bit) {
      this.#owner.onEightBit(false);
      message.withhold();
    } else return true;
    return false;
  }

  #awaitReply(): void {
    this.#deadlineExtended = false;
    this.#deadline = this.#owner.clock.ticks + this.#owner.clock.silence;
  }
}

function commandOf(message: Transaction): string {
  switch (message.step) {
    case 'rset':
      return 'RSET\r\n';
    case 'mail':
      return mailCommand(message.message.envelope);
    case 'rcpt':
      return rcptCommand(message.message.envelope);
    default:
      return 'DATA\r\n';
  }
}
