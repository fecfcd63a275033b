import { useQuery } from '@tanstack/react-query';
import { useApi, type WorkflowJob } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { JobProgress } from '../../../ui/job-progress.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useRefreshExecutions } from './use-refresh-executions.ts';

interface JobDialogProps {
  title: string;
  /** What the job is doing. */
  label: string;
  workflowId: string;
  jobId: string;
  onClose: () => void;
}

/** Shows the progress of a job about executions, which continues when the dialog is closed. */
export function JobDialog({ title, label, workflowId, jobId, onClose }: JobDialogProps) {
  const refresh = useRefreshExecutions();
  const job = useQuery(useApi().workflows.getJob.queryOptions({ id: workflowId, jobId }));
  return (
    <Dialog title={title} onClose={onClose} wide>
      <JobProgress label={label} failure="The job failed" job={job} onOver={refresh} onClose={onClose}>
        {(result) => <Outcome result={result} />}
      </JobProgress>
    </Dialog>
  );
}

function Outcome({ result }: { result: NonNullable<WorkflowJob['result']> }) {
  const { cancelled, retried, blocked } = result;
  if (retried === undefined)
    return <Notice tone="good" title={`${plural(cancelled ?? 0, 'execution')} cancelled`} />;
  const reasons = [
    blocked && blocked.active > 0 && `${plural(blocked.active, 'contact')} already in the workflow again`,
    blocked?.gone && `${plural(blocked.gone, 'execution')} at a step that is gone`,
  ].filter(Boolean);
  return (
    <Notice tone={reasons.length > 0 ? 'warn' : 'good'} title={`${plural(retried, 'execution')} retried`}>
      {reasons.length > 0 && <p>Not retried: {reasons.join(', ')}.</p>}
    </Notice>
  );
}
