import type { ExecutionDetail } from '../../../lib/api.ts';
import type { StepMark } from '../canvas/graph-context.ts';

type Way = Pick<ExecutionDetail, 'stepExecutions'>;

/** The moments at which an execution goes on to a step, each once, in their order. */
export const momentsOf = ({ stepExecutions }: Way): string[] => [
  ...new Set(stepExecutions.flatMap(({ startedAt }) => startedAt ?? [])),
];

/** The label of the step at which an execution is at a moment, by the id of the step. */
export const marksAt = ({ stepExecutions }: Way, moment: string): Record<string, StepMark[]> =>
  Object.fromEntries(
    stepExecutions
      .filter(({ status, completedAt }) =>
        completedAt === null ? status !== 'FAILED' : Date.parse(completedAt) > Date.parse(moment),
      )
      .map(({ stepId }): [string, StepMark[]] => [stepId, [{ tone: 'busy', text: 'is here' }]]),
  );

/** What had happened until a moment; a step that was not over by then goes on. */
export const upTo = <Given extends Way>(execution: Given, moment: string): Given => ({
  ...execution,
  stepExecutions: execution.stepExecutions.filter(
    ({ startedAt }) => startedAt !== null && Date.parse(startedAt) <= Date.parse(moment),
  ),
});
