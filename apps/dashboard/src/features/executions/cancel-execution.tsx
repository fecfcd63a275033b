import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Execution, useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useRefreshExecutions } from './use-refresh-executions.ts';

interface CancelExecutionProps {
  execution: Pick<Execution, 'id' | 'workflowId' | 'contact'>;
  /** In a row of a list, where the page around it says what is cancelled. */
  small?: boolean;
}

export function CancelExecution({ execution: { id, workflowId, contact }, small }: CancelExecutionProps) {
  const announce = useAnnounce();
  const refresh = useRefreshExecutions();
  const [asked, setAsked] = useState(false);
  const cancel = useMutation({
    ...useApi().workflows.cancelExecution.mutationOptions(),
    async onSuccess() {
      await refresh();
      setAsked(false);
      announce('The execution is cancelled');
    },
  });
  return (
    <>
      <Button
        {...(small && { small, kind: 'quiet', 'aria-label': `Cancel: ${contact.email}` })}
        onClick={() => {
          cancel.reset();
          setAsked(true);
        }}
      >
        {small ? 'Cancel' : 'Cancel execution'}
      </Button>
      {asked && (
        <Confirm
          title={`Cancel the execution of ${contact.email}?`}
          action="Cancel execution"
          danger
          pending={cancel.isPending}
          failure={cancel.error ? failureOf(cancel.error) : null}
          onConfirm={() => cancel.mutate({ id: workflowId, executionId: id })}
          onClose={() => setAsked(false)}
        >
          <p>
            It takes no further step and cannot be taken up again. Mail that it wrote already still goes out.
          </p>
        </Confirm>
      )}
    </>
  );
}
