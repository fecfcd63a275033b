import type { Email } from '../../lib/api.ts';

type EmailClass = Email['type'];

export const classOptions: { value: EmailClass; label: string }[] = [
  { value: 'MARKETING', label: 'Marketing: subscribed contacts, with footer and unsubscribe link' },
  { value: 'HEADLESS', label: 'Headless: subscribed contacts, without a footer' },
  { value: 'TRANSACTIONAL', label: 'Transactional: every contact, without a footer' },
];

export const emailClassOf = (value: string | undefined): EmailClass =>
  classOptions.find((option) => option.value === value)?.value ?? 'MARKETING';
