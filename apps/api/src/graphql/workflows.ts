import type { Operation } from '@postrider/core/kernel';
import {
  addStep,
  addTransition,
  cancelAllExecutions,
  cancelExecution,
  createWorkflow,
  deleteStep,
  deleteTransition,
  deleteWorkflow,
  getExecution,
  getWorkflow,
  listExecutions,
  listWorkflowFields,
  listWorkflows,
  startExecution,
  updateStep,
  updateWorkflow,
} from '@postrider/core/workflows';
import type { z } from 'zod';
import { builder } from './builder.ts';
import { deletionField, mutationField, queryField, recordField } from './fields.ts';
import { argsFromZod, inputFromZod } from './input-from-zod.ts';
import { pageField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

const Workflow = objectFromZod(updateWorkflow.output);
const WorkflowListItem = objectFromZod(listWorkflows.output.shape.data.element);
const WorkflowDetail = objectFromZod(getWorkflow.output);
const WorkflowStep = objectFromZod(addStep.output);
const WorkflowTransition = objectFromZod(addTransition.output, 'WorkflowTransition');
const WorkflowFields = objectFromZod(listWorkflowFields.output);
const Execution = objectFromZod(startExecution.output);
const ExecutionPage = objectFromZod(listExecutions.output);
const ExecutionItem = objectFromZod(listExecutions.output.shape.executions.element, 'ExecutionPageExecution');
export const ExecutionDetail = objectFromZod(getExecution.output);
const CancelledExecutions = objectFromZod(cancelAllExecutions.output);

pageField('workflows', listWorkflows, WorkflowListItem);
recordField('workflow', getWorkflow, WorkflowDetail);
mutationField('createWorkflow', createWorkflow, WorkflowDetail);
mutationField('updateWorkflow', updateWorkflow, Workflow);
deletionField('deleteWorkflow', deleteWorkflow);

mutationField('addWorkflowStep', addStep, WorkflowStep);
mutationField('updateWorkflowStep', updateStep, WorkflowStep);
partDeletionField('deleteWorkflowStep', deleteStep, 'stepId');
mutationField('addWorkflowTransition', addTransition, WorkflowTransition);
partDeletionField('deleteWorkflowTransition', deleteTransition, 'transitionId');

mutationField('startExecution', startExecution, Execution);
mutationField('cancelExecution', cancelExecution, Execution);
mutationField('cancelAllExecutions', cancelAllExecutions, CancelledExecutions);

queryField('workflowFields', listWorkflowFields, WorkflowFields);
queryField('executions', listExecutions, ExecutionPage);
queryField('execution', getExecution, ExecutionDetail);

/** Every page list in GraphQL has its items in `data`; in REST this list has them in `executions` (behaviour B4.9, B4.21). */
builder.objectField(ExecutionPage, 'data', (t) =>
  t.field({ type: [ExecutionItem], resolve: ({ executions }) => executions }),
);

builder.objectField(WorkflowDetail, 'executions', (t) =>
  t.field({
    type: ExecutionPage,
    description: listExecutions.summary,
    args: argsFromZod(listExecutions.input, 'Execution', t.arg, ['id']),
    resolve: ({ id }, args, { ctx }) => listExecutions.run(ctx, { ...args, id }),
  }),
);

/** Deletes a part of a workflow and returns its id. */
function partDeletionField(field: string, operation: Operation<z.ZodType, z.ZodType>, part: string): void {
  const Input = inputFromZod(operation.input, `${field.replace(/^d/, 'D')}Input`);
  builder.mutationField(field, (t) =>
    t.id({
      description: `${operation.summary}. Returns its id.`,
      extensions: { operation: operation.name },
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: async (_root, { input }, { ctx }) => {
        await operation.runRaw(ctx, input);
        return String((input as Record<string, unknown>)[part]);
      },
    }),
  );
}
