import { Link } from 'react-router';
import type { Suppression } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { Cell, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { RemoveSuppression } from './remove-suppression.tsx';
import { SuppressionReason } from './suppression-reason.tsx';

export function SuppressionTable({ suppressions }: { suppressions: Suppression[] }) {
  const to = useProjectPath();
  return (
    <Table
      label="Suppressed addresses"
      columns={[
        { label: 'Email' },
        { label: 'Reason' },
        { label: 'Caused by', extra: true },
        { label: 'Added', numeric: true, extra: true },
        { label: 'Action', numeric: true },
      ]}
    >
      {suppressions.map((suppression) => (
        <tr key={suppression.email}>
          <Cell clip>{shownAddress(suppression.email)}</Cell>
          <Cell>
            <SuppressionReason {...suppression} />
          </Cell>
          <Cell extra faint>
            {suppression.emailId && <Link to={to(`emails/${suppression.emailId}`)}>View email</Link>}
          </Cell>
          <Cell numeric faint extra>
            <Ago at={suppression.createdAt} />
          </Cell>
          <Cell numeric>
            <RemoveSuppression suppression={suppression} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
