import { z } from 'zod';
import { textIn } from '../../audience/topics/topics.rules.ts';
import { mailLanguage, query, type Services, uuid } from '../../base/kernel/index.ts';
import type { MailLanguage } from '../../base/lib/index.ts';
import { showProject } from '../../people/projects/index.ts';
import { shownProject } from '../../people/projects/shown-project.schema.ts';
import { makeFormToken } from './form-tokens.ts';
import { shownLanguage } from './forms.rules.ts';
import { formFieldType } from './forms.schema.ts';
import { findPublicForm, type PublicForm } from './forms.store.ts';

/** A form as its page shows it, in one language. */
export const shownForm = z.object({
  id: z.string(),
  language: mailLanguage,
  project: shownProject,
  title: z.string(),
  text: z.string().nullable(),
  consentText: z.string(),
  button: z.string().nullable().describe('Null for the built-in one'),
  fields: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      type: formFieldType,
      required: z.boolean(),
      options: z.array(z.object({ value: z.string(), label: z.string() })),
    }),
  ),
  topics: z.array(z.object({ key: z.string(), name: z.string(), description: z.string().nullable() })),
  origins: z.array(z.string()),
  redirectUrl: z.string().nullable(),
  token: z.string().describe('The signed time at which the page was made'),
  isOpen: z.boolean().describe('Whether it takes sign-ups'),
});

export type ShownForm = z.output<typeof shownForm>;

export const showForm = query({
  name: 'forms.show',
  summary: 'A form as visitors see it; null for an unknown one',
  permission: 'public',
  input: z.object({
    id: uuid,
    languages: z.array(mailLanguage).max(11).describe('Those that the visitor asks for, best first'),
  }),
  output: shownForm.nullable(),
  async handler({ services, db }, { id, languages }) {
    const form = await findPublicForm(db, id);
    return form && presentShownForm(services, form, shownLanguage(form, languages));
  },
});

export const isFormOpen = (form: PublicForm): boolean =>
  form.enabled && !form.deleted && form.project.open && form.offered.length > 0;

export function presentShownForm(
  { secrets }: Pick<Services, 'secrets'>,
  form: PublicForm,
  language: MailLanguage,
): ShownForm {
  const say = (texts: Parameters<typeof textIn>[0]): string => textIn(texts, language, form.language);
  return {
    id: form.id,
    language,
    project: showProject(form.project),
    title: say(form.title),
    text: form.text && say(form.text),
    consentText: say(form.consentText),
    button: form.button && say(form.button),
    fields: form.fields.map(({ label, options, ...field }) => ({
      ...field,
      label: say(label),
      options: options.map((option) => ({ value: option.value, label: say(option.label) })),
    })),
    topics: form.offered.map(({ key, name, description }) => ({
      key,
      name: say(name),
      description: description && say(description),
    })),
    origins: form.origins,
    redirectUrl: form.redirectUrl,
    token: makeFormToken(secrets, { kind: 'page', formId: form.id }, new Date()),
    isOpen: isFormOpen(form),
  };
}
