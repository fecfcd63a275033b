import type { Pool } from 'pg';
import { debouncePerKey } from '../kernel/debounce.ts';
import type { WorkflowClient } from '../kernel/ports/workflow-client.ts';
import { refreshMembershipJob } from '../segments/segments.jobs.ts';
import { dispatchEventsJob } from '../workflows/workflows.jobs.ts';
import { findPendingFollowUps } from './follow-ups.store.ts';

/** The shortest time between two looks at one project. */
const pauseMs = 100;

/**
 * Makes the function that every change of a project ends with, after its commit: it looks for pending events and memberships and
 * signals the workflows that process them. Debounced per process and project; what a lost signal leaves behind is in rows, where
 * `reconcile` finds it.
 */
export const createFollowUpScheduler = (
  pool: Pool,
  workflows: Pick<WorkflowClient, 'signalDebounced'>,
  onError: (error: unknown, projectId: string) => void,
): ((projectId: string) => void) =>
  debouncePerKey(
    async (projectId) => {
      try {
        const { events, membership } = await findPendingFollowUps(pool, projectId);
        if (events) workflows.signalDebounced(dispatchEventsJob, { projectId });
        if (membership) workflows.signalDebounced(refreshMembershipJob, { projectId });
      } catch (error) {
        onError(error, projectId);
      }
    },
    { keyOf: (projectId) => projectId, pauseMs: () => pauseMs },
  );
