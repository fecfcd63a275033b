import type { HandOver, OutgoingMessage, Refused } from '../../base/kernel/ports/mail-transport.ts';
import type { StageOf } from '../../base/providers/index.ts';
import { printable, refusedBy, replyText } from './reply.ts';

/** The reply that is awaited next. `rset` clears what an earlier message left on the connection. */
type Step = 'rset' | StageOf<'smtp'>;

/**
 * What a reply means for the connection:
 * - `continue`: further replies of this message follow (after its next command, without pipelining);
 * - `begin`: the server invites the message;
 * - `ready`, `reset`: the message has its result; the next may follow, at once or after RSET;
 * - `close`: the connection cannot be used any longer. The message has its result.
 */
type Verdict = 'continue' | 'begin' | 'ready' | 'reset' | 'close';

/** What the replies to a message depend on, apart from the message. */
interface Dialog {
  /** The whole envelope was written at once, so replies follow a refusal. */
  pipelining: boolean;
  authenticated: boolean;
}

/** The SMTP transaction of one message: from each reply, and from losing the connection, it knows the result. */
export class Transaction {
  readonly message: OutgoingMessage;
  step: Step = 'mail';
  /** The final dot was given to the socket: from now on only a reply says that the message was not accepted. */
  dotWritten = false;
  /** Its envelope was written behind the final dot of another message. */
  isChained = false;
  /** Connections that failed before the message began, so that another one was tried. */
  failedConnections = 0;
  /** Tries the sender alone: MAIL FROM and RSET. */
  readonly isProbe: boolean;
  /** The tick since which it waits for another connection. */
  waitingSince: number | null = null;
  result: HandOver | null = null;
  #refusal: Refused | null = null;
  /** What an earlier connection answered to this message: it counts when no other one can be tried. */
  #earlier: Refused | null = null;
  #beginning = false;
  #mailAccepted = false;

  constructor(message: OutgoingMessage, { isProbe = false } = {}) {
    this.message = message;
    this.isProbe = isProbe;
  }

  /** True when a server has closed a connection in answer to this message, and another one was tried for it. */
  get wasRefused(): boolean {
    return this.#earlier !== null;
  }

  /** True when the server has accepted the sender on the present connection. */
  get mailAccepted(): boolean {
    return this.#mailAccepted;
  }

  /** True when the server did not accept MAIL FROM (no reply, or 421), as on a stale connection. */
  get untouched(): boolean {
    return this.step === 'rset' || this.step === 'mail';
  }

  /** True when no byte of the message was written and `begin` was not called: another connection may carry it. */
  get unbegun(): boolean {
    return this.step !== 'final';
  }

  /** Prepares the message for another connection. */
  restart(): void {
    if (this.result?.kind === 'refused') this.#earlier = this.result;
    this.step = 'mail';
    this.isChained = false;
    this.result = null;
    this.#refusal = null;
    this.#mailAccepted = false;
    this.failedConnections += 1;
  }

