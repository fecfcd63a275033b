import { Link } from 'react-router';
import type { RequestEntry } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount } from '../../../lib/format.ts';
import { Cell, Row, rowLinkClass, SecondLine, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { RequestOutcome } from './request-outcome.tsx';

const columns = [
  { label: 'Status' },
  { label: 'Request' },
  { label: 'Code', extra: true },
  { label: 'Key', extra: true },
  { label: 'Duration', numeric: true, extra: true },
  { label: 'When', numeric: true },
];

export function RequestTable({ entries }: { entries: RequestEntry[] }) {
  const to = useProjectPath();
  return (
    <Table label="Requests" columns={columns}>
      {entries.map((entry) => (
        <Row key={entry.id}>
          <Cell>
            <RequestOutcome status={entry.status} />
          </Cell>
          <Cell clip>
            <Link to={to(`requests/${entry.id}`)} className={rowLinkClass ?? ''}>
              {entry.method} {entry.path}
            </Link>
            <SecondLine>{entry.code ?? entry.operation}</SecondLine>
          </Cell>
          <Cell extra clip>
            {entry.code}
            {entry.alike > 0 && ` +${formatCount(entry.alike)} alike`}
          </Cell>
          <Cell extra faint clip>
            {entry.credential.label}
          </Cell>
          <Cell extra numeric faint>
            {formatCount(entry.durationMs)} ms
          </Cell>
          <Cell numeric faint>
            <Ago at={entry.at} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
