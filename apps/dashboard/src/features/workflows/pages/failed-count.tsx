import { Link } from 'react-router';
import type { WorkflowItem } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { CellActions } from '../../../ui/table.tsx';
import styles from './failed-count.module.css';

/** The executions that failed in the last 24 hours, with the way to them. It is above the link that covers the row. */
export function FailedCount({
  workflow: { id, name, _count },
}: {
  workflow: Pick<WorkflowItem, 'id' | 'name' | '_count'>;
}) {
  const to = useProjectPath();
  const { failed24h } = _count;
  if (failed24h === 0) return <>0</>;
  return (
    <CellActions>
      <Link
        to={to(`workflows/${id}/executions?status=FAILED`)}
        className={styles.failed ?? ''}
        aria-label={`${plural(failed24h, 'execution')} of ${name} failed in the last 24 hours`}
      >
        {formatCount(failed24h)}
      </Link>
    </CellActions>
  );
}
