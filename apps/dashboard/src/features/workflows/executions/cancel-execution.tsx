import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Execution, useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { useRefreshExecutions } from './use-refresh-executions.ts';

interface CancelExecutionProps {
  execution: Pick<Execution, 'id' | 'workflowId' | 'contact'>;
  /** For use in a table row. */
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
      announce('Execution cancelled');
    },
  });
  return (
    <>
      <Button
        {...(small && {
          small,
          kind: 'quiet',
          'aria-label': `Cancel execution of ${shownAddress(contact.email)}`,
        })}
        onClick={() => {
          cancel.reset();
          setAsked(true);
        }}
      >
        {small ? 'Cancel' : 'Cancel execution'}
      </Button>
      {asked && (
        <Confirm
          title={`Cancel the execution of ${shownAddress(contact.email)}?`}
          action="Cancel execution"
          dismiss="Keep running"
          danger
          pending={cancel.isPending}
          failure={cancel.error ? failureOf(cancel.error) : null}
          onConfirm={() => cancel.mutate({ id: workflowId, executionId: id })}
          onClose={() => setAsked(false)}
        >
          <p>It stops at its current step and can't be resumed. Queued emails will still be sent.</p>
        </Confirm>
      )}
    </>
  );
}
