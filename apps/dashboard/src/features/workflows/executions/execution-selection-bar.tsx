import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Execution, useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm, typedFor } from '../../../ui/dialog.tsx';
import { CheckField } from '../../../ui/field.tsx';
import styles from '../../../ui/selection-bar.module.css';
import { isActive } from './execution-status.tsx';
import { JobDialog } from './job-dialog.tsx';
import { useRefreshExecutions } from './use-refresh-executions.ts';

interface SelectionBarProps {
  workflowId: string;
  /** The executions that are selected. */
  chosen: readonly Execution[];
  onClear: () => void;
}

/** The number of selected executions and what can be done with them. */
export function ExecutionSelectionBar({ workflowId, chosen, onClear }: SelectionBarProps) {
  const active = chosen.filter(isActive);
  const failed = chosen.filter(({ status }) => status === 'FAILED');
  return (
    <section className={styles.bar} aria-label="Selected executions">
      <span role="status">{formatCount(chosen.length)} selected</span>
      <span className={styles.actions}>
        <RetrySelected workflowId={workflowId} failed={failed} onDone={onClear} />
        <CancelSelected workflowId={workflowId} active={active} onDone={onClear} />
        <Button kind="quiet" small onClick={onClear}>
          Clear selection
        </Button>
      </span>
    </section>
  );
}

interface RetrySelectedProps {
  workflowId: string;
  failed: readonly Execution[];
  onDone: () => void;
}

/** One after the other: at most a page of them. */
function RetrySelected({ workflowId, failed, onDone }: RetrySelectedProps) {
  const announce = useAnnounce();
  const refresh = useRefreshExecutions();
  const [asked, setAsked] = useState(false);
  const [done, setDone] = useState(0);
  const one = useMutation(useApi().workflows.retryExecution.mutationOptions());
  const all = useMutation({
    async mutationFn(executions: readonly Execution[]) {
      setDone(0);
      for (const { id: executionId } of executions) {
        await one.mutateAsync({ id: workflowId, executionId });
        setDone((before) => before + 1);
      }
    },
    onSettled: refresh,
    onSuccess(_, executions) {
      setAsked(false);
      announce(`${plural(executions.length, 'execution')} retried`);
      onDone();
    },
  });
  return (
    <>
      <Button small disabled={failed.length === 0} onClick={() => setAsked(true)}>
        Retry
      </Button>
      {asked && (
        <Confirm
          title={`Retry ${plural(failed.length, 'failed execution')}?`}
          action={all.isPending ? `Retried ${done} of ${failed.length}` : 'Retry'}
          pending={all.isPending}
          failure={all.error ? failureOf(all.error) : null}
          onConfirm={() => all.mutate(failed)}
          onClose={() => setAsked(false)}
        >
          <p>Each goes on at the step where it failed. Steps that were taken are not taken again.</p>
        </Confirm>
      )}
    </>
  );
}

interface CancelSelectedProps {
  workflowId: string;
  active: readonly Execution[];
  onDone: () => void;
}

function CancelSelected({ workflowId, active, onDone }: CancelSelectedProps) {
  const [asked, setAsked] = useState(false);
  const [withdraws, setWithdraws] = useState(false);
  const cancel = useMutation(useApi().workflows.cancelExecutions.mutationOptions());
  const close = () => {
    setAsked(false);
    cancel.reset();
  };
  const what = plural(active.length, 'execution');
  return (
    <>
      <Button small disabled={active.length === 0} onClick={() => setAsked(true)}>
        Cancel executions
      </Button>
      {asked && cancel.data && (
        <JobDialog
          title={`Cancel ${what}`}
          label="Cancelling executions"
          workflowId={workflowId}
          jobId={cancel.data.jobId}
          onClose={() => {
            close();
            onDone();
          }}
        />
      )}
      {asked && !cancel.data && (
        <Confirm
          title={`Cancel ${what}?`}
          action="Cancel executions"
          dismiss="Keep running"
          danger
          typed={typedFor(active.length)}
          pending={cancel.isPending}
          failure={cancel.error ? failureOf(cancel.error) : null}
          onConfirm={() =>
            cancel.mutate({
              id: workflowId,
              contacts: active.map(({ contactId }) => contactId),
              withdrawEmails: withdraws,
            })
          }
          onClose={close}
        >
          <p>They stop at their current step and can't be resumed.</p>
          <CheckField
            name="withdrawEmails"
            label="Withdraw their emails that are not sent yet"
            hint="Otherwise queued emails will still be sent."
            onChange={setWithdraws}
          />
        </Confirm>
      )}
    </>
  );
}
