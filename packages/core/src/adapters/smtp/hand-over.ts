import type { Socket } from 'node:net';
import type { Readable, Transform } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Envelope, SMTPError } from 'nodemailer/lib/smtp-connection';
import type { HandOver, OutgoingMessage, Refused, Withheld } from '../../kernel/ports/mail-transport.ts';
import { stuffDots, terminatorOf } from './dot-stuffing.ts';
import { enhancedCodeOf, printable } from './reply.ts';

/** How much is written before the socket's own buffer is asked; a message up to this size goes out in one write. */
const PART_BYTES = 64 * 1024;

export interface Handed {
  result: HandOver;
  /** What the connection is good for afterwards: the next message, the next one after RSET, or nothing. */
  connection: 'ready' | 'reset' | 'lost';
  /** True when the server never took up this message (no reply to MAIL FROM, or 421 to it): a stale connection looks like this. */
  untouched: boolean;
}

/** nodemailer keeps its book on the envelope object that it is given: the refusals of MAIL FROM and RCPT TO. */
interface TrackedEnvelope extends Envelope {
  accepted?: string[];
  mailError?: SMTPError;
  rejectedErrors?: SMTPError[];
}

/**
 * Hands one message over on an open, idle connection. nodemailer speaks MAIL, RCPT and DATA; from its 354 on the message is
 * written to the socket here, because only so it is known whether the final dot was written. Never rejects.
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
  /** Set once nodemailer reported how it ended, possibly while `begin` still runs. */
  #ended: Handed | null = null;

  constructor(connection: SMTPConnection, message: OutgoingMessage, resolve: (handed: Handed) => void) {
    this.#connection = connection;
    this.#message = message;
    this.#resolve = resolve;
    this.#envelope = { from: message.envelope.from, to: [message.envelope.to] };
  }

  start(): void {
    this.#connection.lastServerResponse = false;
    // nodemailer calls `pipe` of its message once the server answered DATA, and nothing else of it.
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
      // When the connection is lost here, no drain comes and nodemailer reports the end; nobody waits for this function.
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
    // A refusal that was read outweighs the way in which the connection ended after it.
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
