import type { Db } from '../../base/db/index.ts';
import { conflict, suggestions } from '../../base/kernel/index.ts';
import { hasActiveExecutions, standsOn } from './executions.store.ts';
import { type GraphTransition, reachableFrom } from './workflows.rules.ts';
import type { WorkflowRow } from './workflows.store.ts';

/** Executions read the present graph at each step, so an edit that would strand one is refused (behaviour B4.9). */

/** @throws AppError CONFLICT when contacts in an enabled workflow would meet other settings than at their entry */
export async function assertSettingsMayChange(db: Db, workflow: WorkflowRow): Promise<void> {
  if (!workflow.enabled || !(await hasActiveExecutions(db, workflow.projectId, workflow.id))) return;
  throw conflict('The workflow is enabled and has active executions', {
    suggestion: suggestions.CONFLICT.workflowRuns,
  });
}

/** @throws AppError CONFLICT when an execution is at a step that would be deleted */
export async function assertStepsMayGo(
  db: Db,
  workflow: WorkflowRow,
  stepIds: Iterable<string>,
): Promise<void> {
  if (!(await standsOn(db, workflow, stepIds))) return;
  throw conflict('An active execution is at a step that would be deleted', {
    suggestion: suggestions.CONFLICT.executionAtStep,
  });
}

/** @throws AppError CONFLICT when an execution is at a step before a transition that would be deleted, or at a later one */
export async function assertTransitionsMayGo(
  db: Db,
  workflow: WorkflowRow,
  transitions: readonly GraphTransition[],
  lost: readonly GraphTransition[],
): Promise<void> {
  const from = lost.map(({ fromStepId }) => fromStepId);
  if (!(await standsOn(db, workflow, [...from, ...reachableFrom(from, transitions)]))) return;
  throw conflict('An active execution is at the step before this transition, or at a later step', {
    suggestion: suggestions.CONFLICT.executionAhead,
  });
}
