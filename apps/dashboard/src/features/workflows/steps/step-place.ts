import { stepDefinition, stepsBefore } from '@postrider/core/automation/workflows/contract';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useApi, type Workflow, type WorkflowStep } from '../../../lib/api.ts';
import type { ExecutionChoices, StepChoice } from '../../common/filters/filter-choices.ts';
import type { ValueType } from '../../common/filters/filter-tree.rules.ts';
import { branchesOf } from './outlets.rules.ts';

/** Where a step is or will be: the steps that may have been taken before, the nearest first. */
export const StepsBefore = createContext<readonly WorkflowStep[]>([]);

/** The steps before one of a workflow, the nearest first. */
export function nearestBefore(workflow: Workflow, stepId: string): WorkflowStep[] {
  const before = stepsBefore(workflow, stepId).filter(({ type }) => type !== 'TRIGGER');
  // Of two steps, the one that has more before it is nearer.
  const depth = new Map(before.map((step) => [step.id, stepsBefore(workflow, step.id).length]));
  return before.toSorted((a, b) => (depth.get(b.id) ?? 0) - (depth.get(a.id) ?? 0));
}

type Output = StepChoice['outputs'][number];

/** What the output of a step has that decisions are made by. */
function outputsOf(step: WorkflowStep): Output[] {
  switch (step.type) {
    case 'WAIT_FOR_EVENT':
      return [
        { path: 'eventName', label: 'event that occurred' },
        { path: 'waitOutcome', label: 'outcome (EVENT or TIMEOUT)' },
      ];
    case 'WEBHOOK':
      return [
        { path: 'statusCode', label: 'status code' },
        { path: 'success', label: 'success' },
        { path: 'response', label: 'answer' },
      ];
    case 'UPDATE_CONTACT':
      return [{ path: 'subscriptionChanged', label: 'subscription changed' }];
    case 'DELAY':
      return [{ path: 'reason', label: 'reason of its end' }];
    default:
      return stepDefinition(step.type).waysOut.kind === 'branches'
        ? [
            {
              path: 'branch',
              label: `branch (${branchesOf(step)
                .map(({ id }) => id)
                .join(', ')})`,
            },
          ]
        : [];
  }
}

function openOf({ type, name }: WorkflowStep): Output[] {
  if (type === 'WEBHOOK') return [{ path: 'response', label: `Answer of “${name}”` }];
  return type === 'WAIT_FOR_EVENT' ? [{ path: 'eventData', label: `Event of “${name}”` }] : [];
}

export const stepChoice = (step: WorkflowStep): StepChoice => ({
  key: step.key,
  name: step.name,
  sends: step.type === 'SEND_EMAIL',
  outputs: outputsOf(step),
  open: openOf(step),
});

const prefix = 'event.';
const typeOfField: Readonly<Record<string, ValueType>> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
};

/** What a condition at this place can look at besides the contact. */
export function useExecutionChoices(eventName: string | undefined): ExecutionChoices {
  const before = useContext(StepsBefore);
  const fields = useQuery({
    ...useApi().workflows.fields.queryOptions({ ...(eventName && { eventName }) }),
    staleTime: 60_000,
  });
  return {
    context: (fields.data?.typedFields ?? [])
      .filter(({ field }) => field.startsWith(prefix))
      .map(({ field, type }) => ({ name: field.slice(prefix.length), type: typeOfField[type] })),
    steps: before.map(stepChoice),
  };
}
