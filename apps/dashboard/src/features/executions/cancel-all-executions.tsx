import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { plural } from '../../lib/format.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useRefreshExecutions } from './use-refresh-executions.ts';

interface CancelAllProps {
  workflowId: string;
  /** how many are under way, as far as the page knows */
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
          danger
          pending={cancel.isPending}
          failure={cancel.error ? failureOf(cancel.error) : null}
          onConfirm={() => cancel.mutate({ id: workflowId })}
          onClose={() => setAsked(false)}
        >
          <p>
            Everybody who is on the way stops where they are, and cannot be taken up again. Mail that was
            written already still goes out. While the workflow is enabled, others enter it as before.
          </p>
        </Confirm>
      )}
    </>
  );
}
