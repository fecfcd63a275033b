import type { SignUpForm } from '../../../lib/api.ts';
import type { MailLanguage } from '../../settings/consent/topic-texts.rules.ts';

type Field = SignUpForm['fields'][number];

/** A field while it is edited, in the language of the form. */
export interface FieldDraft {
  id: number;
  key: string;
  label: string;
  type: Field['type'];
  required: boolean;
  /** of SELECT: one a line */
  options: string;
  /** its labels in other languages, which stay */
  others: Field['label'];
}

export const draftsOf = (fields: readonly Field[], language: MailLanguage): FieldDraft[] =>
  fields.map(({ key, label, type, required, options }, index) => ({
    id: index + 1,
    key,
    label: label[language] ?? '',
    type,
    required,
    options: options.map((option) => option.label[language] ?? option.value).join('\n'),
    others: label,
  }));

/** The fields as the API takes them. An option that was there before keeps its value and its labels in other languages. */
export const fieldsOf = (
  drafts: readonly FieldDraft[],
  language: MailLanguage,
  before: readonly Field[] = [],
) =>
  drafts.map(({ key, label, type, required, options, others }) => {
    const known = before.find((field) => field.key === key)?.options ?? [];
    return {
      key,
      label: { ...others, [language]: label },
      type,
      required,
      options:
        type === 'SELECT'
          ? linesOf(options).map((line) => {
              const same = known.find((option) => (option.label[language] ?? option.value) === line);
              return same ?? { value: line, label: { [language]: line } };
            })
          : [],
    };
  });

/** The lines of a text that are not empty. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
