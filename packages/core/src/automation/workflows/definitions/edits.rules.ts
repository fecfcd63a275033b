import type { NewTransition } from '../workflows.rules.ts';
import {
  type DefinedStep,
  type DefinedTransition,
  isSameJson,
  type WorkflowDefinition,
} from './definition.rules.ts';

/** Edits of a definition: each returns another one. */

/** The time of a new part: not before that of the latest, since parts are in the order of creation. */
const nextTime = (parts: readonly { createdAt: Date }[], now: Date): Date =>
  new Date(Math.max(now.getTime(), ...parts.map(({ createdAt }) => createdAt.getTime())));

export type NewStep = Omit<DefinedStep, 'createdAt' | 'updatedAt'>;

export function withStep(definition: WorkflowDefinition, step: NewStep, now: Date): WorkflowDefinition {
  const at = nextTime(definition.steps, now);
  return { ...definition, steps: [...definition.steps, { ...step, createdAt: at, updatedAt: at }] };
}

/** Fields of a step that an edit gives; what is undefined stays. */
export interface StepChange {
  name?: string | undefined;
  position?: { x: number; y: number } | undefined;
  config?: Record<string, unknown> | undefined;
  templateId?: string | null | undefined;
}

export const withChangedStep = (
  definition: WorkflowDefinition,
  id: string,
  change: StepChange,
  now: Date,
): WorkflowDefinition => ({
  ...definition,
  steps: definition.steps.map((step) => (step.id === id ? changed(step, change, now) : step)),
});

/** A step that stays as it was keeps its time, so that an edit that changes nothing is seen as one. */
function changed(step: DefinedStep, given: StepChange, now: Date): DefinedStep {
  const after = {
    ...step,
    ...(given.name === undefined ? {} : { name: given.name }),
    ...(given.position === undefined ? {} : { position: given.position }),
    ...(given.config === undefined ? {} : { config: given.config }),
    ...(given.templateId === undefined ? {} : { templateId: given.templateId }),
  };
  return isSameJson(step, after) ? step : { ...after, updatedAt: now };
}

/** Without steps, and without the transitions from and to them. */
export const withoutSteps = (
  definition: WorkflowDefinition,
  ids: ReadonlySet<string>,
): WorkflowDefinition => ({
  ...definition,
  steps: definition.steps.filter(({ id }) => !ids.has(id)),
  transitions: definition.transitions.filter(
    ({ fromStepId, toStepId }) => !ids.has(fromStepId) && !ids.has(toStepId),
  ),
});

export function withTransition(
  definition: WorkflowDefinition,
  transition: NewTransition & { id: string },
  priority: number,
  now: Date,
): { definition: WorkflowDefinition; transition: DefinedTransition } {
  const at = nextTime(definition.transitions, now);
  const added = { ...transition, priority, createdAt: at, updatedAt: at };
  return {
    definition: { ...definition, transitions: [...definition.transitions, added] },
    transition: added,
  };
}

export const withoutTransitions = (
  definition: WorkflowDefinition,
  ids: ReadonlySet<string>,
): WorkflowDefinition => ({
  ...definition,
  transitions: definition.transitions.filter(({ id }) => !ids.has(id)),
});

/** The transitions to one step lead to another. */
export const withRedirected = (
  definition: WorkflowDefinition,
  fromTarget: string,
  toStepId: string,
  now: Date,
): WorkflowDefinition => ({
  ...definition,
  transitions: definition.transitions.map((each) =>
    each.toStepId === fromTarget ? { ...each, toStepId, updatedAt: now } : each,
  ),
});
