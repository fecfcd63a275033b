import type { Diagnosis } from '../diagnosis/index.ts';

/** Identifies a held batch: `token` is the fence that its claim set. */
export interface BatchKey {
  id: string;
  token: string;
}

/**
 * How one attempt ended.
 * - `sent`: the mail server accepted the message.
 * - `failed`: the mail server refused it for good.
 * - `unsendable`: it was not handed over and never can be (it cannot be composed, its sender domain was removed).
 * - `skipped`: it must not be sent; `reason` says why.
 * - `retry`: the mail server refused it for now; due again after `waitMs`.
 * - `giveback`: nothing was transferred or answered; due again at once or after `waitMs`, costs no attempt.
 * - `uncertain`: the transfer began, and its answer is unknown.
 * - `gone`: `readBatches` did not return it, because it is settled already; has no effect.
 */
export type Outcome =
  | 'sent'
  | 'failed'
  | 'unsendable'
  | 'skipped'
  | 'retry'
  | 'giveback'
  | 'uncertain'
  | 'gone';

/** What a limit of its contact has an email wait for: a slot within the caps, or the end of the quiet hours. */
export type LimitHold = 'cap' | 'quiet_hours';

export interface BatchResult {
  outcome: Outcome;
  /** text of the answer, or why it failed */
  error?: string;
  /** of `skipped` */
  reason?: string;
  /** of `failed` and `retry`: what the server said */
  diagnosis?: Diagnosis;
  /** of `failed`: the address accepts no email for good (behaviour B3.7) */
  hardBounce?: boolean;
  /** of `retry` and `giveback`: delay until the next attempt */
  waitMs?: number;
  /** of `giveback`: the limit of the contact that it waits for (behaviour B14.8), and until when, in milliseconds since 1970 by the database's clock */
  heldBy?: LimitHold;
  until?: number;
  /** the message id that a provider assigned */
  providerId?: string;
}
