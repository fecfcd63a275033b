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

/** How many executions left a step by one of its branches or outcomes, and their share of those that left by any, in percent. */
export interface Way {
  stepId: string;
  branch: string | null;
  waitOutcome: Outlet['waitOutcome'];
  taken: number;
  share: number;
}

/** The same of an outlet: that for all outcomes has the sums of them. */
const through = (
  stepId: string,
  { branch, waitOutcome }: Pick<Outlet, 'branch' | 'waitOutcome'>,
  ways: readonly Way[],
): Way[] =>
  ways
    .filter((way) => way.stepId === stepId)
    .filter((way) => branch === null || way.branch === branch)
    .filter((way) => waitOutcome === null || way.waitOutcome === waitOutcome);

/** How many executions left a step by an outlet. */
export const takenBy = (...[stepId, outlet, ways]: Parameters<typeof through>): number =>
  through(stepId, outlet, ways).reduce((sum, { taken }) => sum + taken, 0);

/** Their share of those that left the step by any outlet that is told apart, in percent. */
export const shareOf = (...[stepId, outlet, ways]: Parameters<typeof through>): number =>
  Math.min(
    100,
    through(stepId, outlet, ways).reduce((sum, { share }) => sum + share, 0),
  );
