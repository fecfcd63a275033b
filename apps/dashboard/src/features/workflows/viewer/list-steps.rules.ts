import type { WorkflowDefinition, WorkflowStep } from '../../../lib/api.ts';
import { outletsOf } from '../steps/outlets.rules.ts';

/** A step in the list of a workflow's steps. */
export interface ListedStep {
  step: WorkflowStep;
  /** number of steps with several ways out before it */
  depth: number;
  /** the way out of the step before it that leads here; null for the only one */
  way: string | null;
  /** It is listed above already: another way leads there too. */
  isRepeated: boolean;
}

/** The steps as they are walked through from the trigger, each branch below its step. Steps that nothing leads to come last. */
export function listSteps({
  steps,
  transitions,
}: Pick<WorkflowDefinition, 'steps' | 'transitions'>): ListedStep[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const listed: ListedStep[] = [];
  const seen = new Set<string>();
  const walk = (start: ListedStep): void => {
    const open = [start];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const isRepeated = seen.has(next.step.id);
      listed.push({ ...next, isRepeated });
      if (isRepeated) continue;
      seen.add(next.step.id);
      const outlets = outletsOf(next.step, transitions);
      const depth = next.depth + (outlets.length > 1 ? 1 : 0);
      const followers = outlets.flatMap(({ label, transition }) => {
        const step = transition ? byId.get(transition.toStepId) : undefined;
        return step ? [{ step, depth, way: label, isRepeated: false }] : [];
      });
      open.push(...followers.reverse());
    }
  };
  const trigger = steps.find(({ type }) => type === 'TRIGGER');
  for (const step of trigger ? [trigger, ...steps] : steps)
    if (!seen.has(step.id)) walk({ step, depth: 0, way: null, isRepeated: false });
  return listed;
}
