import { isMultiCondition, type StepType, type WaitConfig } from './steps.schema.ts';

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
  waitOutcome: 'EVENT' | 'TIMEOUT' | null;
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

/** Steps that have more than one way out. */
export const branches = (type: StepType): boolean => type === 'CONDITION' || type === 'WAIT_FOR_EVENT';

/** The outcomes of a CONDITION, in their order. */
export const branchIdsOf = (config: unknown): string[] =>
  isMultiCondition(config) ? [...config.branches.map(({ id }) => id), 'default'] : ['yes', 'no'];

const timeoutOf = (config: unknown): number | undefined => (config as Partial<WaitConfig>).timeout;

export interface NewTransition {
  fromStepId: string;
  toStepId: string;
  branch: string | null;
  waitOutcome: 'EVENT' | 'TIMEOUT' | null;
}

/** Why a transition between two steps of the graph is refused, as a sentence; null when it is not. */
export function transitionProblem({ steps, transitions }: Graph, added: NewTransition): string | null {
  const from = steps.find(({ id }) => id === added.fromStepId);
  const to = steps.find(({ id }) => id === added.toStepId);
  if (!from || !to) throw new Error('a transition joins two steps of its workflow');
  if (from.id === to.id) return 'A step cannot lead to itself';
  if (from.type === 'EXIT') return 'Nothing follows an EXIT step';
  if (to.type === 'TRIGGER') return 'Nothing leads into the TRIGGER step';
  const outgoing = transitions.filter(({ fromStepId }) => fromStepId === from.id);
  return (
    branchProblem(from, added, outgoing) ??
    outcomeProblem(from, added, outgoing) ??
    (!branches(from.type) && outgoing.length > 0 ? 'This step has its transition already' : null) ??
    (reachableFrom([to.id], transitions).has(from.id) ? 'This transition would make a loop' : null)
  );
}

function branchProblem(
  from: GraphStep,
  { branch }: NewTransition,
  outgoing: GraphTransition[],
): string | null {
  if (from.type !== 'CONDITION') return branch === null ? null : 'Only a CONDITION step has branches';
  if (branch === null) return 'A transition from a CONDITION step needs a branch';
  const known = branchIdsOf(from.config);
  if (!known.includes(branch)) return `The branch must be one of ${known.join(', ')}`;
  return outgoing.some((each) => each.branch === branch)
    ? `The branch ${branch} has its transition already`
    : null;
}

function outcomeProblem(
  from: GraphStep,
  { waitOutcome }: NewTransition,
  outgoing: GraphTransition[],
): string | null {
  if (from.type !== 'WAIT_FOR_EVENT')
    return waitOutcome === null ? null : 'Only a WAIT_FOR_EVENT step has outcomes';
  if (waitOutcome === 'TIMEOUT' && timeoutOf(from.config) === undefined) return 'This step has no timeout';
  if (outgoing.some((each) => each.waitOutcome === waitOutcome))
    return 'This outcome has its transition already';
  const alone =
    waitOutcome === null ? outgoing.length > 0 : outgoing.some((each) => each.waitOutcome === null);
  return alone ? 'A transition for both outcomes stands alone' : null;
}

/**
 * What a step's transitions would lose if its configuration became this one: a branch that is no more, a timeout that is
 * taken away. A sentence, or null.
 */
export function strandedBy(
  type: StepType,
  config: unknown,
  outgoing: readonly GraphTransition[],
): string | null {
  if (type === 'CONDITION') {
    const known = branchIdsOf(config);
    const lost = outgoing.find(({ branch }) => branch !== null && !known.includes(branch));
    return lost ? `The branch ${lost.branch} has a transition: delete that first` : null;
  }
  if (type !== 'WAIT_FOR_EVENT' || timeoutOf(config) !== undefined) return null;
  const lost = outgoing.some(({ waitOutcome }) => waitOutcome === 'TIMEOUT');
  return lost ? 'The outcome TIMEOUT has a transition: delete that first' : null;
}

/**
 * The transition that joins a new step to what was built last: from the newest step that leads nowhere yet and may lead on.
 *
 * @param graph as it is without the new step, steps in the order of their making
 */
export function autoConnection({ steps, transitions }: Graph, toStepId: string): NewTransition | null {
  const leading = new Set(transitions.map(({ fromStepId }) => fromStepId));
  const from = steps.findLast(({ id, type }) => type !== 'EXIT' && !leading.has(id));
  if (!from) return null;
  const branch = from.type === 'CONDITION' ? (branchIdsOf(from.config)[0] ?? null) : null;
  return { fromStepId: from.id, toStepId, branch, waitOutcome: null };
}

/**
 * What a step's configuration names, in the words of the `reads` columns: `data.<key>` (read or written), `event.<name>`,
 * `subscribed`, `email`, `createdAt`, `updatedAt`.
 */
export function readsOfStep(type: StepType, config: unknown): string[] {
  switch (type) {
    case 'CONDITION': {
      const { field } = config as { field: string };
      return field.startsWith('workflow.') ? [] : [field.replace(/^contact\./, '')];
    }
    case 'WAIT_FOR_EVENT':
      return [`event.${(config as WaitConfig).eventName}`];
    case 'UPDATE_CONTACT': {
      const { data = {}, subscriptionAction } = config as {
        data?: Record<string, unknown>;
        subscriptionAction?: string;
      };
      const changesSubscription = subscriptionAction !== undefined && subscriptionAction !== 'none';
      return [
        ...Object.keys(data).map((key) => `data.${key}`),
        ...(changesSubscription ? ['subscribed'] : []),
      ];
    }
    default:
      return [];
  }
}

/** What a workflow's trigger names. */
export function readsOfTrigger(
  triggerType: 'EVENT' | 'MANUAL' | 'SCHEDULE',
  { eventName, segmentId }: { eventName?: unknown; segmentId?: unknown },
): string[] {
  if (triggerType === 'EVENT' && typeof eventName === 'string') return [`event.${eventName}`];
  if (triggerType === 'SCHEDULE' && typeof segmentId === 'string') return [`segment.${segmentId}`];
  return [];
}
