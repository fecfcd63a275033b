import { badRequest } from '../../base/kernel/index.ts';
import { partNotFound } from './not-found.ts';
import { readStepConfig } from './read-step-config.ts';
import { type Graph, type NewTransition, transitionProblem } from './workflows.rules.ts';
import type { GraphStepInput, GraphTransitionInput } from './workflows.schema.ts';
import {
  isSameJson,
  type NewStep,
  type StepChange,
  type StepRow,
  type TransitionRow,
} from './workflows.store.ts';

type RankedTransition = NewTransition & { priority: number };

/** The difference between the stored graph of a workflow and another one. */
export interface GraphChange {
  addedSteps: (Omit<NewStep, 'projectId' | 'workflowId'> & { id: string })[];
  /** only what differs */
  changedSteps: (StepChange & { step: StepRow })[];
  lostSteps: string[];
  addedTransitions: RankedTransition[];
  lostTransitions: TransitionRow[];
  /** those of `lostTransitions` between kept steps whose way out leads nowhere any more */
  cutTransitions: TransitionRow[];
}

/**
 * Reads a whole graph that is to replace the stored one.
 *
 * @throws AppError BAD_REQUEST when it breaks a rule of graphs, RESOURCE_NOT_FOUND when a transition names another
 * step, VALIDATION_ERROR when a configuration is invalid
 */
export function readGraphChange(
  before: { steps: StepRow[]; transitions: TransitionRow[] },
  given: { steps: readonly GraphStepInput[]; transitions: readonly GraphTransitionInput[] },
): GraphChange {
  const stored = new Map(before.steps.map((step) => [step.id, step]));
  const wanted = new Map(given.steps.map((step) => [step.id, step]));
  if (wanted.size < given.steps.length) throw badRequest('Two steps have the same id');
  for (const { fromStepId, toStepId } of given.transitions) {
    if (!wanted.has(fromStepId) || !wanted.has(toStepId)) throw partNotFound('Step');
  }
  const trigger = before.steps.find(({ type }) => type === 'TRIGGER');
  const triggers = given.steps.filter(({ type }) => type === 'TRIGGER');
  if (triggers.length !== 1 || triggers[0]?.id !== trigger?.id)
    throw badRequest('The steps must contain the TRIGGER step of the workflow, and no other one');
  const addedSteps = given.steps.filter(({ id }) => !stored.has(id)).map(readNewStep);
  const changedSteps = given.steps.flatMap((step) => {
    const row = stored.get(step.id);
    return row ? readChangedStep(row, step) : [];
  });
  const lostSteps = before.steps.filter(({ id }) => !wanted.has(id)).map(({ id }) => id);

  const configs = new Map(changedSteps.map(({ step, config }) => [step.id, config ?? step.config]));
  const steps = [
    ...before.steps
      .filter(({ id }) => wanted.has(id))
      .map((row) => ({ ...row, config: configs.get(row.id) ?? row.config })),
    ...addedSteps,
  ];
  const transitions = given.transitions.map(
    ({ fromStepId, toStepId, branch = null, waitOutcome = null, priority = 0 }): RankedTransition => ({
      fromStepId,
      toStepId,
      branch,
      waitOutcome,
      priority,
    }),
  );
  assertGraph(steps, transitions);
  const keys = new Set(transitions.map(keyOf));
  const storedKeys = new Set(before.transitions.map(keyOf));
  const lostTransitions = before.transitions.filter((each) => !keys.has(keyOf(each)));
  const outlets = new Set(transitions.map(outletOf));
  return {
    addedSteps,
    changedSteps,
    lostSteps,
    addedTransitions: transitions.filter((each) => !storedKeys.has(keyOf(each))),
    lostTransitions,
    cutTransitions: lostTransitions.filter(
      (each) => wanted.has(each.fromStepId) && wanted.has(each.toStepId) && !outlets.has(outletOf(each)),
    ),
  };
}

function readNewStep({
  id,
  type,
  name,
  position,
  ...given
}: GraphStepInput): GraphChange['addedSteps'][number] {
  const { config, templateId } = readStepConfig(type, given.config);
  return { id, type, name, position, config, templateId: given.templateId ?? templateId ?? null };
}

function readChangedStep(row: StepRow, given: GraphStepInput): GraphChange['changedSteps'] {
  if (given.type !== row.type)
    throw badRequest(`The step ${row.id} has the type ${row.type}, which cannot change`);
  const { name, position } = given;
  const change: StepChange = {
    ...(position.x === row.positionX && position.y === row.positionY ? {} : { position }),
    ...(row.type === 'TRIGGER' ? {} : readSettings(row, given)),
    ...(row.type === 'TRIGGER' || name === row.name ? {} : { name }),
  };
  return Object.keys(change).length === 0 ? [] : [{ ...change, step: row }];
}

function readSettings(row: StepRow, given: GraphStepInput): StepChange {
  const { config, templateId } = readStepConfig(row.type, given.config);
  const template = given.templateId === undefined ? templateId : given.templateId;
  return {
    ...(isSameJson(config, row.config) ? {} : { config }),
    ...(template === undefined || template === row.templateId ? {} : { templateId: template }),
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

const outletOf = ({ fromStepId, branch, waitOutcome }: NewTransition): string =>
  JSON.stringify([fromStepId, branch, waitOutcome]);

const keyOf = ({ toStepId, priority, ...outlet }: RankedTransition): string =>
  JSON.stringify([outletOf(outlet as NewTransition), toStepId, priority]);
