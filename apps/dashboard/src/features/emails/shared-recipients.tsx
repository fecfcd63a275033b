import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type EmailDetail, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { shownAddress } from '../../lib/shown-address.rules.ts';
import { Panel } from '../../ui/panel.tsx';
import { Cell, Row, rowLinkClass, Table } from '../../ui/table.tsx';
import { fieldNames } from './email-facts.tsx';
import { EmailStatus } from './email-status.tsx';

/** As many as a shared message can have. */
const mostRecipients = 50;

/** Everybody who gets the message of this email, with what became of it for each. */
export function SharedRecipients({
  email,
  sharedMessageId,
}: {
  email: EmailDetail;
  sharedMessageId: string;
}) {
  const to = useProjectPath();
  const list = useQuery(
    useApi().sending.listEmails.queryOptions({ sharedMessageId, dir: 'asc', limit: mostRecipients }),
  );
  if (!list.data) return null;
  return (
    <Panel title="Recipients of this message" flush>
      <Table
        label="Recipients of this message"
        columns={[{ label: 'Field' }, { label: 'Recipient' }, { label: 'Status' }]}
      >
        {list.data.data.map((each) => (
          <Row key={each.id}>
            <Cell faint>{fieldNames[each.recipientType]}</Cell>
            <Cell clip>
              {each.id === email.id ? (
                <strong>{shownAddress(each.to) || 'Deleted contact'}</strong>
              ) : (
                <Link to={to(`emails/${each.id}`)} className={rowLinkClass ?? ''}>
                  {shownAddress(each.to) || 'Deleted contact'}
                </Link>
              )}
            </Cell>
            <Cell>
              <EmailStatus status={each.status} />
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}
