import { Link } from 'react-router';
import type { ActivityItem } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { Cell, Row, SecondLine, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { pathOf, subjectOf, typeInWords } from './item-in-words.rules.ts';

export function ActivityTable({ label, items }: { label: string; items: ActivityItem[] }) {
  return (
    <Table
      label={label}
      columns={[
        { label: 'Activity' },
        { label: 'Details', extra: true },
        { label: 'Contact', extra: true },
        { label: 'When', numeric: true },
      ]}
    >
      {items.map((item) => (
        <Row key={`${item.id} ${item.type}`}>
          <Cell brief>
            {typeInWords(item.type)}
            <SecondLine>
              <ActivityAbout item={item} />
            </SecondLine>
            <SecondLine>
              <ActivityContact item={item} />
            </SecondLine>
          </Cell>
          <Cell clip extra>
            <ActivityAbout item={item} />
          </Cell>
          <Cell clip extra>
            <ActivityContact item={item} />
          </Cell>
          <Cell numeric faint>
            <Ago at={item.timestamp} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

/** What an item is about, with a link to its page. */
export function ActivityAbout({ item }: { item: ActivityItem }) {
  const to = useProjectPath();
  const path = pathOf(item);
  const words = subjectOf(item);
  return path === null || words === '' ? words : <Link to={to(path)}>{words}</Link>;
}

/** Whom an item is about. */
export function ActivityContact({ item: { contactId, contactEmail } }: { item: ActivityItem }) {
  const to = useProjectPath();
  if (contactId === undefined) return 'None';
  return contactEmail === undefined ? (
    'Deleted contact'
  ) : (
    <Link to={to(`contacts/${contactId}`)}>{shownAddress(contactEmail)}</Link>
  );
}
