import { stepDefinition } from '@postrider/core/automation/workflows/contract';
import type { Workflow, WorkflowStep } from '../../../lib/api.ts';
import { type Outlet, outletsOf } from '../steps/outlets.rules.ts';

/** Changes of a whole graph, as it is given to the API. Pure functions. */

type Settings = Pick<WorkflowStep, 'type' | 'name' | 'config' | 'templateId'>;
type Graph = Pick<Workflow, 'steps' | 'transitions'>;

export interface GraphDraft {
  steps: (Settings & Pick<WorkflowStep, 'id' | 'position'>)[];
  transitions: Pick<
    Workflow['transitions'][number],
    'fromStepId' | 'toStepId' | 'branch' | 'waitOutcome' | 'priority'
  >[];
}

export const settingsOf = ({ type, name, config, templateId }: Settings): Settings => ({
  type,
  name,
  config,
  templateId,
});

export const draftOf = ({ steps, transitions }: Graph): GraphDraft => ({
  steps: steps.map((step) => ({ ...settingsOf(step), id: step.id, position: step.position })),
  transitions: transitions.map(({ fromStepId, toStepId, branch, waitOutcome, priority }) => ({
    fromStepId,
    toStepId,
    branch,
    waitOutcome,
    priority,
  })),
});

/** Whether two graphs are the same, in any order. The TRIGGER's name and settings belong to the workflow, not to its graph. */
export const isSameGraph = (a: GraphDraft, b: GraphDraft): boolean => canonical(a) === canonical(b);

const canonical = ({ steps, transitions }: GraphDraft): string =>
  JSON.stringify(
    [steps.map((step) => (step.type === 'TRIGGER' ? { id: step.id } : step)), transitions].map((parts) =>
      parts.map((part) => JSON.stringify(sorted(part))).sort(),
    ),
  );

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
};

/** A way out of a step, where a copy can be inserted. */
export interface CopyPlace {
  from: Pick<WorkflowStep, 'id' | 'position'>;
  outlet: Outlet;
}

/** Where a copy goes after a step: its first free way out, otherwise the first one; null after an exit. */
export function placeAfter(step: WorkflowStep, { transitions }: Graph): CopyPlace | null {
  const outlets = outletsOf(step, transitions);
  const outlet = outlets.find(({ transition }) => transition === null) ?? outlets[0];
  return outlet ? { from: step, outlet } : null;
}

/** The first free way out of the steps that the trigger leads to, where a copy goes when no step is selected. */
export function firstFreePlace({ steps, transitions }: Graph): CopyPlace | null {
  const trigger = steps.find(({ type }) => type === 'TRIGGER');
  const open = trigger ? [trigger] : [];
  const seen = new Set(open);
  for (let step = open.shift(); step; step = open.shift()) {
    const outlets = outletsOf(step, transitions);
    const free = outlets.find(({ transition }) => transition === null);
    if (free) return { from: step, outlet: free };
    for (const { transition } of outlets) {
      const next = steps.find(({ id }) => id === transition?.toStepId);
      if (next && !seen.has(next)) {
        seen.add(next);
        open.push(next);
      }
    }
  }
  return null;
}

/** Whether a step can be inserted there: nothing can follow an exit. */
export const canInsert = (type: WorkflowStep['type'], { outlet }: Pick<CopyPlace, 'outlet'>): boolean =>
  type !== 'TRIGGER' && !(outlet.transition && stepDefinition(type).waysOut.kind === 'none');

const below = 120;

/**
 * The graph with a new step at a place; what followed there follows the first way out of the new step.
 *
 * @param at its position; by default below the step before it
 */
export function withStep(
  graph: Graph,
  { from, outlet }: CopyPlace,
  settings: Settings,
  id: string,
  at = { x: from.position.x, y: from.position.y + below },
): GraphDraft {
  const { steps, transitions } = draftOf(graph);
  const { transition, branch, waitOutcome } = outlet;
  const [onward] = outletsOf({ id, ...settings }, []);
  const way = { fromStepId: from.id, branch, waitOutcome };
  return {
    steps: [...steps, { ...settingsOf(settings), id, position: at }],
    transitions: [
      ...transitions.filter(
        (each) =>
          !transition ||
          each.fromStepId !== from.id ||
          each.branch !== transition.branch ||
          each.waitOutcome !== transition.waitOutcome,
      ),
      { ...way, toStepId: id, priority: transition?.priority ?? 0 },
      ...(transition && onward
        ? [
            {
              fromStepId: id,
              toStepId: transition.toStepId,
              branch: onward.branch,
              waitOutcome: onward.waitOutcome,
              priority: 0,
            },
          ]
        : []),
    ],
  };
}

/** The graph with a connection from a free way out of a step. */
export function withConnection(
  graph: Graph,
  {
    from,
    outlet: { branch, waitOutcome },
  }: { from: Pick<WorkflowStep, 'id'>; outlet: Pick<Outlet, 'branch' | 'waitOutcome'> },
  toStepId: string,
): GraphDraft {
  const { steps, transitions } = draftOf(graph);
  return {
    steps,
    transitions: [...transitions, { fromStepId: from.id, toStepId, branch, waitOutcome, priority: 0 }],
  };
}

/** The graph without a connection. */
export const withoutConnection = ({ steps, transitions }: Graph, id: string | undefined): GraphDraft =>
  draftOf({ steps, transitions: transitions.filter((each) => each.id !== id) });

/** Step names may repeat, but a distinct name keeps steps recognizable. */
export function freeName(name: string, { steps }: Pick<Workflow, 'steps'>): string {
  const isTaken = (wanted: string) => steps.some((step) => step.name === wanted);
  if (!isTaken(name)) return name;
  const stem = name.replace(/ \d+$/, '').slice(0, 95);
  let number = 2;
  while (isTaken(`${stem} ${number}`)) number += 1;
  return `${stem} ${number}`;
}
