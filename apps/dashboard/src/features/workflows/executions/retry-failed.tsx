import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm, typedFor } from '../../../ui/dialog.tsx';
import { JobDialog } from './job-dialog.tsx';

interface RetryFailedProps {
  workflowId: string;
  /** Only those that failed at this step. */
  step?: { key: string; name: string } | undefined;
  /** how many there are */
  count: number;
}

/** Retries all failed executions, or those of one step. */
export function RetryFailed({ workflowId, step, count }: RetryFailedProps) {
  const [asked, setAsked] = useState(false);
  const retry = useMutation(useApi().workflows.retryExecutions.mutationOptions());
  const where = step ? ` at “${step.name}”` : '';
  const close = () => {
    setAsked(false);
    retry.reset();
  };
  return (
    <>
      {count > 0 && (
        <Button icon="refresh" onClick={() => setAsked(true)}>
          Retry all failed{where}
        </Button>
      )}
      {asked && retry.data && (
        <JobDialog
          title={`Retry failed executions${where}`}
          label="Retrying executions"
          workflowId={workflowId}
          jobId={retry.data.jobId}
          onClose={close}
        />
      )}
      {asked && !retry.data && (
        <Confirm
          title={`Retry ${plural(count, 'failed execution')}${where}?`}
          action="Retry"
          typed={typedFor(count)}
          pending={retry.isPending}
          failure={retry.error ? failureOf(retry.error) : null}
          onConfirm={() => retry.mutate({ id: workflowId, ...(step && { stepKey: step.key }) })}
          onClose={close}
        >
          <p>
            Each goes on at the step where it failed, by the version that it runs now. Steps that were taken
            are not taken again, and no email is sent twice.
          </p>
        </Confirm>
      )}
    </>
  );
}
