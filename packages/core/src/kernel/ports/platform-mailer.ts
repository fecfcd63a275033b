import type { Db } from '../../db/client.ts';

/** An email from the platform itself: verification, password reset, invitation, notice. All texts are plain text. */
export interface PlatformMail {
  to: string;
  subject: string;
  /** shown before the action */
  paragraphs: readonly string[];
  action: { label: string; url: string };
  /** shown after the action */
  note?: string;
}

/** Sends platform emails through the ledger, so that areas below `sending` can send them too. */
export interface PlatformMailer {
  /** Writes the email in the caller's transaction: it is sent if and only if the change it reports is committed. */
  write(db: Db, mail: PlatformMail): Promise<void>;
  /** Starts delivery; call it after the commit. */
  notify(): void;
}
