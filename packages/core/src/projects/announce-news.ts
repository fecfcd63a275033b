import type { Pool } from 'pg';
import type { WorkflowEngine } from '../kernel/ports/workflow-engine.ts';
import { findNews } from './news.store.ts';
import { dispatchEventsJob, refreshMembershipJob } from './projects.jobs.ts';

/** Announcements of one project within this time are one look. */
const windowMs = 100;

/**
 * Makes the hint that follows every change: looks whether something of the project waits for being followed up, and wakes
 * its workflow. At most one look per window, process and project. What it announces is in rows, and `reconcile` finds it there.
 */
export function createNewsAnnouncer(
  pool: Pool,
  engine: Pick<WorkflowEngine, 'wake'>,
  onError: (error: unknown, projectId: string) => void,
): (projectId: string) => void {
  const pending = new Set<string>();
  return (projectId) => {
    if (pending.has(projectId)) return;
    pending.add(projectId);
    setTimeout(() => {
      pending.delete(projectId);
      findNews(pool, projectId)
        .then(({ events, membership }) => {
          if (events) engine.wake(dispatchEventsJob, { projectId });
          if (membership) engine.wake(refreshMembershipJob, { projectId });
        })
        .catch((error: unknown) => onError(error, projectId));
    }, windowMs).unref();
  };
}
