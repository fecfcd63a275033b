import { Link } from 'react-router';
import type { Erasure } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { Cell, Row, rowLinkClass, SecondLine, Table } from '../../../ui/table.tsx';
import { Moment } from '../../../ui/time.tsx';
import { ErasureStatus } from './erasure-status.tsx';
import { shortHash } from './words.rules.ts';

const columns = [
  { label: 'Receipt' },
  { label: 'Status' },
  { label: 'Asked for by', extra: true },
  { label: 'Reason', extra: true },
  { label: 'When', numeric: true },
];

export function ErasureTable({ erasures }: { erasures: Erasure[] }) {
  const to = useProjectPath();
  return (
    <Table label="Receipts" columns={columns}>
      {erasures.map(({ id, addressHash, status, actor, reason, requestedAt }) => (
        <Row key={id}>
          <Cell nowrap>
            <Link to={to(`privacy/${id}`)} className={rowLinkClass ?? ''}>
              Person {shortHash(addressHash)}
            </Link>
            <SecondLine>{actor.label}</SecondLine>
          </Cell>
          <Cell>
            <ErasureStatus status={status} />
          </Cell>
          <Cell extra clip>
            {actor.label}
          </Cell>
          <Cell extra faint clip>
            {reason}
          </Cell>
          <Cell numeric faint>
            <Moment at={requestedAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
