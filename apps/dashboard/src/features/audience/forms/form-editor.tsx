import { mailLanguage } from '@postrider/core/base/kernel/contract';
import { selectLanguage } from '@postrider/core/base/lib/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type SignUpForm, useApi } from '../../../lib/api.ts';
import { useProject, useProjectPath } from '../../../lib/current.ts';
import { given } from '../../../lib/given.ts';
import { languageName, languages } from '../../../lib/languages.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../../ui/field.tsx';
import { FieldRow, Form, FormActions, type FormValues } from '../../../ui/form.tsx';
import { nameOfTopic } from '../../common/topics/topic-words.rules.ts';
import { languagesOf, type MailLanguage, textsIn } from '../../settings/consent/topic-texts.rules.ts';
import { draftsOf, type FieldDraft, fieldsOf, linesOf } from './form-draft.rules.ts';
import { FormFields } from './form-fields.tsx';
import { useRefreshForms } from './use-refresh-forms.ts';

interface Extra {
  shown: readonly MailLanguage[];
  fields: FieldDraft[];
  topics: readonly string[];
}

/** Everything that visitors of a form see, and where it leads. @param form absent for a new one */
export function FormEditor({ form }: { form?: SignUpForm }) {
  const project = useProject();
  const to = useProjectPath();
  const navigate = useNavigate();
  const refresh = useRefreshForms();
  const draft = useDraft(form ? `form.${form.id}` : 'form.new');
  const api = useApi();
  const topics = useQuery(api.topics.list.queryOptions({}));
  const main = form?.language ?? selectLanguage(project.language);
  const [extra, setExtra] = useState<Extra>({
    shown: languagesOf(form ? [form.title] : [], main),
    fields: draftsOf(form?.fields ?? [], main),
    topics: form?.topics ?? ['general'],
  });
  const change = (part: Partial<Extra>) => setExtra((now) => ({ ...now, ...part }));
  const onSuccess = async ({ id }: { id: string }) => {
    draft.saved();
    await refresh();
    await navigate(to(`forms/${id}`));
  };
  const create = useMutation({ ...api.forms.create.mutationOptions(), onSuccess });
  const update = useMutation({ ...api.forms.update.mutationOptions(), onSuccess });
  const failure = useFailure(create.error ?? update.error);
  const submit = (values: FormValues) => {
    const all = {
      name: values.name ?? '',
      title: textsIn(values, 'title'),
      text: orNull(textsIn(values, 'text')),
      consentText: textsIn(values, 'consentText'),
      button: orNull(textsIn(values, 'button')),
      fields: fieldsOf(extra.fields, main, form?.fields),
      topics: [...extra.topics],
      redirectUrl: given(values.redirectUrl) ?? null,
      confirmedUrl: given(values.confirmedUrl) ?? null,
      origins: linesOf(values.origins ?? ''),
    };
    if (form) update.mutate({ id: form.id, ...all });
    else create.mutate({ ...all, language: main });
  };
  const offered = (topics.data ?? []).filter(({ visibility }) => visibility === 'PUBLIC');
  const others = languages.filter((language) => !extra.shown.includes(language));
  return (
    <Form
      label={form ? 'Sign-up form' : 'New sign-up form'}
      failure={failure}
      draft={draft}
      extra={{ value: extra, restore: (value) => setExtra(value as Extra) }}
      onSubmit={submit}
    >
      <TextField
        name="name"
        label="Name"
        placeholder="Footer"
        hint="Visitors do not see it."
        defaultValue={form?.name ?? ''}
        maxLength={100}
        required
        autoFocus
      />
      {extra.shown.map((language) => (
        <fieldset key={language}>
          <legend>{languageName(language)}</legend>
          <FieldRow>
            <TextField
              name={`title.${language}`}
              label="Heading"
              placeholder="Our newsletter"
              defaultValue={form?.title[language] ?? ''}
              maxLength={200}
              required={language === main}
            />
            <TextField
              name={`button.${language}`}
              label="Button (optional)"
              defaultValue={form?.button?.[language] ?? ''}
              maxLength={60}
            />
          </FieldRow>
          <TextAreaField
            name={`text.${language}`}
            label="Text (optional)"
            rows={2}
            defaultValue={form?.text?.[language] ?? ''}
            maxLength={1000}
          />
          <TextAreaField
            name={`consentText.${language}`}
            label="What people agree to"
            rows={3}
            placeholder="Yes, send me the newsletter. I can unsubscribe at any time."
            hint="These exact words are kept with each subscription."
            defaultValue={form?.consentText[language] ?? ''}
            maxLength={1000}
            required={language === main}
          />
        </fieldset>
      ))}
      {others.length > 0 && (
        <SelectField
          key={extra.shown.length}
          name="addLanguage"
          label="Add a language"
          defaultValue=""
          hint="Visitors see the form in the language of their browser, if it has it."
          onChange={({ target }) => {
            const added = mailLanguage.safeParse(target.value);
            if (added.success) change({ shown: [...extra.shown, added.data] });
          }}
        >
          <option value="">Choose a language</option>
          {others.map((language) => (
            <option key={language} value={language}>
              {languageName(language)}
            </option>
          ))}
        </SelectField>
      )}
      {offered.length > 1 && (
        <fieldset>
          <legend>Topics that people can choose</legend>
          {offered.map((topic) => (
            <label key={topic.key}>
              <input
                type="checkbox"
                checked={extra.topics.includes(topic.key)}
                onChange={({ target }) =>
                  change({
                    topics: target.checked
                      ? [...extra.topics, topic.key]
                      : extra.topics.filter((key) => key !== topic.key),
                  })
                }
              />{' '}
              {nameOfTopic(topic, project.language)}
            </label>
          ))}
        </fieldset>
      )}
      <FormFields drafts={extra.fields} onChange={(fields) => change({ fields })} />
      <FieldRow>
        <TextField
          name="redirectUrl"
          label="Page after sending (optional)"
          placeholder="https://example.com/almost-done"
          defaultValue={form?.redirectUrl ?? ''}
          maxLength={2000}
          hint="Otherwise a page asks them to look in their inbox."
        />
        <TextField
          name="confirmedUrl"
          label="Page after confirming (optional)"
          placeholder="https://example.com/welcome"
          defaultValue={form?.confirmedUrl ?? ''}
          maxLength={2000}
        />
      </FieldRow>
      <TextAreaField
        name="origins"
        label="Origins of your pages, one a line (optional)"
        rows={2}
        placeholder="https://www.example.com"
        defaultValue={form?.origins.join('\n') ?? ''}
        hint="With origins, only their pages may send the form or show it in a frame. Without any, every page may send it, and none can show it in a frame."
      />
      <FormActions>
        <Button kind="primary" type="submit" pending={create.isPending || update.isPending}>
          {form ? 'Save form' : 'Create form'}
        </Button>
      </FormActions>
    </Form>
  );
}

/** Texts in at least one language. */
const orNull = <Texts extends object>(texts: Texts): Texts | null =>
  Object.keys(texts).length === 0 ? null : texts;
