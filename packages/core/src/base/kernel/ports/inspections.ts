import type { RouteReason } from './mail-transport.ts';

/** What is found by looking at servers without changing anything, for findings (behaviour B11.6). */

/** A mail server that let a session in. */
export interface SmtpSessionFacts {
  kind: 'open';
  /** what it offers after the login (RFC 5321, 4.1.1.1): the parameters by the keyword */
  extensions: ReadonlyMap<string, string>;
  isEncrypted: boolean;
  /** until when its certificate is valid; null without TLS */
  certificateUntil: Date | null;
}

export interface SmtpSessionRefused {
  kind: 'refused';
  reason: RouteReason;
  error: string;
}

export interface TemporalFacts {
  kind: 'found';
  /** how long ended workflows are kept; null if the server does not say */
  retentionDays: number | null;
  /** of the schedules asked for, those that do not exist, and those that are paused */
  missing: string[];
  paused: string[];
}

export interface TemporalRefused {
  kind: 'away' | 'no namespace' | 'not allowed';
  error: string;
}

/** An account of Amazon SES. */
export interface SesFacts {
  kind: 'found';
  maySend: boolean;
  /** messages go to verified addresses only */
  isSandbox: boolean;
  /** messages in 24 hours: allowed, null without a limit, and sent */
  quota: number | null;
  sent: number;
}

export interface SesRefused {
  kind: 'no credentials' | 'not allowed' | 'away';
  error: string;
}

/** A message that was handed over, or why not. */
export interface HandedOver {
  isAccepted: boolean;
  /** what the server said */
  response: string;
}

export interface Inspections {
  /** Opens a session with the mail server, and ends it after EHLO and NOOP. */
  smtp(signal: AbortSignal): Promise<SmtpSessionFacts | SmtpSessionRefused>;
  /** Opens up to `most` sessions at once. @returns how many the server let in, and what it said to the next one */
  smtpConnections(most: number, signal: AbortSignal): Promise<{ open: number; refusal: string | null }>;
  /** Hands over one message from the address of the platform. */
  send(to: string): Promise<HandedOver>;
  temporal(schedules: readonly string[]): Promise<TemporalFacts | TemporalRefused>;
  /** The account of the configured region. */
  ses(): Promise<SesFacts | SesRefused>;
  /** @returns why the bucket for images cannot be used; null if it can, as far as can be told without storing anything */
  bucket(): Promise<string | null>;
}
