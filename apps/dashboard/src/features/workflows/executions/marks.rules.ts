import type { ExecutionDetail, StepExecution, Workflow } from '../../../lib/api.ts';
import type { StepMark } from '../canvas/graph-context.ts';
import { outletsOf } from '../steps/outlets.rules.ts';

const looks: Readonly<Record<StepExecution['status'], StepMark>> = {
  PENDING: { tone: 'busy', text: 'not started' },
  SCHEDULED: { tone: 'warn', text: 'waiting' },
  WAITING: { tone: 'warn', text: 'waiting' },
  RUNNING: { tone: 'busy', text: 'running' },
  COMPLETED: { tone: 'good', text: 'completed' },
  SKIPPED: { tone: 'calm', text: 'cancelled' },
  FAILED: { tone: 'bad', text: 'failed' },
};

type Way = Pick<ExecutionDetail, 'stepExecutions'>;
type Graph = Pick<Workflow, 'steps' | 'transitions'>;

/** The label of each step of the graph. */
export function marksOf({ stepExecutions }: Way, { steps }: Graph): Record<string, StepMark[]> {
  const taken = new Map(stepExecutions.map(({ stepId, status }) => [stepId, status]));
  return Object.fromEntries(
    steps.map(({ id }) => {
      const status = taken.get(id);
      return [id, [status ? looks[status] : { tone: 'calm', text: 'not reached' }]];
    }),
  );
}

/** IDs of the steps an execution reached, and of the transitions it took. */
export function wayThrough({ stepExecutions }: Way, { steps, transitions }: Graph): Set<string> {
  const reached = new Set(stepExecutions.map(({ stepId }) => stepId));
  const way = new Set(reached);
  for (const { stepId, status, output } of stepExecutions) {
    const step = steps.find(({ id }) => id === stepId);
    if (!step || status !== 'COMPLETED') continue;
    const outlet = outletsOf(step, transitions).find(
      ({ branch, waitOutcome }) =>
        (branch === null || branch === output?.['branch']) &&
        (waitOutcome === null || waitOutcome === output?.['waitOutcome']),
    );
    if (outlet?.transition && reached.has(outlet.transition.toStepId)) way.add(outlet.transition.id);
  }
  return way;
}
