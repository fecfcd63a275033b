import type { EmailSource } from '../../base/db/index.ts';

/** How long the content of emails is kept (behaviour B8.5); the records stay. */

const dayMs = 86_400_000;

/** For transactional, workflow and test email; campaigns keep their content. */
const contentKeptMs = 90 * dayMs;

/** A content is shared by the email of one week, so its last email is up to a week younger than its row. */
export const contentRowKeptMs = contentKeptMs + 7 * dayMs;

/**
 * Attachments are shared by the email of one day, and kept for a day after it was sent. An email that is not sent after `waitingMs` is seen
 * by a sweep, which keeps its attachments for two more days; for what is sent earlier, `Blob.keptUntil` begins with 54 hours.
 */
export const blobKeptMs = 2 * dayMs;
export const waitingMs = 3_600_000;

/** Emails of the platform: their bodies, which hold links that let in whoever has them, from when they were settled; and their rows. */
export const platformBodyKeptMs = dayMs;
export const platformMailKeptMs = 30 * dayMs;

/** Whether an email's content is no longer shown: erased with its contact, or past its retention. */
export const isContentGone = (
  email: {
    sourceType: EmailSource;
    createdAt: Date;
    scheduledAt: Date | null;
    contentClearedAt: Date | null;
  },
  now: Date,
): boolean =>
  email.contentClearedAt !== null ||
  (email.sourceType !== 'CAMPAIGN' &&
    now.getTime() - (email.scheduledAt ?? email.createdAt).getTime() > contentKeptMs);

/** The lowest id (UUID version 7, RFC 9562) of a given time. */
export function firstIdOf(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

/** Reports are repeated for days, by mail servers and providers; one that is older than this would be applied again. */
export const noticeKeptMs = 90 * dayMs;
