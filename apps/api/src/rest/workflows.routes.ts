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
import type { RestDoor } from './door.ts';
import { missing } from './flat.ts';
import { mount } from './mount.ts';

export function mountWorkflows(door: RestDoor): void {
  mount(door, 'GET', '/workflows', listWorkflows);
  mount(door, 'GET', '/workflows/fields', listWorkflowFields);
  mount(door, 'POST', '/workflows', createWorkflow, { status: 201, flat: missing('name', 'eventName') });
  mount(door, 'POST', '/workflows/from-recipe', createFromRecipe, { status: 201 });
  mount(door, 'POST', '/workflows/import', importWorkflow, { status: 201 });
  mount(door, 'GET', '/workflows/:id', getWorkflow);
  mount(door, 'GET', '/workflows/:id/export', exportWorkflow);
  mount(door, 'PATCH', '/workflows/:id', updateWorkflow);
  mount(door, 'DELETE', '/workflows/:id', deleteWorkflow, { status: 204 });
  mount(door, 'POST', '/workflows/:id/duplicate', duplicateWorkflow, { status: 201 });
  mount(door, 'POST', '/workflows/:id/test', testWorkflow);
  mount(door, 'POST', '/workflows/:id/simulate', simulateWorkflow);
  mount(door, 'PUT', '/workflows/:id/graph', replaceGraph);
  mount(door, 'GET', '/workflows/:id/versions', listWorkflowVersions);
  mount(door, 'GET', '/workflows/:id/versions/:version', getWorkflowVersion);
  mount(door, 'POST', '/workflows/:id/publish/preview', previewPublish);
  mount(door, 'POST', '/workflows/:id/publish', publishWorkflow);
  mount(door, 'DELETE', '/workflows/:id/draft', discardDraft, { status: 204 });
  mount(door, 'GET', '/workflows/:id/jobs/:jobId', getWorkflowJob);
  mount(door, 'POST', '/workflows/:id/steps', addStep, {
    status: 201,
    flat: missing('type', 'name', 'position', 'config'),
  });
  mount(door, 'PATCH', '/workflows/:id/steps/:stepId', updateStep);
  mount(door, 'DELETE', '/workflows/:id/steps/:stepId', deleteStep, { status: 204 });
  mount(door, 'POST', '/workflows/:id/transitions', addTransition, {
    status: 201,
    flat: missing('fromStepId', 'toStepId'),
  });
  mount(door, 'DELETE', '/workflows/:id/transitions/:transitionId', deleteTransition, { status: 204 });
  mount(door, 'POST', '/workflows/:id/entries', enterWorkflow, { status: 202 });
  mount(door, 'POST', '/workflows/:id/executions', startExecution, {
    status: 201,
    flat: missing('contactId'),
  });
  mount(door, 'GET', '/workflows/:id/executions', listExecutions);
  mount(door, 'POST', '/workflows/:id/executions/cancel-all', cancelAllExecutions);
  mount(door, 'POST', '/workflows/:id/executions/cancel', cancelExecutions, { status: 202 });
  mount(door, 'POST', '/workflows/:id/executions/retry', retryExecutions, { status: 202 });
  mount(door, 'POST', '/workflows/:id/executions/:executionId/retry', retryExecution);
  mount(door, 'GET', '/workflows/:id/executions/:executionId', getExecution);
  mount(door, 'DELETE', '/workflows/:id/executions/:executionId', cancelExecution);
}
