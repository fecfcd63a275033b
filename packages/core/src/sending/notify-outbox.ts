import { debouncePerKey } from '../kernel/debounce.ts';
import type { Services } from '../kernel/services.ts';
import { outboxChannel } from './delivery/delivery-runtime.ts';
import { notifyListeners } from './ledger/outbox.store.ts';
import { drainOutboxJob } from './sending.jobs.ts';

/** Email stored within this time shares one notification. */
const delayMs = 10;

type SendingServices = Pick<Services, 'database' | 'workflows' | 'log'>;

const notifiers = new WeakMap<SendingServices, (projectId: string) => void>();

/**
 * Notifies the outbox of a project of new email, to be called after the commit. A listening lane receives it within
 * milliseconds; without one, the workflow is signalled. It may be lost: the email is in the Delivery table, where
 * `reconcile` finds it.
 */
export function notifyOutbox(services: SendingServices, projectId: string): void {
  const notify = notifiers.get(services) ?? createNotifier(services);
  notifiers.set(services, notify);
  notify(projectId);
}

const createNotifier = ({ database, workflows, log }: SendingServices): ((projectId: string) => void) =>
  debouncePerKey(
    async (projectId) => {
      try {
        const isListening = await notifyListeners(database.asyncCommit, outboxChannel, projectId);
        if (!isListening) workflows.signalDebounced(drainOutboxJob, { projectId });
      } catch (error) {
        log.warn({ err: error, projectId }, 'could not notify the outbox of new mail');
      }
    },
    { keyOf: (projectId) => projectId, delayMs, pauseMs: () => 0 },
  );

/** Starts a campaign's delivery: listening lanes do not deliver campaigns, so the workflow itself is signalled. */
export const signalBulkDelivery = (services: Services, projectId: string): Promise<void> =>
  services.workflows.signal(drainOutboxJob, { projectId });
