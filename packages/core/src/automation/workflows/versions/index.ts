export { discardDraft } from './discard-draft.ts';
export { getWorkflowJob } from './get-job.ts';
export { getWorkflowVersion } from './get-version.ts';
export { listWorkflowVersions } from './list-versions.ts';
export { findOpenMoves, moveExecutionsBatch } from './move-executions.ts';
export { previewPublish } from './preview-publish.ts';
export { publishWorkflow } from './publish.ts';