  reply(code: number, text: string, dialog: Dialog): Verdict {
    // RFC 5321, 3.8: the server closes the connection.
    if (code === 421)
      return this.#close(this.#refusal ?? refusedBy(code, text, this.step === 'rset' ? 'mail' : this.step));
    switch (this.step) {
      case 'rset':
        if (!isPositive(code)) return this.#outOfStep('RSET', text);
        if (this.#mailAccepted) return this.#end('ready', { kind: 'accepted', response: replyText(text) });
        this.step = 'mail';
        return 'continue';
      case 'mail':
      case 'rcpt':
        return this.#onEnvelope(this.step, code, text, dialog);
      case 'data':
        return this.#onData(code, text);
      case 'final':
        return this.dotWritten ? this.#onFinal(code, text) : this.#tooEarly(code, text);
    }
  }

  /** The connection ended while a reply was awaited. */
  lost(error: string): void {
    this.result ??= this.#refusal ?? this.#interruption(error);
  }

  /** Refuses the message without the server, not within the call that took it. */
  refuse(refusal: Refused): void {
    this.result = refusal;
    queueMicrotask(() => this.end());
  }

  /** Gives the message back, not within the call that took it. */
  withhold(): void {
    this.result = { kind: 'withheld' };
    queueMicrotask(() => this.end());
  }

  /** Asks for permission to write the message. `granted` is not called when the connection was lost in the meantime. */
  begin(granted: (yes: boolean) => void): void {
    let answered = false;
    this.#beginning = true;
    this.message.begin((yes) => {
      if (answered) return;
      answered = true;
      this.#beginning = false;
      const lost = this.result !== null;
      if (!yes) this.result = { kind: 'withheld' };
      if (lost) this.end();
      else granted(yes);
    });
  }

  /** Reports the result, or leaves that to the answer of `begin` while it is being awaited. */
  end(): void {
    if (this.#beginning) return;
    const result = this.result ?? this.#interruption('Connection closed unexpectedly');
    this.message.ended(result.kind === 'route' ? (this.#earlier ?? result) : result);
  }

  #onEnvelope(step: 'mail' | 'rcpt', code: number, text: string, dialog: Dialog): Verdict {
    if (isNegative(code)) {
      this.#refusal ??= refusedBy(code, text, step);
      // RFC 4954, 6 and RFC 3207, 4: 530 asks for a login or for TLS, whatever the message is.
      if (step === 'mail' && code === 530 && !dialog.authenticated) return this.#loginWanted(text);
      if (!dialog.pipelining || this.isProbe) return this.#refused(this.#refusal);
    } else if (!isPositive(code)) {
      return this.#outOfStep(step === 'mail' ? 'MAIL' : 'RCPT', text);
    }
    if (step === 'mail') this.#mailAccepted = this.#refusal === null;
    this.step = this.isProbe ? 'rset' : step === 'mail' ? 'rcpt' : 'data';
    return 'continue';
  }

  #onData(code: number, text: string): Verdict {
    if (this.#refusal) {
      // RFC 2920, 3.1: the server may invite a message without recipients. Closing delivers nothing; an empty message might.
      return isNegative(code) ? this.#refused(this.#refusal) : this.#close(this.#refusal);
    }
    if (isNegative(code)) return this.#refused(refusedBy(code, text, 'data'));
    // Only 354 invites the message (RFC 5321, 4.3.2).
    if (code !== 354) return this.#outOfStep('DATA', text);
    this.step = 'final';
    return 'begin';
  }

  #onFinal(code: number, text: string): Verdict {
    if (isPositive(code)) return this.#end('ready', { kind: 'accepted', response: replyText(text) });
    if (isNegative(code)) return this.#end('ready', refusedBy(code, text, 'final'));
    return this.#outOfStep('the message', text);
  }

  #tooEarly(code: number, text: string): Verdict {
    if (isNegative(code)) return this.#close(refusedBy(code, text, 'final'));
    return this.#close(
      this.#interruption(`The server answered before the end of the message: ${replyText(text)}`),
    );
  }

  #loginWanted(text: string): Verdict {
    const error = replyText(text);
    const reason = /STARTTLS/i.test(error) ? 'tls' : 'auth';
    return this.#close({ kind: 'route', error, reason, code: 530, othersWork: false });
  }

  /** After a refused MAIL FROM there is no transaction to reset. */
  #refused(refusal: Refused): Verdict {
    return this.#end(refusal.stage === 'mail' ? 'ready' : 'reset', refusal);
  }

  /** Replies and commands do not belong together any more. */
  #outOfStep(command: string, text: string): Verdict {
    return this.#close(
      this.#refusal ?? this.#interruption(`Unexpected reply to ${command}: ${replyText(text)}`),
    );
  }

  #close(result: HandOver): Verdict {
    return this.#end('close', result);
  }

  #end(verdict: Verdict, result: HandOver): Verdict {
    this.result = result;
    return verdict;
  }

  #interruption(text: string): HandOver {
    const error = printable(text);
    if (this.dotWritten) return { kind: 'unknown', error };
    const stage = this.untouched ? 'mail' : this.step === 'rcpt' ? 'rcpt' : 'data';
    return { kind: 'interrupted', error, stage };
  }
}

function isPositive(code: number): boolean {
  return code >= 200 && code < 300;
}

function isNegative(code: number): boolean {
  return code >= 400 && code < 600;
}
