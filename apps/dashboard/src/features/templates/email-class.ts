import type { Email } from '../../lib/api.ts';
import { given } from '../../lib/given.ts';
import type { FormValues } from '../../ui/form.tsx';

type EmailClass = Email['type'];

export const classOptions: { value: EmailClass; label: string }[] = [
  { value: 'MARKETING', label: 'Marketing: subscribed contacts, with footer and unsubscribe link' },
  { value: 'HEADLESS', label: 'Marketing, no footer: subscribed contacts, without an automatic footer' },
  { value: 'TRANSACTIONAL', label: 'Transactional: all contacts, without a footer' },
];

export const emailClassOf = (value: string | undefined): EmailClass =>
  classOptions.find((option) => option.value === value)?.value ?? 'MARKETING';

/** The content of an email, as campaigns and templates have it. */
export interface Letter {
  subject: string;
  preheader: string | null;
  body: string;
  from: string;
  fromName: string | null;
  replyTo: string | null;
  type: EmailClass;
}

/** Empty content. @param from the suggested sender */
export const blankLetter = (from: string, type: EmailClass): Letter => ({
  subject: '',
  preheader: null,
  body: '',
  from,
  fromName: null,
  replyTo: null,
  type,
});

/** Reads the fields of `LetterFields`. */
export const letterOf = (values: FormValues): Letter => ({
  subject: values.subject ?? '',
  preheader: given(values.preheader) ?? null,
  body: values.body ?? '',
  from: values.from ?? '',
  fromName: given(values.fromName) ?? null,
  replyTo: given(values.replyTo) ?? null,
  type: emailClassOf(values.type),
});
