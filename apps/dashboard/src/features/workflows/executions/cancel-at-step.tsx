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

/** Cancels the executions of everybody who is at a step. */
export function useCancelAtStep(at: AtStep): Action & { run: () => void } {
  const [asked, setAsked] = useState(false);
  return {
    label: 'Cancel everybody at this step',
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
  const title = `Cancel everybody at “${step.name}”`;
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
        {active === 0 ? 'Nobody is there now.' : `${plural(active, 'execution')} would end there.`} Whoever
        comes to the step before this is done ends too. What is cancelled can't be resumed.
      </p>
      <CheckField
        name="withdrawEmails"
        label="Withdraw their emails that are not sent yet"
        hint="Otherwise queued emails will still be sent."
        onChange={setWithdraws}
      />
    </Confirm>
  );
}
