import type { Workflow, WorkflowSimulation } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format.ts';
import type { Painting, StepMark } from '../canvas/graph-context.ts';
import { outletsOf } from '../steps/outlets.rules.ts';

type Figures = Pick<WorkflowSimulation, 'steps'>;

/**
 * A simulation of many as the canvas shows it: numbers at each step, and lines as thick as the crowd.
 *
 * @param live what the live version would do with the same people; then the differences are shown beside the numbers
 */
export function crowdPainting(
  { steps: figures }: Figures,
  { steps, transitions }: Pick<Workflow, 'steps' | 'transitions'>,
  live: Figures | null,
): Painting {
  const byKey = new Map(figures.map((each) => [each.stepKey, each]));
  const before = live && new Map(live.steps.map(({ stepKey, entered }) => [stepKey, entered]));
  const all = Math.max(1, ...figures.map(({ entered }) => entered));
  const marks: Record<string, StepMark[]> = {};
  const ways: Painting['ways'][number][] = [];
  const crowd = new Map<string, number>();
  for (const step of steps) {
    const counts = byKey.get(step.key);
    if (!counts) continue;
    const { entered, left, failed, here } = counts;
    marks[step.id] = [
      { tone: 'calm', text: `${formatCount(entered)} come`, title: 'Executions that reach this step' },
      ...(before ? difference(entered - (before.get(step.key) ?? 0)) : []),
      ...markOf(here, 'stay', 'busy', 'Executions that are still here at the end'),
      ...markOf(failed, 'fail', 'bad', 'Executions that fail at this step'),
    ];
    const branchOf = new Map(counts.branches.map((each) => [each.branch, each]));
    for (const { branch, waitOutcome, transition } of outletsOf(step, transitions)) {
      const way = branch ?? waitOutcome;
      const { taken, share } = way === null ? { taken: left, share: 100 } : (branchOf.get(way) ?? nobody);
      if (way !== null) ways.push({ stepId: step.id, branch, waitOutcome, taken, share });
      if (transition) crowd.set(transition.id, taken / all);
    }
  }
  return { marks, ways, crowd, taken: null };
}

const nobody = { taken: 0, share: 0 };

const markOf = (count: number, word: string, tone: StepMark['tone'], title: string): StepMark[] =>
  count === 0 ? [] : [{ tone, text: `${formatCount(count)} ${word}`, title }];

const difference = (by: number): StepMark[] =>
  by === 0
    ? []
    : [
        {
          tone: by > 0 ? 'good' : 'warn',
          text: `${by > 0 ? '+' : '−'}${formatCount(Math.abs(by))}`,
          title: 'Compared with the live version',
        },
      ];
