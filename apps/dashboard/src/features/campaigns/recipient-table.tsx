import { reasonInWords } from '@postrider/core/mail/eligibility/contract';
import { Link } from 'react-router';
import type { Email, Recipient } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { shownAddress } from '../../lib/shown-address.rules.ts';
import { Cell, CellActions, Row, rowLinkClass, SecondLine, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { WhyButton } from '../common/explain/why-dialog.tsx';
import { EmailStatus, emailStatuses } from '../emails/email-status.tsx';

export function RecipientTable({ recipients }: { recipients: Recipient[] }) {
  const to = useProjectPath();
  return (
    <Table
      label="Recipients"
      columns={[
        { label: 'Email' },
        { label: 'Status' },
        { label: 'Reason', extra: true },
        { label: 'When', numeric: true },
        { label: 'Explanation', numeric: true, extra: true },
      ]}
    >
      {recipients.map((recipient) => (
        <Row key={recipient.emailId}>
          <Cell clip>
            <Link to={to(`emails/${recipient.emailId}`)} className={rowLinkClass ?? ''}>
              {shownAddress(recipient.email) || 'Deleted contact'}
            </Link>
            <SecondLine>{whyOf(recipient)}</SecondLine>
          </Cell>
          <Cell>{isStatus(recipient.status) && <EmailStatus status={recipient.status} />}</Cell>
          <Cell clip extra>
            {whyOf(recipient)}
          </Cell>
          <Cell numeric faint>
            <Ago at={recipient.occurredAt} />
          </Cell>
          <Cell numeric extra>
            <CellActions>
              <WhyButton
                emailId={recipient.emailId}
                address={shownAddress(recipient.email) || 'Deleted contact'}
              />
            </CellActions>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

const isStatus = (status: string): status is Email['status'] => Object.hasOwn(emailStatuses, status);

const whyOf = ({ reason, error }: Recipient): string => error ?? (reason ? reasonInWords(reason) : '');
