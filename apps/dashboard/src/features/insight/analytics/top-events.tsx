import { Link } from 'react-router';
import type { TopEvents as Names } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount } from '../../../lib/format.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Cell, Row, rowLinkClass, Table } from '../../../ui/table.tsx';
import { eventPath } from '../../audience/events/event-path.ts';

/** The most frequent events of the customer's own product in a period. */
export function TopEvents({ names: { data } }: { names: Names }) {
  const to = useProjectPath();
  return (
    <Panel title="Top events" flush>
      {data.length === 0 && <EmptyState title="No events in this period" />}
      {data.length > 0 && (
        <Table label="Top events" columns={[{ label: 'Event' }, { label: 'Count', numeric: true }]}>
          {data.map(({ name, count }) => (
            <Row key={name}>
              <Cell clip>
                <Link to={to(eventPath(name))} className={rowLinkClass ?? ''}>
                  {name}
                </Link>
              </Cell>
              <Cell numeric>{formatCount(count)}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  );
}
