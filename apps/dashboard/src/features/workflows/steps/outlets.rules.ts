import {
  branchesOf as branchesOfStep,
  outcomesOf,
  stepDefinition,
} from '@postrider/core/automation/workflows/contract';
import type { WorkflowStep, WorkflowTransition } from '../../../lib/api.ts';

/** A way out of a step: the only one, a branch, or an outcome of a wait. */
export interface Outlet {
  /** unique in the step */
  key: string;
  branch: string | null;
  waitOutcome: WorkflowTransition['waitOutcome'];
  /** its name; null for the only way out */
  label: string | null;
  /** the transition from this outlet; null if no step follows yet */
  transition: WorkflowTransition | null;
}

type StepOutlets = Pick<WorkflowStep, 'id' | 'type' | 'config'>;

/** The branches of a step; empty for a step without branches. */
export const branchesOf = (step: Pick<StepOutlets, 'type' | 'config'>) => branchesOfStep(step) ?? [];

/** The ways out of a step in their order, each with its transition. */
export function outletsOf(step: StepOutlets, transitions: readonly WorkflowTransition[]): Outlet[] {
  const outgoing = transitions.filter(({ fromStepId }) => fromStepId === step.id);
  switch (stepDefinition(step.type).waysOut.kind) {
    case 'none':
      return [];
    case 'one':
      return [{ key: 'next', branch: null, waitOutcome: null, label: null, transition: outgoing[0] ?? null }];
    case 'branches':
      return branchesOf(step).map(({ id, name }) => ({
        key: `branch ${id}`,
        branch: id,
        waitOutcome: null,
        label: name,
        transition: outgoing.find(({ branch }) => branch === id) ?? null,
      }));
    case 'outcomes':
      return outletsOfOutcomes(outcomesOf(step) ?? [], outgoing);
  }
}

/** A transition without an outcome applies to all outcomes, and is then the only one. */
function outletsOfOutcomes(
  outcomes: readonly NonNullable<Outlet['waitOutcome']>[],
  outgoing: readonly WorkflowTransition[],
): Outlet[] {
  const all = outgoing.find(({ waitOutcome }) => waitOutcome === null);
  if (all) {
    const label = outcomes.map((outcome) => outcome.toLowerCase()).join(' or ');
    return [{ key: 'either', branch: null, waitOutcome: null, label, transition: all }];
  }
  return outcomes.map((outcome) => ({
    key: `outcome ${outcome}`,
    branch: null,
    waitOutcome: outcome,
    label: outcome.toLowerCase(),
    transition: outgoing.find(({ waitOutcome }) => waitOutcome === outcome) ?? null,
  }));
}

/** The outlet in words: `“Split”, yes`. */
export const outletWords = (stepName: string, { label }: Pick<Outlet, 'label'>): string =>
  label === null ? `“${stepName}”` : `“${stepName}”, ${label}`;

interface Way {
  stepId: string;
  branch: string | null;
  waitOutcome: Outlet['waitOutcome'];
  taken: number;
}

/** How many executions left a step by an outlet. An outlet for all outcomes has the sum of them. */
export const takenBy = (
  stepId: string,
  { branch, waitOutcome }: Pick<Outlet, 'branch' | 'waitOutcome'>,
  ways: readonly Way[],
): number =>
  ways
    .filter((way) => way.stepId === stepId)
    .filter((way) => branch === null || way.branch === branch)
    .filter((way) => waitOutcome === null || way.waitOutcome === waitOutcome)
    .reduce((sum, { taken }) => sum + taken, 0);
