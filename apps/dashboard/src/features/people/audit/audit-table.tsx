import type { AuditEntry } from '../../../lib/api.ts';
import { Cell, Row, SecondLine, Table } from '../../../ui/table.tsx';
import { Moment } from '../../../ui/time.tsx';
import { actionName, inWords } from './action-name.rules.ts';

const columns = [
  { label: 'Action' },
  { label: 'Who', extra: true },
  { label: 'Changed', extra: true },
  { label: 'IP address', extra: true },
  { label: 'When', numeric: true },
];

export function AuditTable({ entries }: { entries: AuditEntry[] }) {
  return (
    <Table label="Audit log" columns={columns}>
      {entries.map((entry) => (
        <Row key={entry.id}>
          <Cell nowrap>
            {actionName(entry.operation)}
            <SecondLine>{entry.actor.label}</SecondLine>
          </Cell>
          <Cell extra clip>
            {entry.actor.label}
          </Cell>
          <Cell extra faint clip>
            {entry.changed.map(inWords).join(', ')}
          </Cell>
          <Cell extra faint>
            {entry.ip}
          </Cell>
          <Cell numeric faint>
            <Moment at={entry.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
