/** One message to hand over; nothing of it is read before the server said 354. */
export interface OutgoingMessage {
  /** Envelope addresses without angle brackets. An empty `from` is the null sender (RFC 5321, 4.5.5). */
  envelope: { from: string; to: string };
  /**
   * Called at most once, right after the server's 354 and before any byte goes out: records that the transfer begins.
   * Resolves to the complete message (CRLF line ends, lines of at most 998 bytes, 7-bit, not dot-stuffed), or to null when
   * it must not be sent (fence refused, lease gone): then the connection is destroyed without a final dot and never
   * reused. A rejection does the same. `send` never resolves while `begin` is still running.
   */
  begin(): Promise<Buffer | null>;
}

/** The step of the SMTP transaction (RFC 5321, 3.3) whose answer is meant; `final` is the dot that ends the message. */
export type HandOverStage = 'mail' | 'rcpt' | 'data' | 'final';

/** Why the way to the mail server does not work. `unavailable` is reply 421, or a temporary refusal of the login. */
export type RouteReason = 'connect' | 'tls' | 'auth' | 'greeting' | 'unavailable';

/** The server took the message: its 250 after the final dot. */
export interface Accepted {
  kind: 'accepted';
  response: string;
}

/** A 4xx or 5xx answer (never 421) about this message; `permanent` is true for 5xx. */
export interface Refused {
  kind: 'refused';
  permanent: boolean;
  code: number;
  /** Enhanced status code (RFC 3463) such as `5.1.1`, when the reply carries one. */
  enhancedCode: string | null;
  response: string;
  stage: HandOverStage;
}

/**
 * Connection lost or timed out after MAIL FROM was written, but the final dot was never handed to the socket: nothing can
 * have been delivered. `stage` is the first step without an answer.
 */
export interface Interrupted {
  kind: 'interrupted';
  error: string;
  stage: Exclude<HandOverStage, 'final'>;
}

/** The final dot may have reached the server and no answer came: the message may or may not have been taken. */
export interface Unknown {
  kind: 'unknown';
  error: string;
}

/** `begin` gave null, or rejected with `error`. Nothing of the message was written. */
export interface Withheld {
  kind: 'withheld';
  error?: unknown;
}

/**
 * The route failed, not the message: an error before MAIL FROM, or reply 421 at any step. That includes 421 as the answer to
 * the final dot: it is a negative answer (RFC 5321, 3.8 and 4.2.1), so nothing was accepted and the email is charged no
 * attempt, although its transfer was begun. A 530 answer to MAIL FROM in a session without login counts as well
 * (RFC 4954, 6: authentication required), because it says nothing about the message.
 */
export interface RouteFailed {
  kind: 'route';
  error: string;
  reason: RouteReason;
  /** Reply code, null when there was no reply. */
  code: number | null;
}

export type HandOver = Accepted | Refused | Interrupted | Unknown | Withheld | RouteFailed;

/** Hands messages to a mail server. */
export interface MailTransport {
  /** Hands over one message. Never rejects for reasons of mail or network; rejects after `close` was called. */
  send(message: OutgoingMessage): Promise<HandOver>;
  /** Messages that can be begun right now without queueing. */
  readonly free: number;
  /** The most messages that are handed over at the same time. */
  readonly connections: number;
  /** Finishes the messages given to `send` so far, then closes every connection. */
  close(): Promise<void>;
}
