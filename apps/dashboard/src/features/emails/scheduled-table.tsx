import { Link } from 'react-router';
import type { Email } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { shownAddress } from '../../lib/shown-address.rules.ts';
import { Cell, CellActions, Row, rowLinkClass, SecondLine, Table } from '../../ui/table.tsx';
import { Moment } from '../../ui/time.tsx';
import { EmailActions } from './email-actions.tsx';

/** Emails that wait for their time. */
export function ScheduledTable({ emails }: { emails: Email[] }) {
  const to = useProjectPath();
  return (
    <Table
      label="Scheduled emails"
      columns={[
        { label: 'To' },
        { label: 'Subject', extra: true },
        { label: 'Time' },
        { label: 'Actions', control: <span className="visually-hidden">Actions</span> },
      ]}
    >
      {emails.map((email) => (
        <Row key={email.id}>
          <Cell clip>
            <Link to={to(`emails/${email.id}`)} className={rowLinkClass ?? ''}>
              {shownAddress(email.to) || 'Deleted contact'}
            </Link>
            <SecondLine>{email.subject}</SecondLine>
          </Cell>
          <Cell clip extra>
            {email.subject}
          </Cell>
          <Cell>{email.scheduledAt && <Moment at={email.scheduledAt} />}</Cell>
          <Cell numeric>
            <CellActions>
              <EmailActions email={email} inRow />
            </CellActions>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
