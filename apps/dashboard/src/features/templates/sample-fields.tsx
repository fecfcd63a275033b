import type { EmailContent } from '@postrider/core/templates/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../../lib/api.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Button } from '../../ui/button.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import { SuggestedField } from '../../ui/suggested-field.tsx';
import { templateTexts } from './content.rules.ts';
import styles from './content-preview.module.css';
import { withNamesOf } from './sample.rules.ts';
import type { Sample } from './use-content-preview.ts';

interface SampleFieldsProps {
  content: EmailContent;
  sample: Sample;
  failure: string | undefined;
  onSample: (sample: Sample) => void;
}

/** The recipient of a preview: a contact, sample values, or both; the values take precedence. */
export function SampleFields({ content, sample, failure, onSample }: SampleFieldsProps) {
  return (
    <fieldset className={styles.sample}>
      <legend>Preview as</legend>
      <ContactChoice onChoose={(contactId) => onSample({ ...sample, contactId })} />
      <TextAreaField
        name="sampleValues"
        label="Values"
        code
        rows={4}
        value={sample.values}
        onChange={({ target }) => onSample({ ...sample, values: target.value })}
        failure={failure}
        placeholder='{"name": "Ada"}'
        hint="JSON, like the data of a send request. Overrides the contact's data. Not saved."
      />
      <Button
        small
        onClick={() => onSample({ ...sample, values: withNamesOf(sample.values, templateTexts(content)) })}
      >
        Insert the variables used in this email
      </Button>
    </fieldset>
  );
}

const pauseMs = 300;
const suggested = 8;

interface ContactChoiceProps {
  hint?: string;
  onChoose: (contactId: string | null) => void;
}

/** Finds a contact by its address. */
export function ContactChoice({
  hint = 'Leave empty to preview as an unknown contact.',
  onChoose,
}: ContactChoiceProps) {
  const [text, setText] = useState('');
  const search = useDebounced(text.trim().toLowerCase(), pauseMs);
  const found = useQuery({
    ...useApi().contacts.list.queryOptions({ limit: suggested, ...(search && { search }) }),
    placeholderData: keepPreviousData,
  });
  const contacts = found.data?.data ?? [];
  const chosen = contacts.find(({ email }) => email === search)?.id ?? null;
  const isUnknown = search !== '' && found.isSuccess && !found.isPlaceholderData && contacts.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for a new choice only, not for a new callback
  useEffect(() => onChoose(chosen), [chosen]);
  return (
    <SuggestedField
      name="sampleContact"
      label="Contact"
      inputMode="email"
      placeholder="Email address"
      suggestions={contacts.map(({ email }) => email)}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={(event) => {
        // Enter accepts a suggestion; it must not submit the form.
        if (event.key === 'Enter') event.preventDefault();
      }}
      failure={isUnknown ? 'No contact has this address' : undefined}
      hint={hint}
    />
  );
}
