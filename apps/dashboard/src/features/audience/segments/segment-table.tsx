import { Link } from 'react-router';
import type { Segment } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount } from '../../../lib/format.ts';
import { Chip } from '../../../ui/chip.tsx';
import { Cell, Row, rowLinkClass, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { segmentTypes } from './segment-type.tsx';

export function SegmentTable({ segments }: { segments: Segment[] }) {
  const to = useProjectPath();
  return (
    <Table
      label="Segments"
      columns={[
        { label: 'Name' },
        { label: 'Type', extra: true },
        { label: 'Entries and exits', extra: true },
        { label: 'Members', numeric: true },
        { label: 'Updated', numeric: true, extra: true },
      ]}
    >
      {segments.map((segment) => (
        <Row key={segment.id}>
          <Cell clip>
            <Link to={to(`segments/${segment.id}`)} className={rowLinkClass ?? ''}>
              {segment.name}
            </Link>
          </Cell>
          <Cell extra faint>
            {segmentTypes[segment.type].name}
          </Cell>
          <Cell extra faint>
            {segment.trackMembership ? 'Tracked' : 'Not tracked'}
          </Cell>
          <Cell numeric>
            {segment.failedReason && <Chip tone="warn">Out of date</Chip>} {formatCount(segment.memberCount)}
          </Cell>
          <Cell numeric faint extra>
            <Ago at={segment.updatedAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
