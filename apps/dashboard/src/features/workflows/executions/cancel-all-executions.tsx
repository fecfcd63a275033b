import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { plural } from '../../../lib/format.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm, typedFor } from '../../../ui/dialog.tsx';
import { useRefreshExecutions } from './use-refresh-executions.ts';

interface CancelAllProps {
  workflowId: string;
  /** the number of active executions, as last loaded */
  count: number;
}

export function CancelAllExecutions({ workflowId, count }: CancelAllProps) {
  const announce = useAnnounce();
  const refresh = useRefreshExecutions();
  const [asked, setAsked] = useState(false);
  const cancel = useMutation({
    ...useApi().workflows.cancelAllExecutions.mutationOptions(),
    async onSuccess({ cancelled }) {
      await refresh();
      setAsked(false);
      announce(`${plural(cancelled, 'execution')} cancelled`);
    },
  });
  return (
    <>
      {count > 0 && (
        <Button
          onClick={() => {
            cancel.reset();
            setAsked(true);
          }}
        >
          Cancel all active
        </Button>
      )}
      {asked && (
        <Confirm
          title={`Cancel ${plural(count, 'active execution')}?`}
          action="Cancel all"
          dismiss="Keep running"
          danger
          typed={typedFor(count)}
          pending={cancel.isPending}
          failure={cancel.error ? failureOf(cancel.error) : null}
          onConfirm={() => cancel.mutate({ id: workflowId })}
          onClose={() => setAsked(false)}
        >
          <p>
            All active executions stop at their current step and can't be resumed. Queued emails will still be
            sent. While the workflow is enabled, contacts can still enter it.
          </p>
        </Confirm>
      )}
    </>
  );
}
