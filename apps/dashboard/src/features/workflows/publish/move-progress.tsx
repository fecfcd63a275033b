import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import { JobProgress } from '../../../ui/job-progress.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useRefreshWorkflows } from '../canvas/use-refresh-workflows.ts';

interface MoveProgressProps {
  workflowId: string;
  jobId: string;
  people: number;
  onClose: () => void;
}

/** Shows how far the job is that moves people whose step is gone or whose waiting changes. All others are moved already. */
export function MoveProgress({ workflowId, jobId, people, onClose }: MoveProgressProps) {
  const refresh = useRefreshWorkflows();
  const job = useQuery(useApi().workflows.getJob.queryOptions({ id: workflowId, jobId }));
  return (
    <JobProgress
      label={`Moving ${plural(people, 'contact')}`}
      failure="Not everybody was moved. Whoever was not is moved at the next step."
      job={job}
      onOver={refresh}
      onClose={onClose}
    >
      {({ changed }) => (
        <Notice tone="good" title={`${plural(changed, 'contact')} moved`}>
          <p>Everybody inside goes on by this version.</p>
        </Notice>
      )}
    </JobProgress>
  );
}
