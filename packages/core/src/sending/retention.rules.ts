import type { EmailSource } from '../db/index.ts';

/** How long what mail said is kept (behaviour B8.5); the records stay. */

const dayMs = 86_400_000;

/** Of transactional, workflow and test mail; campaigns keep theirs. */
const contentKeptMs = 90 * dayMs;

/** A content is shared by the mail of one week, so the last mail of it is up to a week younger than its row. */
export const contentRowKeptMs = contentKeptMs + 7 * dayMs;

/** Attachments are shared by the mail of one day, and kept for a day after it left. */
export const attachmentKeptMs = 2 * dayMs;

/** Whether what an email said is shown no longer: erased with its contact, or kept for its time. */
export const isContentGone = (
  email: { sourceType: EmailSource; createdAt: Date; contentClearedAt: Date | null },
  now: Date,
): boolean =>
  email.contentClearedAt !== null ||
  (email.sourceType !== 'CAMPAIGN' && now.getTime() - email.createdAt.getTime() > contentKeptMs);

/** The lowest id (UUID version 7, RFC 9562) that was made at a time or later. */
export function firstIdOf(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}
