import type { PlatformMails } from '../../../base/kernel/ports/platform-mailer.ts';
import type { MailLanguage } from '../../../base/lib/mail-languages.ts';

export interface MailText {
  /** also the title of the document and its heading */
  subject: string;
  /** before the button */
  paragraphs: readonly string[];
  button: string;
  /** after the button */
  note?: string;
}

/** The text of each email, filled in with its values. */
export type MailWriters = { [Name in keyof PlatformMails]: (values: PlatformMails[Name]) => MailText };

/** All texts of the platform's emails in one language. */
export type MailTexts = MailWriters & {
  /** before the address of the button, for mail programs that do not show the button */
  copyLink: string;
};

/** What failed, by step and reason: a line for each. */
export const failureLines = (
  groups: PlatformMails['executionsFailed']['groups'],
  quoted: (step: string) => string,
): string[] => groups.map(({ step, reason, count }) => `${count} × ${quoted(step)}: ${reason}`);

/** A size as people of a language write it; the unit stays at its number. */
export const megabytesIn = (language: MailLanguage): ((megabytes: number) => string) => {
  const number = new Intl.NumberFormat(language);
  return (megabytes) => `${number.format(megabytes)}\u00a0MB`;
};
