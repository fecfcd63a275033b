import type { ExecutionDetail } from '../../../lib/api.ts';

type Way = Pick<ExecutionDetail, 'stepExecutions'>;

/** The moments at which an execution goes on to a step, each once, in their order. */
export const momentsOf = ({ stepExecutions }: Way): string[] => [
  ...new Set(stepExecutions.flatMap(({ startedAt }) => startedAt ?? [])),
];

/** What had happened until a moment: a step that was not over by then goes on. */
export const upTo = <Given extends Way>(execution: Given, moment: string): Given => ({
  ...execution,
  stepExecutions: execution.stepExecutions.filter(
    ({ startedAt }) => startedAt !== null && Date.parse(startedAt) <= Date.parse(moment),
  ),
});
