import type { AcceptedEmail, AcceptRequest, NewRecipient } from '../ledger/index.ts';
import { waitOf } from './present-email.ts';

interface Accepting {
  /** what keeps it from leaving at present */
  pause: 'restore' | 'route' | null;
  now: Date;
}

/** The emails of an accepted request, in its order. */
export function presentAccepted(
  { recipients, scheduledAt = null }: AcceptRequest,
  stored: readonly AcceptedEmail[],
  accepting: Accepting,
) {
  const byId = new Map(stored.map((row) => [row.id, row]));
  return recipients.flatMap(({ emailId, copy }) => {
    const row = byId.get(emailId);
    return row ? [presentRow(row, copy, { ...accepting, scheduledAt })] : [];
  });
}

function presentRow(
  { id, contactId, contactEmail, reason }: AcceptedEmail,
  copy: NewRecipient['copy'],
  wait: Accepting & { scheduledAt: Date | null },
) {
  const { scheduledAt } = wait;
  const status = reason === null ? (scheduledAt ? 'SCHEDULED' : 'PENDING') : 'SKIPPED';
  return {
    contact: copy ? null : { id: contactId, email: contactEmail },
    email: id,
    to: contactEmail,
    recipientType: copy ?? ('TO' as const),
    status: status as 'PENDING' | 'SCHEDULED' | 'SKIPPED',
    reason,
    scheduledAt,
    ...waitOf(status, wait),
  };
}
