import { useState } from 'react';
import { Combobox } from '../../../ui/combobox.tsx';
import { type FieldProps, useField } from '../../../ui/field.tsx';
import { useContactSearch } from './use-contact-search.ts';

interface ContactPickerProps extends FieldProps {
  /** the ID of the selected contact */
  value: string | null;
  onChange: (contactId: string) => void;
}

/** A field for one contact of the project, found by its address or name. */
export function ContactPicker({ value, onChange, ...field }: ContactPickerProps) {
  const {
    control: { className: _, ...control },
    frame,
  } = useField(field);
  const { contacts, onSearch } = useContactSearch();
  const [address, setAddress] = useState('');
  return frame(
    <Combobox
      {...control}
      aria-label={field.label}
      isField
      groups={[{ label: 'Contacts', options: contacts }]}
      value={value ?? ''}
      text={value === null ? '' : address}
      placeholder="Select a contact"
      onSearch={onSearch}
      onChange={(next) => {
        setAddress(contacts.find((contact) => contact.value === next)?.label ?? '');
        onChange(next);
      }}
    />,
  );
}
