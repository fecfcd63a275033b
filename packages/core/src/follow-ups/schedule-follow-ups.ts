import type { Pool } from 'pg';
import type { WorkflowClient } from '../kernel/ports/workflow-client.ts';
import { refreshMembershipJob } from '../segments/segments.jobs.ts';
import { dispatchEventsJob } from '../workflows/workflows.jobs.ts';
import { findPendingFollowUps } from './follow-ups.store.ts';

/** Announcements of one project within this time after a look are one more look. */
const windowMs = 100;

/**
 * Makes the hint that follows every change: looks whether something of the project waits for being followed up, and wakes
 * its workflow. The first look is made at once, the next one not before the window is over, per process and project. What it
 * announces is in rows, and `reconcile` finds it there. To be called after the commit.
 */
export function createFollowUpScheduler(
  pool: Pool,
  workflows: Pick<WorkflowClient, 'signalDebounced'>,
  onError: (error: unknown, projectId: string) => void,
): (projectId: string) => void {
  const open = new Map<string, { again: boolean }>();

  const look = (projectId: string): void => {
    findPendingFollowUps(pool, projectId)
      .then(({ events, membership }) => {
        if (events) workflows.signalDebounced(dispatchEventsJob, { projectId });
        if (membership) workflows.signalDebounced(refreshMembershipJob, { projectId });
      })
      .catch((error: unknown) => onError(error, projectId));
  };

  const announce = (projectId: string): void => {
    const state = open.get(projectId);
    if (state) {
      state.again = true;
      return;
    }
    const fresh = { again: false };
    open.set(projectId, fresh);
    look(projectId);
    setTimeout(() => {
      open.delete(projectId);
      if (fresh.again) announce(projectId);
    }, windowMs).unref();
  };
  return announce;
}
