import type { EmailContent } from '@postrider/core/content/templates/contract';
import { keysOf } from '../../../lib/keys-of.ts';

type EmailType = EmailContent['type'];

const types: Readonly<Record<EmailType, { label: string; note: string }>> = {
  MARKETING: { label: 'Marketing', note: 'To subscribed contacts, with footer and unsubscribe link' },
  HEADLESS: { label: 'Marketing, no footer', note: 'To subscribed contacts, without an automatic footer' },
  TRANSACTIONAL: { label: 'Transactional', note: 'To all contacts, without a footer' },
};

/** The types of email as options of a select. */
export const typeOptions = keysOf(types).map((value) => ({ value, ...types[value] }));

export const emailTypeOf = (value: string | undefined): EmailType =>
  typeOptions.find((option) => option.value === value)?.value ?? 'MARKETING';
