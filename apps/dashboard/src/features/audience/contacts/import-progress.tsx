import { useQuery } from '@tanstack/react-query';
import { type ImportJob, useApi } from '../../../lib/api.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { JobProgress } from '../../../ui/job-progress.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { FailedRowsButton } from './failed-rows-button.tsx';
import { JobErrors } from './job-errors.tsx';
import { useRefreshContacts } from './use-refresh-contacts.ts';

interface ImportProgressProps {
  jobId: string;
  /** The name of the file. */
  fileName: string;
  onClose: () => void;
  onAnother: () => void;
}

/** Shows the progress of an import, which continues when the dialog is closed. */
export function ImportProgress({ jobId, fileName, onClose, onAnother }: ImportProgressProps) {
  const refresh = useRefreshContacts();
  const job = useQuery(useApi().contacts.getImport.queryOptions({ jobId }));
  return (
    <JobProgress
      label="Importing"
      failure="The import failed"
      job={job}
      onOver={refresh}
      onClose={onClose}
      next={<Button onClick={onAnother}>Import another file</Button>}
    >
      {(result) => <ImportOutcome jobId={jobId} fileName={fileName} result={result} />}
    </JobProgress>
  );
}

interface ImportOutcomeProps {
  jobId: string;
  fileName: string;
  result: NonNullable<ImportJob['result']>;
}

function ImportOutcome({ jobId, fileName, result }: ImportOutcomeProps) {
  const { totalRows, createdCount, updatedCount, failureCount, unreadCount, errors } = result;
  return (
    <>
      <Notice
        tone={failureCount + unreadCount > 0 ? 'warn' : 'good'}
        title={`${plural(totalRows, 'row')} read`}
      >
        <p>
          {plural(createdCount, 'new contact')}, {formatCount(updatedCount)} updated
          {failureCount > 0 && `, ${plural(failureCount, 'row')} skipped`}.
          {unreadCount > 0 && ` ${plural(unreadCount, 'cell')} could not be read.`}
        </p>
      </Notice>
      <JobErrors
        label="Skipped rows"
        head="Row"
        total={failureCount}
        errors={errors.map(({ row, email, error }) => ({ key: String(row), email, error }))}
      />
      {failureCount + unreadCount > 0 && (
        <FailedRowsButton
          jobId={jobId}
          fileName={fileName}
          label={failureCount > 0 ? 'Download skipped rows' : 'Download incomplete rows'}
        />
      )}
    </>
  );
}
