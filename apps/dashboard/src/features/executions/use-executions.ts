import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Execution, useApi } from '../../lib/api.ts';
import { idle, whileSettling } from '../../lib/polling.ts';
import { isActive } from './execution-status.tsx';

const pageSize = 25;

interface ExecutionFilter {
  workflowId: string;
  status: Execution['status'] | undefined;
  page: number;
}

/** One page of a workflow's executions, refreshed while some of them are active. */
export const useExecutions = ({ workflowId, status, page }: ExecutionFilter) =>
  useQuery({
    ...useApi().workflows.executions.queryOptions({
      id: workflowId,
      page,
      pageSize,
      ...(status && { status }),
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.executions.some(isActive) ? whileSettling : idle / 3),
  });

/** The number of active executions of a workflow. */
export function useActiveCount(workflowId: string): number {
  const { executions } = useApi().workflows;
  const options = (status: Execution['status']) =>
    executions.queryOptions({ id: workflowId, status, pageSize: 1 });
  const running = useQuery({ ...options('RUNNING'), refetchInterval: idle / 3 });
  const waiting = useQuery({ ...options('WAITING'), refetchInterval: idle / 3 });
  return (running.data?.total ?? 0) + (waiting.data?.total ?? 0);
}
