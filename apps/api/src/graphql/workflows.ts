import {
  addStep,
  addTransition,
  cancelAllExecutions,
  cancelExecution,
  cancelExecutions,
  createFromRecipe,
  createWorkflow,
  deleteStep,
  deleteTransition,
  deleteWorkflow,
  discardDraft,
  duplicateWorkflow,
  enterWorkflow,
  exportWorkflow,
  getExecution,
  getWorkflow,
  getWorkflowCounts,
  getWorkflowJob,
  getWorkflowVersion,
  importWorkflow,
  listExecutions,
  listWorkflowFields,
  listWorkflows,
  listWorkflowVersions,
  previewPublish,
  publishWorkflow,
  replaceGraph,
  retryExecution,
  retryExecutions,
  simulateWorkflow,
  startExecution,
  testWorkflow,
  updateStep,
  updateWorkflow,
} from '@postrider/core/automation/workflows';
import type { Operation } from '@postrider/core/base/kernel';
import type { z } from 'zod';
import { builder } from './builder.ts';
import { deletionField, inputText, mutationField, queryField, recordField } from './fields.ts';
import { argsFromZod, inputFromZod } from './input-from-zod.ts';
import { connectionField, pageField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

export const Workflow = objectFromZod(updateWorkflow.output);
export const WorkflowListItem = objectFromZod(listWorkflows.output.shape.data.element);
export const WorkflowDetail = objectFromZod(getWorkflow.output);
const WorkflowStep = objectFromZod(addStep.output);
const WorkflowTransition = objectFromZod(addTransition.output, 'WorkflowTransition');
const WorkflowFields = objectFromZod(listWorkflowFields.output);
export const Execution = objectFromZod(startExecution.output);
const CountedSteps = objectFromZod(getWorkflowCounts.output, 'WorkflowCounts');
const WorkflowTest = objectFromZod(testWorkflow.output);
const CancelledExecutions = objectFromZod(cancelAllExecutions.output);

pageField('workflows', listWorkflows, WorkflowListItem);
recordField('workflow', getWorkflow, WorkflowDetail);
mutationField('createWorkflow', createWorkflow, WorkflowDetail);
mutationField('createWorkflowFromRecipe', createFromRecipe, WorkflowDetail);
mutationField('duplicateWorkflow', duplicateWorkflow, WorkflowDetail);
mutationField('replaceWorkflowGraph', replaceGraph, WorkflowDetail);
mutationField('updateWorkflow', updateWorkflow, Workflow);
deletionField('deleteWorkflow', deleteWorkflow);

mutationField('addWorkflowStep', addStep, WorkflowStep);
mutationField('updateWorkflowStep', updateStep, WorkflowStep);
partDeletionField('deleteWorkflowStep', deleteStep, 'stepId');
mutationField('addWorkflowTransition', addTransition, WorkflowTransition);
partDeletionField('deleteWorkflowTransition', deleteTransition, 'transitionId');

mutationField('enterWorkflow', enterWorkflow, objectFromZod(enterWorkflow.output));
mutationField('startExecution', startExecution, Execution);
mutationField('cancelExecution', cancelExecution, Execution);
mutationField('cancelAllExecutions', cancelAllExecutions, CancelledExecutions);
const StartedJob = objectFromZod(cancelExecutions.output);
mutationField('cancelExecutions', cancelExecutions, StartedJob);
mutationField('retryExecution', retryExecution, Execution);
mutationField('retryExecutions', retryExecutions, StartedJob);

queryField('exportWorkflow', exportWorkflow, objectFromZod(exportWorkflow.output));
mutationField('importWorkflow', importWorkflow, WorkflowDetail);

const ListedVersion = objectFromZod(listWorkflowVersions.output.shape.data.element);
connectionField('workflowVersions', listWorkflowVersions, ListedVersion, ({ version }) => String(version));
queryField('workflowVersion', getWorkflowVersion, objectFromZod(getWorkflowVersion.output));
queryField('previewWorkflowPublish', previewPublish, objectFromZod(previewPublish.output));
mutationField('publishWorkflow', publishWorkflow, objectFromZod(publishWorkflow.output));
deletionField('discardWorkflowDraft', discardDraft);
queryField('workflowJob', getWorkflowJob, objectFromZod(getWorkflowJob.output));

queryField('workflowFields', listWorkflowFields, WorkflowFields);
queryField('execution', getExecution, Execution);
queryField('testWorkflow', testWorkflow, WorkflowTest);
queryField('simulateWorkflow', simulateWorkflow, objectFromZod(simulateWorkflow.output));
queryField('workflowCounts', getWorkflowCounts, CountedSteps);

type ExecutionList = z.output<typeof listExecutions.output>;

/** Every page list in GraphQL has its items in `data`; in REST this list has them in `executions` (behaviour B4.9, B4.21). */
const ExecutionPage = builder.objectRef<ExecutionList>('ExecutionPage').implement({
  description: 'A page of the executions of a workflow.',
  fields: (t) => ({
    data: t.field({
      type: [Execution],
      description: 'The executions of this page, newest first.',
      resolve: ({ executions }) => executions,
    }),
    executions: t.field({
      type: [Execution],
      description: 'The same as `data`.',
      deprecationReason: 'Use `data`.',
      resolve: ({ executions }) => executions,
    }),
    page: t.exposeInt('page', { description: 'Number of this page, from 1.' }),
    pageSize: t.exposeInt('pageSize', { description: 'Records per page.' }),
    total: t.exposeInt('total', { description: 'Number of all matches.' }),
    totalPages: t.exposeInt('totalPages', { description: 'Number of pages; 0 when nothing matches.' }),
  }),
});

queryField('executions', listExecutions, ExecutionPage);

builder.objectField(WorkflowDetail, 'executions', (t) =>
  t.field({
    type: ExecutionPage,
    description: listExecutions.summary,
    extensions: { operation: listExecutions.name },
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
      args: { input: t.arg({ type: Input, required: true, description: inputText }) },
      resolve: async (_root, { input }, { ctx }) => {
        await operation.runRaw(ctx, input);
        return String((input as Record<string, unknown>)[part]);
      },
    }),
  );
}
