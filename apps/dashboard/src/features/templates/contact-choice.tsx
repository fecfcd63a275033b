import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../../lib/api.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { SuggestedField } from '../../ui/suggested-field.tsx';

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
