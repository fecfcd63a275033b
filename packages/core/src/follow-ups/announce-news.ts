import type { Pool } from 'pg';
import type { WorkflowEngine } from '../kernel/ports/workflow-engine.ts';
import { refreshMembershipJob } from '../segments/segments.jobs.ts';
import { dispatchEventsJob } from '../workflows/workflows.jobs.ts';
import { findNews } from './news.store.ts';

/** Announcements of one project within this time after a look are one more look. */
const windowMs = 100;

/**
 * Makes the hint that follows every change: looks whether something of the project waits for being followed up, and wakes
 * its workflow. The first look is made at once, the next one not before the window is over, per process and project. What it
 * announces is in rows, and `reconcile` finds it there. To be called after the commit.
 */
export function createNewsAnnouncer(
  pool: Pool,
  engine: Pick<WorkflowEngine, 'wake'>,
  onError: (error: unknown, projectId: string) => void,
): (projectId: string) => void {
  const open = new Map<string, { again: boolean }>();

  const look = (projectId: string): void => {
    findNews(pool, projectId)
      .then(({ events, membership }) => {
        if (events) engine.wake(dispatchEventsJob, { projectId });
        if (membership) engine.wake(refreshMembershipJob, { projectId });
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
