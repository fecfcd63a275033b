import { Link } from 'react-router';
import type { Suppression } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { diagnosisWords } from '../../../lib/diagnosis-words.ts';
import { formatDate } from '../../../lib/format.ts';
import { Cell, SecondLine, Table } from '../../../ui/table.tsx';
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
            {suppression.class && <SecondLine>{diagnosisWords[suppression.class].label}</SecondLine>}
          </Cell>
          <Cell extra faint>
            {suppression.emailId && <Link to={to(`emails/${suppression.emailId}`)}>View email</Link>}
          </Cell>
          <Cell numeric faint extra>
            <Ago at={suppression.createdAt} />
            {suppression.expiresAt && <SecondLine>until {formatDate(suppression.expiresAt)}</SecondLine>}
          </Cell>
          <Cell numeric>
            <RemoveSuppression suppression={suppression} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
