import { nameOf } from '@postrider/core/audience/contacts/contract';
import { Link } from 'react-router';
import type { Contact } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Cell, Check, Row, rowLinkClass, SecondLine, type Sorting, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { dataInWords, valueInWords } from '../events/data-in-words.rules.ts';
import { contactName } from './contact-name.ts';
import { ContactState } from './contact-state.tsx';
import { isSelected, type Selection, select } from './selection.rules.ts';

interface ContactTableProps {
  contacts: Contact[];
  /** Omitted where there are no bulk actions. */
  selection?: Selection;
  onSelect?: (selection: Selection) => void;
  sorting?: Sorting;
  /** The fields of contact data that have a column of their own. */
  fields?: readonly string[];
}

export function ContactTable({ contacts, selection, onSelect, sorting, fields = [] }: ContactTableProps) {
  const to = useProjectPath();
  const ids = contacts.map(({ id }) => id);
  const choose = (chosen: string[], isChosen: boolean) =>
    selection && onSelect?.(select(selection, chosen, isChosen));
  return (
    <Table
      label="Contacts"
      {...(sorting && { sorting })}
      columns={[
        ...(selection
          ? [
              {
                label: 'Selected',
                control: (
                  <Check
                    label="Select all shown"
                    checked={ids.every((id) => isSelected(selection, id))}
                    onChange={(isChosen) => choose(ids, isChosen)}
                  />
                ),
              },
            ]
          : []),
        { label: 'Email', sort: 'email' },
        { label: 'Name', extra: true },
        { label: 'Status' },
        { label: 'Data', extra: true },
        ...fields.map((field) => ({ id: `data.${field}`, label: field, extra: true })),
        { label: 'Created', sort: 'createdAt', first: 'desc', numeric: true, extra: true },
      ]}
    >
      {contacts.map((contact) => (
        <Row key={contact.id}>
          {selection && (
            <Cell>
              <Check
                label={`Select ${shownAddress(contact.email)}`}
                checked={isSelected(selection, contact.id)}
                onChange={(isChosen) => choose([contact.id], isChosen)}
              />
            </Cell>
          )}
          <Cell clip>
            <Avatar name={contactName(contact)} />
            <Link to={to(`contacts/${contact.id}`)} className={rowLinkClass ?? ''}>
              {shownAddress(contact.email)}
            </Link>
            <SecondLine besideAvatar>{nameOf(contact.data)}</SecondLine>
          </Cell>
          <Cell extra value>
            {nameOf(contact.data)}
          </Cell>
          <Cell>
            <ContactState {...contact} />
          </Cell>
          <Cell clip extra faint code>
            {dataInWords(contact.data)}
          </Cell>
          {fields.map((field) => (
            <Cell key={field} value extra>
              {contact.data[field] !== undefined && valueInWords(contact.data[field])}
            </Cell>
          ))}
          <Cell numeric faint extra>
            <Ago at={contact.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
