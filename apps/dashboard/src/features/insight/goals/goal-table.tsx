import { Link } from 'react-router';
import type { Goal } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { Chip } from '../../../ui/chip.tsx';
import { Cell, Row, rowLinkClass, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';

export function GoalTable({ goals }: { goals: readonly Goal[] }) {
  const to = useProjectPath();
  return (
    <Table
      label="Goals"
      columns={[
        { label: 'Name' },
        { label: 'Event' },
        { label: 'Value', extra: true },
        { label: 'Created', numeric: true, extra: true },
      ]}
    >
      {goals.map(({ id, name, eventName, value, archived, createdAt }) => (
        <Row key={id}>
          <Cell clip>
            <Link to={to(`goals/${id}`)} className={rowLinkClass ?? ''}>
              {name}
            </Link>{' '}
            {archived && <Chip tone="calm">Archived</Chip>}
          </Cell>
          <Cell clip faint>
            {eventName}
          </Cell>
          <Cell extra faint>
            {value ? `${value.property}, ${value.currency}` : '–'}
          </Cell>
          <Cell numeric faint extra>
            <Ago at={createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
