import type { Pool } from 'pg';
import { refreshMembershipJob } from '../../audience/segments/segments.jobs.ts';
import { dispatchEventsJob } from '../../automation/workflows/workflows.jobs.ts';
import { checkReputationJob } from '../../people/reputation/reputation.jobs.ts';
import type { WorkflowClient } from '../kernel/ports/workflow-client.ts';
import { debouncePerKey } from '../lib/debounce.ts';
import { findPendingFollowUps } from './follow-ups.store.ts';

/** The minimum time between two runs for one project. */
const pauseMs = 100;

/**
 * Creates the function that every change of a project calls after its commit: it looks for pending events,
 * memberships and reputation checks, and signals the Temporal workflows that process them. Debounced per process and project. If a signal is
 * lost, `reconcile` finds the pending rows.
 */
export const createFollowUpScheduler = (
  pool: Pool,
  workflows: Pick<WorkflowClient, 'signalDebounced'>,
  onError: (error: unknown, projectId: string) => void,
): ((projectId: string) => void) =>
  debouncePerKey(
    async (projectId) => {
      try {
        const { events, membership, reputation } = await findPendingFollowUps(pool, projectId);
        if (events) workflows.signalDebounced(dispatchEventsJob, { projectId });
        if (reputation) workflows.signalDebounced(checkReputationJob, { projectId });
        if (membership) workflows.signalDebounced(refreshMembershipJob, { projectId });
      } catch (error) {
        onError(error, projectId);
      }
    },
    { keyOf: (projectId) => projectId, pauseMs: () => pauseMs },
  );
