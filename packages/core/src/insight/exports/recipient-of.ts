import type { z } from 'zod';
import type { listRecipients } from '../../automation/campaigns/index.ts';
import type { EmailRecord } from '../../mail/sending/sending.schema.ts';

type Recipient = z.output<typeof listRecipients.output>['data'][number];

/** The time at which an email reached a state; other states have that of the last change. */
const timeOf: Partial<Record<EmailRecord['status'], (email: EmailRecord) => string | null>> = {
  SENT: ({ sentAt }) => sentAt,
  DELIVERED: ({ deliveredAt }) => deliveredAt,
  OPENED: ({ openedAt }) => openedAt,
  CLICKED: ({ clickedAt }) => clickedAt,
  BOUNCED: ({ bouncedAt }) => bouncedAt,
  COMPLAINED: ({ complainedAt }) => complainedAt,
};

/** An email of a campaign as the list of its recipients shows it. */
export const recipientOf = (email: EmailRecord): Recipient => ({
  emailId: email.id,
  contactId: email.contactId,
  email: email.to,
  status: email.status,
  reason: email.reason,
  error: email.error,
  diagnosis: email.diagnosis,
  occurredAt: timeOf[email.status]?.(email) ?? email.updatedAt,
});

const stamps: Readonly<Record<string, keyof EmailRecord>> = {
  sent: 'sentAt',
  delivered: 'deliveredAt',
  opened: 'openedAt',
  clicked: 'clickedAt',
  bounced: 'bouncedAt',
  complained: 'complainedAt',
};

/** @param type as in the filter of the list of recipients: by time stamp up to `complained`, by state for the others */
export const hasReached =
  (type: string) =>
  (email: EmailRecord): boolean => {
    const stamp = stamps[type];
    return stamp === undefined ? email.status === type.toUpperCase() : email[stamp] !== null;
  };
