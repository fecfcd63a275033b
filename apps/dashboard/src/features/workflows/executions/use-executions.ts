import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Execution, useApi } from '../../../lib/api.ts';

const pageSize = 25;

interface ExecutionFilter {
  workflowId: string;
  status: Execution['status'] | undefined;
  /** the key of the step where they are, or where they failed */
  stepKey: string | undefined;
  version: number | undefined;
  /** whether they took the holdout branch of a SPLIT step; undefined: all */
  heldOut: boolean | undefined;
  page: number;
}

/** One page of a workflow's executions. */
export const useExecutions = ({ workflowId, status, stepKey, version, heldOut, page }: ExecutionFilter) =>
  useQuery({
    ...useApi().workflows.listExecutions.queryOptions({
      id: workflowId,
      page,
      pageSize,
      ...(status && { status }),
      ...(stepKey && { stepKey }),
      ...(version && { version }),
      ...(heldOut !== undefined && { heldOut }),
    }),
    placeholderData: keepPreviousData,
  });

interface Counts {
  active: number;
  failed: number;
  isLoading: boolean;
}

/** The number of executions of a workflow in each state, or of those at a step. */
export function useCounts(workflowId: string, stepKey?: string): Counts {
  const { listExecutions } = useApi().workflows;
  const options = (status: Execution['status']) =>
    listExecutions.queryOptions({ id: workflowId, status, pageSize: 1, ...(stepKey && { stepKey }) });
  const running = useQuery(options('RUNNING'));
  const waiting = useQuery(options('WAITING'));
  const failed = useQuery(options('FAILED'));
  return {
    active: (running.data?.total ?? 0) + (waiting.data?.total ?? 0),
    failed: failed.data?.total ?? 0,
    isLoading: running.isLoading || waiting.isLoading,
  };
}
