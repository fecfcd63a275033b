import type { HandOverStage } from '../../providers/index.ts';

/** One message to transfer, as the transport sees it. */
export interface OutgoingMessage {
  /**
   * Envelope addresses without angle brackets. An empty `from` is the null sender (RFC 5321, 4.5.5). `hasUtf8Headers`: an address in the
   * headers is not ASCII (RFC 6532). `is8Bit`: the message is not 7-bit (RFC 6152).
   */
  envelope: { from: string; to: string; hasUtf8Headers?: boolean; is8Bit?: boolean };
  /** The id of the email, for transports that attach it. */
  emailId?: string;
  /** For the simulator: its project, whether that is a test project, and how often the email was attempted before. */
  projectId?: string;
  isTest?: boolean;
  attempts?: number;
  /** The complete message: CRLF line ends, lines of at most 998 bytes, 7-bit unless the envelope says otherwise, not dot-stuffed. */
  data: Buffer;
  /**
   * Called at most once, after the server's 354 and before the first byte of `data` leaves: records that the transfer
   * begins. With `granted(false)` nothing is written, and the connection is closed without a final dot.
   */
  begin(granted: (yes: boolean) => void): void;
  /**
   * A connection was opened for this message, or not: connecting, TLS, the greeting and the login have ended.
   *
   * @param since when it began, by the monotonic clock
   * @param failure null for a connection that may send
   */
  connected?(since: number, failure: RouteFailed | null): void;
  /**
   * Called exactly once with the result, whatever happens; never between `begin` and its answer, and never from within
   * `MailTransport.serve` or its `next`.
   */
  ended(result: HandOver): void;
}

/** Why the route to the mail server failed. `unavailable` is reply 421 before MAIL FROM, or a temporary refusal of the login. */
export type RouteReason = 'connect' | 'tls' | 'auth' | 'greeting' | 'unavailable';

/** The server accepted the message: 250 after the final dot. */
export interface Accepted {
  kind: 'accepted';
  response: string;
  /** The id that a provider gave the message, by which it reports what becomes of it. */
  providerId?: string;
}

/** A 4xx or 5xx reply to this message; `permanent` is true for 5xx. What it concerns is in `mail-replies.rules.ts`. */
export interface Refused {
  kind: 'refused';
  permanent: boolean;
  code: number;
  /** Enhanced status code (RFC 3463) such as `5.1.1`, when the reply carries one. */
  enhancedCode: string | null;
  response: string;
  /**
   * The step that the reply belongs to. Of the SMTP transaction (RFC 5321, 3.3) `final` is the dot that ends the message; `request` is the
   * only step of a provider that is given all at once.
   */
  stage: HandOverStage;
  /** The transport refused it without asking the server. */
  isOwn?: true;
}

/**
 * Connection lost or timed out after MAIL FROM, before the final dot was written to the socket: nothing can have
 * been delivered. `stage` is the first step without a reply.
 */
export interface Interrupted {
  kind: 'interrupted';
  error: string;
  stage: Exclude<HandOverStage, 'final' | 'request'>;
}

/** The final dot may have reached the server, but no reply was read: the message may or may not have been accepted. */
export interface Unknown {
  kind: 'unknown';
  error: string;
}

/** `begin` was answered with false, or the connection does not take 8-bit messages. No byte of the message was written. */
export interface Withheld {
  kind: 'withheld';
}

/**
 * The route failed, not the message: an error before MAIL FROM, or a 530 reply to MAIL FROM in a session without login (RFC
 * 4954, 6: authentication required), because it does not concern the message.
 */
export interface RouteFailed {
  kind: 'route';
  error: string;
  reason: RouteReason;
  /** Reply code; null without a reply. */
  code: number | null;
  /** The message found no connection, but others work: the route is not to be paused. */
  othersWork: boolean;
}

export type HandOver = Accepted | Refused | Interrupted | Unknown | Withheld | RouteFailed;

/** Transfers messages to a mail server, over several connections at a time. */
export interface MailTransport {
  /** Maximum number of concurrent transfers. */
  readonly connections: number;
  /** Number of concurrent transfers that the server is known to allow at present. */
  readonly allowed: number;
  /** Number of messages that can start now without waiting: connections that the server allows, without those in use. */
  readonly free: number;
  /** Whether the server takes 8-bit messages (8BITMIME, RFC 6152), as it said last; null before it was asked. */
  readonly eightBit: boolean | null;
  /**
   * Sets the source of messages, once. `next` is asked whenever a connection can take a message; null means that there is
   * nothing for it now. With `chained` the message would be pipelined behind one whose final reply has not been read yet:
   * that occupies no further connection, but the message cannot begin before that reply.
   */
  serve(next: (chained: boolean) => OutgoingMessage | null): void;
  /** Asks the source again: it may have something to send. */
  wake(): void;
  /** A message waits although a connection is free, which is kept for others: it is time to find out whether the server allows more. */
  want(): void;
  /**
   * Finds out without a message whether the server takes email, or, given the envelope sender, email of this sender. Accepted when it
   * does, else why not.
   */
  probe(sender: string | null): Promise<HandOver>;
  /** The server works again after a failure: it is not met with all connections at once. */
  resume(): void;
  /** Takes no more messages, finishes those that were taken, then closes every connection. */
  close(): Promise<void>;
}
