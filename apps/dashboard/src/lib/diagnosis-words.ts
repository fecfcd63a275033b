import type { diagnosisClass } from '@postrider/core/base/kernel/contract';
import type { z } from 'zod';

export type DiagnosisClass = z.output<typeof diagnosisClass>;

/** What the receiving side said, as a label and as the end of a sentence. */
export const diagnosisWords: Readonly<Record<DiagnosisClass, { label: string; because: string }>> = {
  no_mailbox: { label: 'No such mailbox', because: 'this address does not exist there' },
  no_domain: { label: 'No such domain', because: 'its domain does not exist or accepts no email' },
  closed: { label: 'Mailbox closed', because: 'the mailbox is disabled or inactive' },
  full: { label: 'Mailbox full', because: 'the mailbox is full' },
  authentication: {
    label: 'Authentication failed',
    because: 'the receiving server could not confirm the sender by SPF, DKIM or DMARC',
  },
  blocked: {
    label: 'Blocked',
    because: "blocked by the receiving server because of the sender's reputation",
  },
  content: { label: 'Content rejected', because: 'the receiving server rejected the content of the message' },
  too_large: { label: 'Too large', because: 'the message is larger than the receiving server accepts' },
  policy: { label: 'Not allowed', because: 'the receiving server does not accept email from this sender' },
  unreachable: { label: 'Not reachable', because: 'the receiving server was not reachable or not ready' },
  other: { label: 'Other', because: 'the receiving server gave no reason that is known' },
};

/** For example "Not delivered: the mailbox is full". */
export const notDelivered = (given: DiagnosisClass): string =>
  `Not delivered: ${diagnosisWords[given].because}`;
