import type { Socket } from 'node:net';
import type { Readable, Transform } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Envelope, SMTPError } from 'nodemailer/lib/smtp-connection';
import type { HandOver, OutgoingMessage, Refused, Withheld } from '../../kernel/ports/mail-transport.ts';
import { stuffDots, terminatorOf } from './dot-stuffing.ts';
import { enhancedCodeOf, printable } from './reply.ts';

/** Bytes written before checking for back-pressure; a message up to this size is written at once. */
const PART_BYTES = 64 * 1024;

export interface Handed {
  result: HandOver;
  /** State of the connection afterwards: ready for the next message, ready after RSET, or lost. */
  connection: 'ready' | 'reset' | 'lost';
  /** True when the server did not accept MAIL FROM (no reply, or 421), as on a stale connection. */
  untouched: boolean;
}

/** nodemailer records the refusals of MAIL FROM and RCPT TO on the envelope object. */
interface TrackedEnvelope extends Envelope {
  accepted?: string[];
  mailError?: SMTPError;
  rejectedErrors?: SMTPError[];
}

/**
 * Transfers one message on an open, idle connection. nodemailer sends MAIL, RCPT and DATA; after the 354 the message
 * is written to the socket here, so that it is known whether the final dot was written. Never rejects.
 */
export function handOver(connection: SMTPConnection, message: OutgoingMessage): Promise<Handed> {
  return new Promise((resolve) => new Attempt(connection, message, resolve).start());
}

class Attempt {
  readonly #connection: SMTPConnection;
  readonly #message: OutgoingMessage;
  readonly #resolve: (handed: Handed) => void;
  readonly #envelope: TrackedEnvelope;
  #beginning = false;
  #withheld: Withheld | null = null;
  #dotWritten = false;
  /** Set once nodemailer has reported the outcome, possibly while `begin` is still running. */
  #ended: Handed | null = null;

  constructor(connection: SMTPConnection, message: OutgoingMessage, resolve: (handed: Handed) => void) {
    this.#connection = connection;
    this.#message = message;
    this.#resolve = resolve;
    this.#envelope = { from: message.envelope.from, to: [message.envelope.to] };
  }

  start(): void {
    this.#connection.lastServerResponse = false;
    // nodemailer calls only `pipe` of its message, once the server has answered DATA.
    const body = { pipe: (stream: Transform) => this.#onData(stream) };
    this.#connection.send(this.#envelope, body as unknown as Readable, (error, info) => {
      this.#end(error ? this.#failed(error) : this.#answered(info?.response ?? ''));
    });
  }

  #onData(stream: Transform): void {
    const socket = this.#connection._socket;
    const reply = this.#connection.lastServerResponse || '';
    if (!socket || !reply.startsWith('354')) {
      // Only 354 invites the message (RFC 5321, 4.3.2). Any other reply means that replies and commands are out of step.
      this.#end(this.#lost(`Expected 354 in answer to DATA: ${reply}`));
      return;
    }
    stream.unpipe(socket);
    void this.#transfer(socket);
  }

  async #transfer(socket: Socket): Promise<void> {
    this.#beginning = true;
    const data = await this.#begin();
    this.#beginning = false;
    if (data === null) return this.#end(this.#close(this.#withheld ?? { kind: 'withheld' }));
    if (this.#ended) return this.#end(this.#ended);
    await this.#write(socket, data);
  }

  async #begin(): Promise<Buffer | null> {
    try {
      return await this.#message.begin();
    } catch (error) {
      this.#withheld = { kind: 'withheld', error };
      return null;
    }
  }

  async #write(socket: Socket, data: Buffer): Promise<void> {
    let at = 0;
    while (data.length - at > PART_BYTES) {
      const flowing = socket.write(stuffDots(data.subarray(at, at + PART_BYTES), data[at - 1]));
      at += PART_BYTES;
      // If the connection is lost here, `drain` never fires and nodemailer reports the end; nothing awaits this function.
      if (!flowing) await new Promise<void>((drained) => socket.once('drain', drained));
      if (this.#ended) return;
    }
    socket.cork();
    socket.write(stuffDots(data.subarray(at), data[at - 1]));
    socket.write(terminatorOf(data));
    this.#dotWritten = true;
    socket.uncork();
  }

  #end(handed: Handed): void {
    this.#ended = handed;
    if (!this.#beginning) this.#resolve(handed);
  }

  #answered(response: string): Handed {
    if (!this.#dotWritten) {
      return this.#lost(`The server answered before the end of the message: ${response}`);
    }
    return {
      result: { kind: 'accepted', response: printable(response) },
      connection: 'ready',
      untouched: false,
    };
  }

  #failed(error: SMTPError): Handed {
    // A refusal that was read takes precedence over how the connection ended afterwards.
    const cause = this.#envelope.mailError ?? this.#envelope.rejectedErrors?.[0] ?? error;
    if (cause.responseCode === 421) {
      return this.#close(routeResult(cause, 'unavailable'), this.#untouched(cause));
    }
    const refused = refusalOf(cause, this.#envelope);
    if (!refused) return this.#lost(error.message);
    if (asksForLogin(refused) && !this.#connection.authenticated) {
      return this.#close(routeResult(cause, /STARTTLS/i.test(refused.response) ? 'tls' : 'auth'));
    }
    const midMessage = refused.stage === 'final' && !this.#dotWritten;
    if (midMessage || this.#connection.destroyed) return this.#close(refused);
    return { result: refused, connection: 'reset', untouched: false };
  }

  #lost(error: string): Handed {
    const text = printable(error);
    if (this.#dotWritten) return this.#close({ kind: 'unknown', error: text });
    return this.#close(
      { kind: 'interrupted', error: text, stage: this.#firstUnanswered() },
      this.#untouched(),
    );
  }

  #close(result: HandOver, untouched = false): Handed {
    this.#connection.close();
    return { result, connection: 'lost', untouched };
  }

  #firstUnanswered(): 'mail' | 'rcpt' | 'data' {
    if (this.#envelope.accepted?.length) return 'data';
    return this.#connection.lastServerResponse === false ? 'mail' : 'rcpt';
  }

  #untouched(cause?: SMTPError): boolean {
    return (
      this.#connection.lastServerResponse === false ||
      (cause !== undefined && cause === this.#envelope.mailError)
    );
  }
}

function refusalOf(cause: SMTPError, envelope: TrackedEnvelope): Refused | null {
  const code = cause.responseCode ?? 0;
  const isReply = cause.code === 'EENVELOPE' || cause.code === 'EMESSAGE';
  if (!isReply || code < 400 || code > 599) return null;
  const reply = cause.response ?? cause.message;
  return {
    kind: 'refused',
    permanent: code >= 500,
    code,
    enhancedCode: enhancedCodeOf(reply),
    response: printable(reply),
    stage: stageOf(cause, envelope),
  };
}

function stageOf(cause: SMTPError, envelope: TrackedEnvelope): Refused['stage'] {
  if (cause === envelope.mailError) return 'mail';
  if (cause === envelope.rejectedErrors?.[0]) return 'rcpt';
  return cause.code === 'EMESSAGE' ? 'final' : 'data';
}

/** RFC 4954, 6 and RFC 3207, 4: 530 asks for a login or for TLS, whatever the message is. */
function asksForLogin(refused: Refused): boolean {
  return refused.stage === 'mail' && refused.code === 530;
}

function routeResult(cause: SMTPError, reason: 'unavailable' | 'auth' | 'tls'): HandOver {
  return { kind: 'route', error: printable(cause.message), reason, code: cause.responseCode ?? null };
}
