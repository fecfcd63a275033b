import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Execution, useApi } from '../../../lib/api.ts';

const pageSize = 25;

interface ExecutionFilter {
  workflowId: string;
  status: Execution['status'] | undefined;
  page: number;
}

/** One page of a workflow's executions. */
export const useExecutions = ({ workflowId, status, page }: ExecutionFilter) =>
  useQuery({
    ...useApi().workflows.listExecutions.queryOptions({
      id: workflowId,
      page,
      pageSize,
      ...(status && { status }),
    }),
    placeholderData: keepPreviousData,
  });

/** The number of active executions of a workflow. */
export function useActiveCount(workflowId: string): number {
  const { listExecutions } = useApi().workflows;
  const options = (status: Execution['status']) =>
    listExecutions.queryOptions({ id: workflowId, status, pageSize: 1 });
  const running = useQuery(options('RUNNING'));
  const waiting = useQuery(options('WAITING'));
  return (running.data?.total ?? 0) + (waiting.data?.total ?? 0);
}
