import { Link } from 'react-router';
import type { Workflow } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { Notice } from '../../../ui/notice.tsx';

/** Above a workflow that its failures have disabled. */
export function FailingNotice({ workflow: { id } }: { workflow: Pick<Workflow, 'id'> }) {
  const to = useProjectPath();
  return (
    <Notice tone="bad" title="Too many executions failed, so the workflow was disabled">
      <p>
        Nobody enters it now; those in it go on. Correct the step that fails, retry the{' '}
        <Link to={to(`workflows/${id}/executions?status=FAILED`)}>failed executions</Link>, and enable the
        workflow again.
      </p>
    </Notice>
  );
}
