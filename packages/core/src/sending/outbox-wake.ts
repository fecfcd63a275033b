import type { Services } from '../kernel/services.ts';
import { outboxChannel } from './delivery/delivery-engine.ts';
import { announce } from './ledger/outbox.store.ts';
import { drainOutboxJob } from './sending.jobs.ts';

/** Announcements of one project within this time are one. */
const windowMs = 10;

type SendingServices = Pick<Services, 'database' | 'engine' | 'log'>;

const pending = new WeakMap<SendingServices, Set<string>>();

/**
 * Tells the outbox of a project that there is something new. A lane that listens hears it within milliseconds; when none
 * does, the workflow is woken. A hint: what it announces is in the Delivery table, and `reconcile` finds it there.
 */
export function wakeOutbox(services: SendingServices, projectId: string): void {
  let projects = pending.get(services);
  if (!projects) {
    projects = new Set();
    pending.set(services, projects);
  }
  if (projects.has(projectId)) return;
  projects.add(projectId);
  setTimeout(() => {
    projects.delete(projectId);
    announce(services.database.relaxed, outboxChannel, projectId)
      .then((heard) => {
        if (!heard) services.engine.wake(drainOutboxJob, { projectId });
      })
      .catch((error: unknown) => services.log.warn({ err: error, projectId }, 'could not announce new mail'));
  }, windowMs);
}

/**
 * Starts a campaign's delivery. A lane that listens for new mail is not the one that sends campaigns, so the workflow
 * itself must hear of it.
 */
export const wakeBulkDelivery = (services: Services, projectId: string): Promise<void> =>
  services.engine.poke(drainOutboxJob, { projectId });
