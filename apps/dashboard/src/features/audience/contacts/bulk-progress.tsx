import { useQuery } from '@tanstack/react-query';
import { type BulkJob, useApi } from '../../../lib/api.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { JobProgress } from '../../../ui/job-progress.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { JobErrors } from './job-errors.tsx';
import { useRefreshContacts } from './use-refresh-contacts.ts';

/** Shows the progress of a bulk change, which continues when the dialog is closed. */
export function BulkProgress({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const refresh = useRefreshContacts();
  const job = useQuery(useApi().contacts.getBulkJob.queryOptions({ jobId }));
  return (
    <JobProgress
      label="Updating contacts"
      failure="The update failed"
      job={job}
      onOver={refresh}
      onClose={onClose}
    >
      {(result) => <BulkOutcome result={result} />}
    </JobProgress>
  );
}

function BulkOutcome({ result }: { result: NonNullable<BulkJob['result']> }) {
  const { successCount, unchangedCount, refusedCount, failureCount, errors } = result;
  return (
    <>
      <Notice tone={failureCount > 0 ? 'warn' : 'good'} title={`${plural(successCount, 'contact')} updated`}>
        {(unchangedCount > 0 || refusedCount > 0 || failureCount > 0) && (
          <p>
            {formatCount(unchangedCount)} needed no change
            {refusedCount > 0 && `, ${formatCount(refusedCount)} opted out themselves and stay out`}
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
