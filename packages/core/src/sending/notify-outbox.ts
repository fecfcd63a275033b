import type { Services } from '../kernel/services.ts';
import { outboxChannel } from './delivery/delivery-runtime.ts';
import { notifyListeners } from './ledger/outbox.store.ts';
import { drainOutboxJob } from './sending.jobs.ts';

/** Announcements of one project within this time are one. */
const windowMs = 10;

type SendingServices = Pick<Services, 'database' | 'workflows' | 'log'>;

const pending = new WeakMap<SendingServices, Set<string>>();

/**
 * Tells the outbox of a project that there is something new. A lane that listens hears it within milliseconds; when none
 * does, the workflow is woken. A hint: what it announces is in the Delivery table, and `reconcile` finds it there.
 */
export function notifyOutbox(services: SendingServices, projectId: string): void {
  let projects = pending.get(services);
  if (!projects) {
    projects = new Set();
    pending.set(services, projects);
  }
  if (projects.has(projectId)) return;
  projects.add(projectId);
  setTimeout(() => {
    projects.delete(projectId);
    notifyListeners(services.database.asyncCommit, outboxChannel, projectId)
      .then((heard) => {
        if (!heard) services.workflows.signalDebounced(drainOutboxJob, { projectId });
      })
      .catch((error: unknown) =>
        services.log.warn({ err: error, projectId }, 'could not notify listeners of new email'),
      );
  }, windowMs);
}

/**
 * Starts a campaign's delivery. A lane that listens for new mail is not the one that sends campaigns, so the workflow
 * itself must hear of it.
 */
export const signalBulkDelivery = (services: Services, projectId: string): Promise<void> =>
  services.workflows.signal(drainOutboxJob, { projectId });
