import type { AuditEntry } from '../../lib/api.ts';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Moment } from '../../ui/time.tsx';
import { actionName } from './action-name.rules.ts';

const columns = [
  { label: 'When' },
  { label: 'Who' },
  { label: 'Action' },
  { label: 'Changed', extra: true },
  { label: 'Address', extra: true },
];

export function AuditTable({ entries }: { entries: AuditEntry[] }) {
  return (
    <Table label="Audit log" columns={columns}>
      {entries.map((entry) => (
        <Row key={entry.id}>
          <Cell faint>
            <Moment at={entry.createdAt} />
          </Cell>
          <Cell clip>{entry.actor.label}</Cell>
          <Cell nowrap>{actionName(entry.operation)}</Cell>
          <Cell extra faint clip>
            {entry.changed.join(', ')}
          </Cell>
          <Cell extra faint>
            {entry.ip}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
