import { type RecipientPage, recipientPages } from '@postrider/core/mail/forms/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { languageName, languages } from '../../../lib/languages.ts';
import { readRecipientPage } from '../../../lib/rest.ts';
import { MailFrame } from '../../../ui/mail-frame.tsx';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Select } from '../../../ui/select.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import styles from './recipient-pages.module.css';
import { recipientPagesKey } from './use-refresh-topics.ts';

const labels: Record<RecipientPage, string> = {
  form: 'Sign-up form',
  received: 'Form was sent',
  confirm: 'Confirm',
  confirmed: 'Confirmed',
  preferences: 'Preferences',
  unsubscribe: 'Unsubscribe',
  unsubscribed: 'Unsubscribed',
  subscribe: 'Subscribe',
};

/** The pages that need a form. */
const ofForms: readonly RecipientPage[] = ['form', 'received'];

/** What recipients and visitors see, in every language, before they do. */
export function RecipientPages() {
  const { id: projectId, name, language: own, brand, consent } = useProject();
  const [chosen, setChosen] = useState<RecipientPage>('preferences');
  const [language, setLanguage] = useState<string>(
    () => languages.find((each) => own.startsWith(each)) ?? 'en',
  );
  const [formId, setFormId] = useState('');
  const forms = useQuery(useApi().forms.list.queryOptions({ limit: 100 }));
  const found = forms.data?.data ?? [];
  const pages = recipientPages.filter((page) => found.length > 0 || !ofForms.includes(page));
  const asked = { projectId, page: chosen, language, ...(formId !== '' && { formId }) };
  const shown = useQuery({
    queryKey: [...recipientPagesKey, asked, name, brand, consent.privacyUrl],
    queryFn: () => readRecipientPage(asked),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <div className={styles.choices}>
        <Select
          aria-label="Page"
          small
          options={pages.map((value) => ({ value, label: labels[value] }))}
          value={chosen}
          onChange={setChosen}
        />
        <Select
          aria-label="Language"
          small
          options={languages.map((value) => ({ value, label: languageName(value) }))}
          value={language}
          onChange={setLanguage}
        />
        {found.length > 1 && (
          <Select
            aria-label="Form"
            small
            options={[
              { value: '', label: 'Newest form' },
              ...found.map((form) => ({ value: form.id, label: form.name })),
            ]}
            value={formId}
            onChange={setFormId}
          />
        )}
      </div>
      {shown.isError ? (
        <LoadFailure error={shown.error} retry={shown.refetch} />
      ) : shown.data === undefined ? (
        <Skeleton lines={10} label="Loading the page" />
      ) : (
        <MailFrame title={`${labels[chosen]}, ${languageName(language)}`} html={shown.data} />
      )}
    </>
  );
}
