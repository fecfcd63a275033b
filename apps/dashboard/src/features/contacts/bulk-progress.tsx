import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type BulkJob, useApi } from '../../lib/api.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { everySecond } from '../../lib/polling.ts';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { LoadFailure, Notice } from '../../ui/notice.tsx';
import { Progress } from '../../ui/progress.tsx';
import styles from './job.module.css';
import { isOver } from './job.rules.ts';
import { JobErrors } from './job-errors.tsx';
import { useRefreshContacts } from './use-refresh-contacts.ts';

/** Shows the progress of a bulk change, which continues when the dialog is closed. */
export function BulkProgress({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const refresh = useRefreshContacts();
  const job = useQuery({
    ...useApi().contacts.getBulkJob.queryOptions({ jobId }),
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : everySecond),
  });
  const over = job.data !== undefined && isOver(job.data);
  useEffect(() => {
    if (over) void refresh();
  }, [over, refresh]);
  return (
    <>
      <div className={styles.job} role="status">
        {job.isError && !job.data && <LoadFailure error={job.error} retry={job.refetch} />}
        {!over && !job.isError && <Progress label="Updating contacts" value={job.data?.progress ?? null} />}
        {job.data && over && <BulkOutcome job={job.data} />}
      </div>
      <DialogActions>
        <Button kind={over ? 'primary' : 'plain'} onClick={onClose}>
          {over ? 'Done' : 'Close and continue in background'}
        </Button>
      </DialogActions>
    </>
  );
}

function BulkOutcome({ job }: { job: BulkJob }) {
  if (job.state === 'failed' || job.result === null)
    return <Notice tone="bad" title={job.failedReason ?? 'The update failed'} />;
  const { successCount, unchangedCount, failureCount, errors } = job.result;
  return (
    <>
      <Notice tone={failureCount > 0 ? 'warn' : 'good'} title={`${plural(successCount, 'contact')} updated`}>
        {(unchangedCount > 0 || failureCount > 0) && (
          <p>
            {formatCount(unchangedCount)} needed no change
            {failureCount > 0 && `, ${formatCount(failureCount)} failed`}.
          </p>
        )}
      </Notice>
      <JobErrors
        label="Contacts that failed"
        total={failureCount}
        errors={errors.map(({ contactId, email, error }) => ({ key: contactId, email, error }))}
      />
    </>
  );
}
