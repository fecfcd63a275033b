import { longestAddress, normalizeAddress } from '../../base/lib/addresses.rules.ts';
import { readIsoDate } from '../../base/lib/dates.rules.ts';
import type { FormField } from './forms.schema.ts';

/** What is wrong with a field of a submission. `domain`: its domain has no mailboxes. */
export type Mistake = 'required' | 'email' | 'domain' | 'value' | 'topic';

export interface Mistakes {
  /** by the name of the input: `email`, `topics`, `fields.<key>` */
  [name: string]: Mistake;
}

export interface Answers {
  email: string;
  /** numbers of topics */
  topics: number[];
  data: Record<string, string | boolean>;
}

export interface Given {
  email: unknown;
  topics: readonly unknown[];
  fields: Readonly<Record<string, unknown>>;
}

interface AskedForm {
  fields: readonly FormField[];
  offered: readonly { key: string; number: number }[];
}

const longestText = 500;

/** Reads what a visitor has sent by a form; every mistake is told at once. */
export function readAnswers(form: AskedForm, given: Given): { answers: Answers } | { mistakes: Mistakes } {
  const mistakes: Mistakes = {};
  const text = typeof given.email === 'string' ? given.email : '';
  const email = text.length > 4 * longestAddress ? null : normalizeAddress(text);
  if (email === null) mistakes['email'] = text.trim() === '' ? 'required' : 'email';
  const topics = readTopics(form, given.topics);
  if (topics === null) mistakes['topics'] = 'topic';
  const data: Record<string, string | boolean> = {};
  for (const field of form.fields) {
    const answer = readField(field, given.fields[field.key]);
    if ('mistake' in answer) mistakes[`fields.${field.key}`] = answer.mistake;
    else if (answer.value !== null) data[field.key] = answer.value;
  }
  if (Object.keys(mistakes).length > 0) return { mistakes };
  return { answers: { email: email ?? '', topics: topics ?? [], data } };
}

/** With one topic, sending is the statement; with several, at least one is chosen. What the form does not offer is none. */
function readTopics({ offered }: AskedForm, given: readonly unknown[]): number[] | null {
  const [only] = offered;
  if (only && offered.length === 1) return [only.number];
  const chosen = offered.filter(({ key }) => given.includes(key)).map(({ number }) => number);
  return chosen.length === 0 ? null : chosen;
}

type Answer = { value: string | boolean | null } | { mistake: 'required' | 'value' };

const yes = new Set<unknown>([true, 'true', 'on', '1', 'yes']);
const no = new Set<unknown>([undefined, null, false, '', 'false', 'off', '0', 'no']);

function readField({ type, required, options }: FormField, given: unknown): Answer {
  if (type === 'CHECKBOX') {
    if (yes.has(given)) return { value: true };
    if (!no.has(given)) return { mistake: 'value' };
    return required ? { mistake: 'required' } : { value: false };
  }
  if (given !== undefined && given !== null && typeof given !== 'string') return { mistake: 'value' };
  const text = (given ?? '').trim();
  if (text === '') return required ? { mistake: 'required' } : { value: null };
  switch (type) {
    case 'TEXT':
      return text.length <= longestText ? { value: text } : { mistake: 'value' };
    case 'SELECT':
      return options.some(({ value }) => value === text) ? { value: text } : { mistake: 'value' };
    case 'DATE': {
      const day = text.length <= 40 ? readIsoDate(text)?.day : undefined;
      return day !== undefined ? { value: day } : { mistake: 'value' };
    }
  }
}
