import type { Contact } from '../../lib/api.ts';
import { Cell, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { ContactState } from './contact-state.tsx';

export function ContactTable({ contacts }: { contacts: Contact[] }) {
  return (
    <Table
      label="Contacts"
      columns={[
        { label: 'Email' },
        { label: 'State' },
        { label: 'Data', extra: true },
        { label: 'Since', numeric: true, extra: true },
      ]}
    >
      {contacts.map((contact) => (
        <tr key={contact.id}>
          <Cell clip>{contact.email}</Cell>
          <Cell>
            <ContactState {...contact} />
          </Cell>
          <Cell clip extra faint code>
            {dataInWords(contact.data)}
          </Cell>
          <Cell numeric faint extra>
            <Ago at={contact.createdAt} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

const dataInWords = (data: Contact['data']): string =>
  Object.entries(data)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join(', ');
