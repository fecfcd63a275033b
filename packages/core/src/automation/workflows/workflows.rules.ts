import type { Branch, WaitOutcome } from './steps/step.rules.ts';
import { type StepType, stepDefinition, stepTypes } from './steps/steps.schema.ts';

/** Rules of the graph (behaviour B4.9): pure functions of steps and transitions. */

export interface GraphStep {
  id: string;
  type: StepType;
  config: unknown;
}

export interface GraphTransition {
  id: string;
  fromStepId: string;
  toStepId: string;
  branch: string | null;
  waitOutcome: WaitOutcome | null;
}

export interface Graph<
  Step extends GraphStep = GraphStep,
  Transition extends GraphTransition = GraphTransition,
> {
  steps: Step[];
  transitions: Transition[];
}

type Edges = readonly Pick<GraphTransition, 'fromStepId' | 'toStepId'>[];

/** Every step that can be reached from `start` by at least one transition, without passing through `without`. */
export function reachableFrom(start: readonly string[], transitions: Edges, without?: string): Set<string> {
  const followers = new Map<string, string[]>();
  for (const { fromStepId, toStepId } of transitions) {
    followers.set(fromStepId, [...(followers.get(fromStepId) ?? []), toStepId]);
  }
  const reached = new Set<string>();
  const open = [...start];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    for (const next of followers.get(step) ?? []) {
      if (next === without || reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

/** The step itself and everything that can be reached only through it. */
export function lostWith(stepId: string, { steps, transitions }: Graph): Set<string> {
  const behind = reachableFrom([stepId], transitions);
  const others = steps.map(({ id }) => id).filter((id) => id !== stepId && !behind.has(id));
  const kept = reachableFrom(others, transitions, stepId);
  return new Set([stepId, ...[...behind].filter((id) => !kept.has(id))]);
}

/** Whether a step has more than one way out. */
export const hasSeveralWays = (type: StepType): boolean => {
  const { kind } = stepDefinition(type).waysOut;
  return kind === 'branches' || kind === 'outcomes';
};

/** The branches of a step, in their order; null where transitions have no branch. */
export function branchesOf({ type, config }: Pick<GraphStep, 'type' | 'config'>): Branch[] | null {
  const { waysOut } = stepDefinition(type);
  return waysOut.kind === 'branches' ? waysOut.of(config) : null;
}

/** The outcomes of a step; null where transitions have none. */
export function outcomesOf({ type, config }: Pick<GraphStep, 'type' | 'config'>): WaitOutcome[] | null {
  const { waysOut } = stepDefinition(type);
  return waysOut.kind === 'outcomes' ? waysOut.of(config) : null;
}

/** The types with a single way out, for messages. */
const typesWith = (kind: 'branches' | 'outcomes'): string =>
  stepTypes.filter((type) => stepDefinition(type).waysOut.kind === kind).join(' or ');

export interface NewTransition {
  fromStepId: string;
  toStepId: string;
  branch: string | null;
  waitOutcome: WaitOutcome | null;
}

/** Why a transition between two steps of the graph is refused, as a sentence; null when it is not. */
export function transitionProblem({ steps, transitions }: Graph, added: NewTransition): string | null {
  const from = steps.find(({ id }) => id === added.fromStepId);
  const to = steps.find(({ id }) => id === added.toStepId);
  if (!from || !to) throw new Error('A transition must connect two steps of its workflow');
  if (from.id === to.id) return 'A step cannot lead to itself';
  if (stepDefinition(from.type).waysOut.kind === 'none')
    return `A step of type ${from.type} cannot have a transition`;
  if (to.type === 'TRIGGER') return 'A transition cannot lead to the TRIGGER step';
  const outgoing = transitions.filter(({ fromStepId }) => fromStepId === from.id);
  return (
    branchProblem(from, added, outgoing) ??
    outcomeProblem(from, added, outgoing) ??
    (!hasSeveralWays(from.type) && outgoing.length > 0 ? 'This step already has a transition' : null) ??
    (reachableFrom([to.id], transitions).has(from.id) ? 'This transition would create a loop' : null)
  );
}

function branchProblem(
  from: GraphStep,
  { branch }: NewTransition,
  outgoing: GraphTransition[],
): string | null {
  const known = branchesOf(from)?.map(({ id }) => id);
  if (!known) return branch === null ? null : `Only a ${typesWith('branches')} step has branches`;
  if (branch === null) return `A transition from a ${from.type} step needs a branch`;
  if (!known.includes(branch)) return `The branch must be one of ${known.join(', ')}`;
  return outgoing.some((each) => each.branch === branch)
    ? `The branch ${branch} already has a transition`
    : null;
}

function outcomeProblem(
  from: GraphStep,
  { waitOutcome }: NewTransition,
  outgoing: GraphTransition[],
): string | null {
  const known = outcomesOf(from);
  if (!known) return waitOutcome === null ? null : `Only a ${typesWith('outcomes')} step has outcomes`;
  if (waitOutcome !== null && !known.includes(waitOutcome))
    return `This step has no ${waitOutcome.toLowerCase()}`;
  if (outgoing.some((each) => each.waitOutcome === waitOutcome))
    return 'This outcome already has a transition';
  const alone =
    waitOutcome === null ? outgoing.length > 0 : outgoing.some((each) => each.waitOutcome === null);
  return alone ? 'A transition for both outcomes must be the only one' : null;
}

/**
 * Why a new configuration would strand a step's transitions, such as a removed branch or timeout. A sentence, or
 * null.
 */
export function strandedBy(
  type: StepType,
  config: unknown,
  outgoing: readonly GraphTransition[],
): string | null {
  const branches = branchesOf({ type, config });
  const outcomes = outcomesOf({ type, config });
  for (const { branch, waitOutcome } of outgoing) {
    if (branches && branch !== null && !branches.some(({ id }) => id === branch))
      return `The branch ${branch} has a transition. Delete that first`;
    if (outcomes && waitOutcome !== null && !outcomes.includes(waitOutcome))
      return `The outcome ${waitOutcome} has a transition. Delete that first`;
  }
  return null;
}

/**
 * The transition to a new step from the newest step that may have a transition but has none.
 *
 * @param graph without the new step, steps in the order of creation
 */
export function autoConnection({ steps, transitions }: Graph, toStepId: string): NewTransition | null {
  const leading = new Set(transitions.map(({ fromStepId }) => fromStepId));
  const from = steps.findLast(
    ({ id, type }) => stepDefinition(type).waysOut.kind !== 'none' && !leading.has(id),
  );
  if (!from) return null;
  const branch = branchesOf(from)?.[0]?.id ?? null;
  return { fromStepId: from.id, toStepId, branch, waitOutcome: null };
}

/** What a step's configuration refers to, in the form of the `reads` columns. */
export const readsOfStep = (type: StepType, config: unknown): string[] => stepDefinition(type).reads(config);
