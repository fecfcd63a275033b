import { Link } from 'react-router';
import type { Approval } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { Cell, Row, rowLinkClass, SecondLine, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { ApprovalOutcome, isOfCampaign } from './approval-outcome.tsx';

const columns = [
  { label: 'Asked for' },
  { label: 'By', extra: true },
  { label: 'State' },
  { label: 'When', numeric: true },
];

export function ApprovalTable({ approvals }: { approvals: Approval[] }) {
  const to = useProjectPath();
  return (
    <Table label="Approvals" columns={columns}>
      {approvals.map((approval) => (
        <Row key={approval.id}>
          <Cell clip>
            <Link to={to(`approvals/${approval.id}`)} className={rowLinkClass ?? ''}>
              {approval.summary}
            </Link>
            <SecondLine>{isOfCampaign(approval) ? 'Approval of a campaign' : approval.operation}</SecondLine>
          </Cell>
          <Cell extra faint clip>
            {approval.requestedBy.label}
          </Cell>
          <Cell>
            <ApprovalOutcome status={approval.status} />
          </Cell>
          <Cell numeric faint>
            <Ago at={approval.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
