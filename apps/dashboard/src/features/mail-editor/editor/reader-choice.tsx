import { useState } from 'react';
import { Combobox } from '../../../ui/combobox.tsx';
import { useContactSearch } from '../../audience/contacts/use-contact-search.ts';

const unknown = { value: 'unknown', label: 'An unknown contact' };

interface ReaderChoiceProps {
  contactId: string | null;
  onChoose: (contactId: string | null) => void;
}

/** The contact that a preview is rendered for, found by its address. */
export function ReaderChoice({ contactId, onChoose }: ReaderChoiceProps) {
  const { contacts, search, onSearch } = useContactSearch();
  const [address, setAddress] = useState('');
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
      onSearch={onSearch}
      onChange={(value) => {
        setAddress(contacts.find((contact) => contact.value === value)?.label ?? '');
        onChoose(value === unknown.value ? null : value);
      }}
    />
  );
}
