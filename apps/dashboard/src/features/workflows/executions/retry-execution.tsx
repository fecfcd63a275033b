import { useMutation } from '@tanstack/react-query';
import { type Execution, useApi } from '../../../lib/api.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { FailureNotice } from '../../../ui/notice.tsx';
import { useRefreshExecutions } from './use-refresh-executions.ts';

/** Has one failed execution go on at the step where it failed. */
export function RetryExecution({
  execution: { id, workflowId },
}: {
  execution: Pick<Execution, 'id' | 'workflowId'>;
}) {
  const announce = useAnnounce();
  const refresh = useRefreshExecutions();
  const retry = useMutation({
    ...useApi().workflows.retryExecution.mutationOptions(),
    async onSuccess() {
      await refresh();
      announce('Execution retried');
    },
  });
  const failure = useFailure(retry.error);
  return (
    <>
      {failure && <FailureNotice failure={failure} />}
      <p>
        <Button
          small
          icon="refresh"
          pending={retry.isPending}
          onClick={() => retry.mutate({ id: workflowId, executionId: id })}
        >
          Retry from here
        </Button>
      </p>
    </>
  );
}
