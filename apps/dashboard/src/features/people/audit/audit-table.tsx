import { Link } from 'react-router';
import type { AuditEntry } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { Cell, Row, SecondLine, Table } from '../../../ui/table.tsx';
import { Moment } from '../../../ui/time.tsx';
import { actionName, inWords } from './action-name.rules.ts';
import { targetOf } from './target.rules.ts';

const columns = [
  { label: 'Action' },
  { label: 'What', extra: true },
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
            <SecondLine>
              <Target entry={entry} />
            </SecondLine>
            <SecondLine>{entry.actor.label}</SecondLine>
          </Cell>
          <Cell extra clip>
            <Target entry={entry} />
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

function Target({ entry }: { entry: AuditEntry }) {
  const to = useProjectPath();
  const target = targetOf(entry);
  if (!target) return null;
  const name = shownAddress(target.name);
  return target.path === null ? name : <Link to={to(target.path)}>{name}</Link>;
}
