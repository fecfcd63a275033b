import { Link } from 'react-router';
import type { Email } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { shownAddress } from '../../lib/shown-address.rules.ts';
import { Cell, Row, rowLinkClass, SecondLine, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { EmailStatus } from './email-status.tsx';
import { sourceNames } from './source.ts';

export function EmailTable({ emails }: { emails: Email[] }) {
  const to = useProjectPath();
  return (
    <Table
      label="Emails"
      columns={[
        { label: 'Status' },
        { label: 'To' },
        { label: 'Subject', extra: true },
        { label: 'Origin', extra: true },
        { label: 'Created', numeric: true },
      ]}
    >
      {emails.map((email) => (
        <Row key={email.id}>
          <Cell>
            <EmailStatus status={email.status} />
          </Cell>
          <Cell clip>
            <Link to={to(`emails/${email.id}`)} className={rowLinkClass ?? ''}>
              {shownAddress(email.to) || 'Deleted contact'}
            </Link>
            <SecondLine>{email.subject}</SecondLine>
          </Cell>
          <Cell clip extra>
            {email.subject}
          </Cell>
          <Cell extra faint>
            {sourceNames[email.sourceType]}
          </Cell>
          <Cell numeric faint>
            <Ago at={email.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
