export { addStep } from './add-step.ts';
export { addTransition } from './add-transition.ts';
export { cancelExecutions } from './bulk/cancel-executions.ts';
export { changeExecutionsBatch, findOpenExecutionJobs } from './bulk/change-executions.ts';
export { retryExecutions } from './bulk/retry-executions.ts';
export { cancelAllExecutions } from './cancel-all-executions.ts';
export { cancelExecution } from './cancel-execution.ts';
export { createFromRecipe } from './create-from-recipe.ts';
export { createWorkflow } from './create-workflow.ts';
export { readDefinitionsOf } from './definitions/read-definitions.store.ts';
export { deleteStep } from './delete-step.ts';
export { deleteTransition } from './delete-transition.ts';
export { deleteWorkflow } from './delete-workflow.ts';
export { exportWorkflow } from './document/export-workflow.ts';
export { importWorkflow } from './document/import-workflow.ts';
export { duplicateWorkflow } from './duplicate-workflow.ts';
export { enterWorkflow } from './entries/enter.ts';
export { enterDueBatch } from './entries/enter-due.ts';
export { enterJobKind } from './entries/enter-job.store.ts';
export { entryOf } from './entries/entry.rules.ts';
export { dateOfContact, findEntry, findTakenEvents } from './entries/read-entry.store.ts';
export { wantedExecutionCounts } from './execution-counts.store.ts';
export { cancelActive } from './executions.store.ts';
export { retryExecution } from './failures/retry-execution.ts';
export { watchFailures } from './failures/watch-failures.ts';
export {
  countEarlierExecutions,
  countHere,
  countHereBy,
  type FigureScope,
  figureSteps,
  foldStepFigures,
  sumStepFigures,
  workflowSeries,
} from './figures/index.ts';
export { followExecution } from './follow-execution.ts';
export { getExecution } from './get-execution.ts';
export { getExecutions } from './get-executions.ts';
export { getSteps } from './get-steps.ts';
export { getWorkflow } from './get-workflow.ts';
export { getWorkflowCounts } from './get-workflow-counts.ts';
export { getWorkflows } from './get-workflows.ts';
export { listContactExecutions } from './list-contact-executions.ts';
export { listExecutions } from './list-executions.ts';
export { listExecutionsOfEach } from './list-executions-of-each.ts';
export { listStepsOfEach } from './list-steps-of-each.ts';
export { listWorkflowFields } from './list-workflow-fields.ts';
export { listWorkflows } from './list-workflows.ts';
export { findNewestExecutions, findStepExecutions } from './newest-execution.store.ts';
export { workflowNotFound } from './not-found.ts';
export { readUnreadSteps } from './read-unread-steps.ts';
export { replaceGraph } from './replace-graph.ts';
export { findOverdueRequests } from './requests/overdue.store.ts';
export { RequestRuntime } from './requests/request-runtime.ts';
export { failDue, passEntries, releaseRequests } from './restore.store.ts';
export { sweepExecutions } from './retention.ts';
export {
  dispatchBatch,
  type EntryCursor,
  ExecutionRunners,
  endStoppedExecutions,
  enterScheduleBatch,
  findDue,
  findNeglectedSchedules,
  forgetSchedules,
  handOver,
  readWantedSchedule,
  shardOf,
  shards,
  type WantedSchedule,
} from './runtime/index.ts';
export { simulateWorkflow } from './simulate/simulate-workflow.ts';
export { startExecution } from './start-execution.ts';
export { testWorkflow } from './test-workflow.ts';
export { updateStep } from './update-step.ts';
export { updateWorkflow } from './update-workflow.ts';
export {
  discardDraft,
  findOpenMoves,
  getWorkflowJob,
  getWorkflowVersion,
  listWorkflowVersions,
  moveExecutionsBatch,
  previewPublish,
  publishWorkflow,
} from './versions/index.ts';
export { findMovesFrom } from './versions/versions.store.ts';
export { workflowIdOf } from './workflow-id.ts';
export {
  changeExecutionsJob,
  driveExecutionsJob,
  keepScheduleJob,
  moveExecutionsJob,
} from './workflows.jobs.ts';
export {
  asObject,
  endsOfRow,
  findWorkflow,
  idOfWorkflow,
  readGraph,
  type WorkflowRow,
} from './workflows.store.ts';
