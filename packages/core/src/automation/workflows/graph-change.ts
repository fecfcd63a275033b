import { badRequest } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import type { DefinedStep, DefinedTransition, WorkflowDefinition } from './definitions/definition.rules.ts';
import { isSameJson } from './definitions/definition.rules.ts';
import type { StepChange } from './definitions/edits.rules.ts';
import { partNotFound } from './not-found.ts';
import { readStepConfig } from './read-step-config.ts';
import { type Graph, type NewTransition, transitionProblem } from './workflows.rules.ts';
import type { GraphStepInput, GraphTransitionInput } from './workflows.schema.ts';

type RankedTransition = NewTransition & { priority: number };
type Parts = Pick<WorkflowDefinition, 'steps' | 'transitions'>;

/** A whole graph that is to replace that of a definition. */
export interface GivenGraph {
  steps: readonly GraphStepInput[];
  transitions: readonly GraphTransitionInput[];
}

/** How new steps are named. */
interface NewNames {
  /** the id of a new step, which may differ from the one that was given */
  idOf: (id: string) => string;
  keyOf: (step: GraphStepInput) => string;
  now: Date;
}

/**
 * The steps and transitions of a definition with another graph: what is kept keeps its ids and times.
 *
 * @throws AppError BAD_REQUEST when it breaks a rule of graphs, RESOURCE_NOT_FOUND when a transition names another
 * step, VALIDATION_ERROR when a configuration is invalid
 */
export function withGraph(
  before: Parts,
  given: GivenGraph,
  { idOf, keyOf: keyOfStep, now }: NewNames,
): Parts {
  const stored = new Map(before.steps.map((step) => [step.id, step]));
  const transitions = readGraphChange(before, given);
  const changed = new Map(
    given.steps.flatMap((step) => {
      const known = stored.get(step.id);
      return known ? [[known.id, readChangedStep(known, step, now)] as const] : [];
    }),
  );
  const added = given.steps.flatMap((step): DefinedStep[] => {
    if (stored.has(step.id)) return [];
    const { type, name, position } = step;
    const { config, templateId } = readStepConfig(type, step.config);
    return [
      {
        id: idOf(step.id),
        key: keyOfStep(step),
        type,
        name,
        position,
        config,
        templateId: step.templateId ?? templateId ?? null,
        createdAt: now,
        updatedAt: now,
      },
    ];
  });
  const known = new Map(before.transitions.map((each) => [keyOf(each), each]));
  const wanted = new Set(transitions.map(keyOf));
  return {
    steps: [...before.steps.flatMap(({ id }) => changed.get(id) ?? []), ...added],
    transitions: [
      ...before.transitions.filter((each) => wanted.has(keyOf(each))),
      ...transitions
        .filter((each) => !known.has(keyOf(each)))
        .map(
          ({ fromStepId, toStepId, ...way }): DefinedTransition => ({
            ...way,
            id: newId(),
            fromStepId: idOf(fromStepId),
            toStepId: idOf(toStepId),
            createdAt: now,
            updatedAt: now,
          }),
        ),
    ],
  };
}

/** Checks a whole graph that is to replace the steps. @returns its transitions */
export function readGraphChange(
  before: Pick<WorkflowDefinition, 'steps'>,
  given: GivenGraph,
): RankedTransition[] {
  const stored = new Map(before.steps.map((step) => [step.id, step]));
  const wanted = new Set(given.steps.map(({ id }) => id));
  if (wanted.size < given.steps.length) throw badRequest('Two steps have the same id');
  for (const { fromStepId, toStepId } of given.transitions) {
    if (!wanted.has(fromStepId) || !wanted.has(toStepId)) throw partNotFound('Step');
  }
  const trigger = before.steps.find(({ type }) => type === 'TRIGGER');
  const triggers = given.steps.filter(({ type }) => type === 'TRIGGER');
  if (triggers.length !== 1 || triggers[0]?.id !== trigger?.id)
    throw badRequest('The steps must contain the TRIGGER step of the workflow, and no other one');
  for (const { id, type } of given.steps) {
    const known = stored.get(id);
    if (known && known.type !== type)
      throw badRequest(`The step ${id} has the type ${known.type}, which cannot change`);
  }
  const transitions = given.transitions.map(
    ({ fromStepId, toStepId, branch = null, waitOutcome = null, priority = 0 }): RankedTransition => ({
      fromStepId,
      toStepId,
      branch,
      waitOutcome,
      priority,
    }),
  );
  assertGraph(
    given.steps.map(({ id, type, config }) => ({
      id,
      type,
      config: type === 'TRIGGER' ? {} : readStepConfig(type, config).config,
    })),
    transitions,
  );
  return transitions;
}

/** A kept step. Name and configuration of the TRIGGER are those of the workflow's trigger. */
function readChangedStep(step: DefinedStep, given: GraphStepInput, now: Date): DefinedStep {
  const settings = step.type === 'TRIGGER' ? {} : { name: given.name, ...readSettings(step, given) };
  const change = { position: given.position, ...settings };
  const after = { ...step, ...change };
  return isSameJson(step, after) ? step : { ...after, updatedAt: now };
}

function readSettings(step: DefinedStep, given: GraphStepInput): StepChange {
  const { config, templateId } = readStepConfig(step.type, given.config);
  const template = given.templateId === undefined ? templateId : given.templateId;
  return {
    ...(isSameJson(config, step.config) ? {} : { config }),
    ...(template === undefined ? {} : { templateId: template }),
  };
}

/** Adds one transition after the other, so that each is checked against those before it. */
function assertGraph(steps: Graph['steps'], transitions: readonly NewTransition[]): void {
  const graph: Graph = { steps, transitions: [] };
  for (const transition of transitions) {
    const problem = transitionProblem(graph, transition);
    if (problem) throw badRequest(problem);
    graph.transitions.push({ ...transition, id: keyOf({ ...transition, priority: 0 }) });
  }
}

const keyOf = ({ fromStepId, toStepId, branch, waitOutcome, priority }: RankedTransition): string =>
  JSON.stringify([fromStepId, branch, waitOutcome, toStepId, priority]);
