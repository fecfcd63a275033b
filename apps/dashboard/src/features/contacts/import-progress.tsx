import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type ImportJob, useApi } from '../../lib/api.ts';
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

interface ImportProgressProps {
  jobId: string;
  onClose: () => void;
  onAnother: () => void;
}

/** Shows the progress of an import, which continues when the dialog is closed. */
export function ImportProgress({ jobId, onClose, onAnother }: ImportProgressProps) {
  const refresh = useRefreshContacts();
  const job = useQuery({
    ...useApi().contacts.getImport.queryOptions({ jobId }),
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
        {!over && !job.isError && <Progress label="Importing" value={job.data?.progress ?? null} />}
        {job.data && over && <ImportOutcome job={job.data} />}
      </div>
      <DialogActions>
        {over ? (
          <>
            <Button onClick={onAnother}>Import another file</Button>
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>Close and continue in background</Button>
        )}
      </DialogActions>
    </>
  );
}

function ImportOutcome({ job }: { job: ImportJob }) {
  if (job.state === 'failed' || job.result === null)
    return <Notice tone="bad" title={job.failedReason ?? 'The import failed'} />;
  const { totalRows, createdCount, updatedCount, failureCount, errors } = job.result;
  return (
    <>
      <Notice tone={failureCount > 0 ? 'warn' : 'good'} title={`${plural(totalRows, 'row')} read`}>
        <p>
          {plural(createdCount, 'new contact')}, {formatCount(updatedCount)} updated
          {failureCount > 0 && `, ${plural(failureCount, 'row')} skipped`}.
        </p>
      </Notice>
      <JobErrors
        label="Skipped rows"
        head="Row"
        total={failureCount}
        errors={errors.map(({ row, email, error }) => ({ key: String(row), email, error }))}
      />
    </>
  );
}
