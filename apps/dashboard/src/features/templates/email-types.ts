import type { EmailContent } from '@postrider/core/templates/contract';
import { keysOf } from '../../lib/keys-of.ts';

type EmailType = EmailContent['type'];

const labels: Readonly<Record<EmailType, string>> = {
  MARKETING: 'Marketing: subscribed contacts, with footer and unsubscribe link',
  HEADLESS: 'Marketing, no footer: subscribed contacts, without an automatic footer',
  TRANSACTIONAL: 'Transactional: all contacts, without a footer',
};

/** The types of email as options of a select. */
export const typeOptions = keysOf(labels).map((value) => ({ value, label: labels[value] }));

export const emailTypeOf = (value: string | undefined): EmailType =>
  typeOptions.find((option) => option.value === value)?.value ?? 'MARKETING';
