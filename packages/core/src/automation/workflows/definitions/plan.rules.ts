import type { StepOutcome } from '../runtime/transitions.rules.ts';
import { nextStep } from '../runtime/transitions.rules.ts';
import type { Definition, RunStep, RunTransition } from './read-definitions.store.ts';

/** How a set walks through a definition. */
export interface Plan {
  /** The steps, each after all that lead to it. */
  order: readonly RunStep[];
  step(id: string | null): RunStep | undefined;
  stepIdOf(key: string): string | undefined;
  trigger: RunStep | undefined;
  /** @returns the id of the next step; null when the outcome leads nowhere */
  next(stepId: string, outcome: StepOutcome): string | null;
}

/** Graphs have no loops (behaviour B4.9). With one, the order is any that has each step once. */
export function planOf({ steps, transitions }: Pick<Definition, 'steps' | 'transitions'>): Plan {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const idsByKey = new Map(steps.map(({ id, key }) => [key, id]));
  const waysOut = Map.groupBy(transitions, ({ fromStepId }) => fromStepId);
  return {
    order: inOrder(steps, byId, waysOut),
    step: (id) => (id === null ? undefined : byId.get(id)),
    stepIdOf: (key) => idsByKey.get(key),
    trigger: steps.find(({ type }) => type === 'TRIGGER'),
    next: (stepId, outcome) => nextStep(waysOut.get(stepId) ?? [], outcome),
  };
}

/** Depth first, without recursion: a graph may be a long chain. */
function inOrder(
  steps: readonly RunStep[],
  byId: ReadonlyMap<string, RunStep>,
  waysOut: ReadonlyMap<string, readonly RunTransition[]>,
): RunStep[] {
  const seen = new Set<string>();
  const reversed: RunStep[] = [];
  const enter = (step: RunStep | undefined) => {
    if (!step || seen.has(step.id)) return null;
    seen.add(step.id);
    return { step, open: (waysOut.get(step.id) ?? []).map(({ toStepId }) => toStepId) };
  };
  for (const root of steps) {
    const path = [enter(root)];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const follower = top?.open.pop();
      if (follower === undefined) {
        if (top) reversed.push(top.step);
        path.pop();
        continue;
      }
      const entered = enter(byId.get(follower));
      if (entered) path.push(entered);
    }
  }
  return reversed.reverse();
}
