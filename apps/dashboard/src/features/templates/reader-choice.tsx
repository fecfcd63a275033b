import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../lib/api.ts';
import { useSearchText } from '../../lib/use-search-text.ts';
import { Combobox } from '../../ui/combobox.tsx';

const unknown = { value: 'unknown', label: 'An unknown contact' };
const found = 20;

interface ReaderChoiceProps {
  contactId: string | null;
  onChoose: (contactId: string | null) => void;
}

/** The contact that a preview is rendered for, found by its address. */
export function ReaderChoice({ contactId, onChoose }: ReaderChoiceProps) {
  const [, setText, search] = useSearchText();
  const [address, setAddress] = useState('');
  const list = useQuery({
    ...useApi().contacts.list.queryOptions({ limit: found, ...(search && { search }) }),
    placeholderData: keepPreviousData,
  });
  const contacts = (list.data?.data ?? []).map(({ id, email }) => ({ value: id, label: email }));
  return (
    <Combobox
      aria-label="Preview as"
      groups={[
        ...(search === '' ? [{ label: 'Without data', options: [unknown] }] : []),
        { label: 'Contacts', options: contacts },
      ]}
      value={contactId ?? unknown.value}
      text={contactId === null ? 'As an unknown contact' : `As ${address}`}
      placeholder="Preview as"
      onSearch={setText}
      onChange={(value) => {
        setAddress(contacts.find((contact) => contact.value === value)?.label ?? '');
        onChoose(value === unknown.value ? null : value);
      }}
    />
  );
}
