import type { Pool } from 'pg';
import { refreshMembershipJob } from '../../audience/segments/segments.jobs.ts';
import { checkReputationJob } from '../../people/reputation/reputation.jobs.ts';
import type { WorkflowClient } from '../kernel/ports/workflow-client.ts';
import { debouncePerKey } from '../lib/debounce.ts';
import { findPendingFollowUps } from './follow-ups.store.ts';
import { createExecutionNotifier } from './notify-executions.ts';

/** The minimum time between two runs for one project. */
const pauseMs = 100;

/**
 * Creates the function that every change of a project calls after its commit: it looks for pending events,
 * memberships and reputation checks, tells the processes that dispatch events, and signals the Temporal workflows of the others. Debounced per
 * process and project. What is lost is found by their own looks, and by `reconcile`.
 */
export const createFollowUpScheduler = (
  pool: Pool,
  workflows: Pick<WorkflowClient, 'signalDebounced'>,
  onError: (error: unknown, projectId: string) => void,
): ((projectId: string) => void) => {
  const notify = createExecutionNotifier(pool, onError);
  return debouncePerKey(
    async (projectId) => {
      try {
        const { events, membership, reputation } = await findPendingFollowUps(pool, projectId);
        if (events) notify(projectId);
        if (reputation) workflows.signalDebounced(checkReputationJob, { projectId });
        if (membership) workflows.signalDebounced(refreshMembershipJob, { projectId });
      } catch (error) {
        onError(error, projectId);
      }
    },
    { keyOf: (projectId) => projectId, pauseMs: () => pauseMs },
  );
};
