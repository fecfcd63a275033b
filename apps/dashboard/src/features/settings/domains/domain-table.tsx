import { Link } from 'react-router';
import type { Domain } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { plural } from '../../../lib/format.ts';
import { Cell, Row, rowLinkClass, SecondLine, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { DomainStatus } from './domain-status.tsx';

const columns = [
  { label: 'Domain' },
  { label: 'Status' },
  { label: 'Records', extra: true },
  { label: 'Last checked', numeric: true, extra: true },
];

export function DomainTable({ domains }: { domains: Domain[] }) {
  const to = useProjectPath();
  return (
    <Table label="Domains" columns={columns}>
      {domains.map((domain) => (
        <Row key={domain.id}>
          <Cell clip>
            <Link to={to(`domains/${domain.id}`)} className={rowLinkClass ?? ''}>
              {domain.domain}
            </Link>
            <SecondLine>{recordsInWords(domain)}</SecondLine>
          </Cell>
          <Cell>
            <DomainStatus status={domain.status} />
          </Cell>
          <Cell extra>{recordsInWords(domain)}</Cell>
          <Cell numeric faint extra>
            {domain.lastCheckedAt ? <Ago at={domain.lastCheckedAt} /> : 'Not yet'}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function recordsInWords({ records }: Domain): string {
  const missing = records.filter(({ found }) => found === false).length;
  return missing === 0
    ? plural(records.length, 'record')
    : `${missing} of ${plural(records.length, 'record')} missing`;
}
