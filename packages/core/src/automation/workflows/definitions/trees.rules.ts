import { filtersOf, isCount, placedFilters, readField } from '../../../audience/segments/filters.rules.ts';
import type { FieldError } from '../../../base/kernel/errors.ts';
import type { PlacedTree } from '../steps/step.rules.ts';
import { stepDefinition } from '../steps/steps.schema.ts';
import { reachableFrom } from '../workflows.rules.ts';
import type { DefinedStep, WorkflowDefinition } from './definition.rules.ts';

type Graph = Pick<WorkflowDefinition, 'steps' | 'transitions'>;

/** The filter trees of a step. */
export const treesOfStep = ({ type, config }: Pick<DefinedStep, 'type' | 'config'>): PlacedTree[] =>
  stepDefinition(type).trees?.(config) ?? [];

/**
 * The steps that an execution may have taken when it comes to a step. Of one that nothing leads to yet it is not known: all are, but itself
 * and those behind it.
 */
export function stepsBefore<Step extends { id: string }>(
  {
    steps,
    transitions,
  }: { steps: readonly Step[]; transitions: readonly { fromStepId: string; toStepId: string }[] },
  stepId: string,
): Step[] {
  const isLedTo = transitions.some(({ toStepId }) => toStepId === stepId);
  const backwards = transitions.map(({ fromStepId, toStepId }) => ({
    fromStepId: toStepId,
    toStepId: fromStepId,
  }));
  const before = reachableFrom([stepId], backwards);
  const behind = reachableFrom([stepId], transitions);
  return steps.filter(({ id }) => id !== stepId && (isLedTo ? before.has(id) : !behind.has(id)));
}

/** Where the trees of a step name steps that are not before it, or an email of a step that sends none; fields as `config.…`. */
export function problemsOfStepFields(graph: Graph, step: DefinedStep): FieldError[] {
  const trees = treesOfStep(step).filter(({ tree }) => filtersOf(tree).some(isOfStep));
  if (trees.length === 0) return [];
  const before = new Map(stepsBefore(graph, step.id).map((each) => [each.key, each]));
  return trees.flatMap(({ path, tree }) =>
    placedFilters(tree, `config.${path}`).flatMap(({ filter, at }): FieldError[] => {
      const ref = readField(filter.field);
      if (typeof ref === 'string' || ref.kind !== 'step') return [];
      const named = before.get(ref.key);
      if (!named)
        return [
          {
            field: `${at}.field`,
            code: 'unknown_reference',
            message: `No step with the key ${ref.key} is before this one`,
            received: filter.field,
          },
        ];
      return isCount(filter.operator) && named.type !== 'SEND_EMAIL'
        ? [
            {
              field: `${at}.operator`,
              code: 'unsupported_operator',
              message: `The step ${ref.key} sends no email: compare a value of its output`,
              received: filter.operator,
            },
          ]
        : [];
    }),
  );
}

const isOfStep = ({ field }: { field: string }): boolean => field.startsWith('step.');
