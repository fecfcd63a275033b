import type { WorkflowStep, WorkflowTransition } from '../../lib/api.ts';

/** A way out of a step: the only one, a branch, or an outcome of a wait. */
export interface Outlet {
  /** tells the outlets of one step apart */
  key: string;
  branch: string | null;
  waitOutcome: WorkflowTransition['waitOutcome'];
  /** what it is called; null for the only way out */
  label: string | null;
  /** the transition that leaves by it; null while nothing follows */
  transition: WorkflowTransition | null;
}

type StepOutlets = Pick<WorkflowStep, 'id' | 'type' | 'config'>;

/** The ways out of a step in their order, each with the transition that is there. */
export function outletsOf(step: StepOutlets, transitions: readonly WorkflowTransition[]): Outlet[] {
  const outgoing = transitions.filter(({ fromStepId }) => fromStepId === step.id);
  switch (step.type) {
    case 'EXIT':
      return [];
    case 'CONDITION':
      return branchesOf(step.config).map(({ id, name }) => ({
        key: `branch ${id}`,
        branch: id,
        waitOutcome: null,
        label: name,
        transition: outgoing.find(({ branch }) => branch === id) ?? null,
      }));
    case 'WAIT_FOR_EVENT':
      return waitOutlets(step.config, outgoing);
    default:
      return [{ key: 'next', branch: null, waitOutcome: null, label: null, transition: outgoing[0] ?? null }];
  }
}

interface Branch {
  id: string;
  name: string;
}

/** The branches of a CONDITION; what matches none of several goes by `default`. */
export function branchesOf(config: Readonly<Record<string, unknown>>): Branch[] {
  if (config.mode !== 'multi' || !Array.isArray(config.branches))
    return [
      { id: 'yes', name: 'yes' },
      { id: 'no', name: 'no' },
    ];
  const named = config.branches as Branch[];
  return [...named.map(({ id, name }) => ({ id, name })), { id: 'default', name: 'none of these' }];
}

/** A transition without an outcome serves both, and then stands alone. */
function waitOutlets(
  config: Readonly<Record<string, unknown>>,
  outgoing: readonly WorkflowTransition[],
): Outlet[] {
  const hasTimeout = config.timeout !== undefined;
  const both = outgoing.find(({ waitOutcome }) => waitOutcome === null);
  if (both) {
    const label = hasTimeout ? 'event or timeout' : 'event';
    return [{ key: 'either', branch: null, waitOutcome: null, label, transition: both }];
  }
  const outcomes = hasTimeout ? (['EVENT', 'TIMEOUT'] as const) : (['EVENT'] as const);
  return outcomes.map((outcome) => ({
    key: `outcome ${outcome}`,
    branch: null,
    waitOutcome: outcome,
    label: outcome.toLowerCase(),
    transition: outgoing.find(({ waitOutcome }) => waitOutcome === outcome) ?? null,
  }));
}

/** The outlet as people call it: `“Split”, yes`. */
export const outletWords = (stepName: string, { label }: Pick<Outlet, 'label'>): string =>
  label === null ? `“${stepName}”` : `“${stepName}”, ${label}`;
