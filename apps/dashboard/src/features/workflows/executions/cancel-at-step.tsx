import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm, typedFor } from '../../../ui/dialog.tsx';
import { CheckField } from '../../../ui/field.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { JobDialog } from './job-dialog.tsx';
import { useCounts } from './use-executions.ts';

interface AtStep {
  workflowId: string;
  step: { key: string; name: string };
}

/** Cancels all executions that are at a step. */
export function useCancelAtStep(at: AtStep): Action & { run: () => void } {
  const [asked, setAsked] = useState(false);
  return {
    label: 'Cancel executions at this step',
    danger: true,
    run: () => setAsked(true),
    dialog: asked && <CancelDialog {...at} onClose={() => setAsked(false)} />,
  };
}

/** The same as a button. */
export function CancelAtStep(at: AtStep) {
  const { label, run, dialog } = useCancelAtStep(at);
  return (
    <>
      <Button onClick={run}>{label}</Button>
      {dialog}
    </>
  );
}

function CancelDialog({ workflowId, step, onClose }: AtStep & { onClose: () => void }) {
  const { active, isLoading } = useCounts(workflowId, step.key);
  const [withdraws, setWithdraws] = useState(false);
  const cancel = useMutation(useApi().workflows.cancelExecutions.mutationOptions());
  const title = `Cancel executions at “${step.name}”`;
  if (cancel.data)
    return (
      <JobDialog
        title={title}
        label="Cancelling executions"
        workflowId={workflowId}
        jobId={cancel.data.jobId}
        onClose={onClose}
      />
    );
  return (
    <Confirm
      title={`${title}?`}
      action="Cancel executions"
      dismiss="Keep running"
      danger
      typed={typedFor(active)}
      pending={cancel.isPending || isLoading}
      failure={cancel.error ? failureOf(cancel.error) : null}
      onConfirm={() => cancel.mutate({ id: workflowId, stepKey: step.key, withdrawEmails: withdraws })}
      onClose={onClose}
    >
      <p>
        {active === 0
          ? 'No execution is at this step now.'
          : `${plural(active, 'execution')} will be cancelled.`}{' '}
        Executions that reach the step before this is done are cancelled too. A cancelled execution can't be
        resumed.
      </p>
      <CheckField
        name="withdrawEmails"
        label="Withdraw emails that have not been sent yet"
        hint="Otherwise queued emails will still be sent."
        onChange={setWithdraws}
      />
    </Confirm>
  );
}
