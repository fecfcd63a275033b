import { Link } from 'react-router';
import type { ActivityGroup } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatClock, formatCount } from '../../../lib/format.ts';
import { Cell, Row, SecondLine, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { ActivityAbout, ActivityContact } from './activity-table.tsx';
import { aboutAll, isCounted } from './groups.rules.ts';
import { typeInWords } from './item-in-words.rules.ts';

interface GroupTableProps {
  groups: readonly ActivityGroup[];
  /** Whether nothing older is left to load. */
  isAll: boolean;
  /** The page with the items of a group. */
  itemsOf: (group: ActivityGroup) => string;
}

/** What happened, with as many rows as there are different things. */
export function GroupTable({ groups, isAll, itemsOf }: GroupTableProps) {
  return (
    <Table
      label="Activity"
      columns={[
        { label: 'Activity' },
        { label: 'Details', extra: true },
        { label: 'Contact', extra: true },
        { label: 'When', numeric: true },
      ]}
    >
      {groups.map((group) => (
        <Row key={group.key}>
          <Cell brief>
            {typeInWords(group.type)}
            {group.count > 1 && (
              <strong>
                {' '}
                × {formatCount(group.count)}
                {!isCounted(group, groups, isAll) && '+'}
              </strong>
            )}
            <SecondLine>
              <About group={group} />
            </SecondLine>
            {(group.count > 1 || group.item.contactId !== undefined) && (
              <SecondLine>
                <Who group={group} itemsOf={itemsOf} />
              </SecondLine>
            )}
          </Cell>
          <Cell clip extra>
            <About group={group} />
          </Cell>
          <Cell clip extra>
            <Who group={group} itemsOf={itemsOf} />
          </Cell>
          <Cell numeric faint>
            <Ago at={group.last} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function About({ group: { count, item } }: { group: ActivityGroup }) {
  const to = useProjectPath();
  if (count === 1) return <ActivityAbout item={item} />;
  const { words, path } = aboutAll(item);
  return path === null || words === '' ? words : <Link to={to(path)}>{words}</Link>;
}

function Who({ group, itemsOf }: { group: ActivityGroup } & Pick<GroupTableProps, 'itemsOf'>) {
  if (group.count === 1) return <ActivityContact item={group.item} />;
  const [from, until] = [formatClock(group.first), formatClock(group.last)];
  return (
    <>
      <Link to={itemsOf(group)}>Show {formatCount(group.count)} items</Link>
      {from !== until && ` from ${from} to ${until}`}
    </>
  );
}
