import type { Pool } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/services.ts';
import { debouncePerKey } from '../../base/lib/debounce.ts';
import { outboxChannel, payloadOf } from './outbox-channel.ts';

/** Email stored within this time of a notification shares the next one. */
const pauseMs = 10;

type SendingServices = Pick<Services, 'database' | 'log' | 'isRehearsal'>;

const notifiers = new WeakMap<SendingServices, (payload: string) => void>();

/**
 * Notifies the delivery processes of a project's new email, to be called after the commit: they claim it within milliseconds. The
 * notification may be lost, because they also look for due email every second.
 */
export const notifyOutbox = (services: SendingServices, projectId: string): void =>
  notify(services, payloadOf(projectId, 'direct'));

/** The same for email of campaigns. */
export const signalBulkDelivery = async (services: SendingServices, projectId: string): Promise<void> =>
  notify(services, payloadOf(projectId, 'bulk'));

function notify(services: SendingServices, payload: string): void {
  if (services.isRehearsal) return;
  const notifier = notifiers.get(services) ?? createNotifier(services);
  notifiers.set(services, notifier);
  notifier(payload);
}

const createNotifier = ({ database, log }: SendingServices): ((payload: string) => void) =>
  debouncePerKey(
    async (payload) => {
      try {
        await notifyListeners(database.asyncCommit, payload);
      } catch (error) {
        log.warn({ err: error, payload }, 'could not notify the delivery processes of new email');
      }
    },
    { keyOf: (payload) => payload, pauseMs: () => pauseMs },
  );

async function notifyListeners(pool: Pool, payload: string): Promise<void> {
  await pool.query(notification({ channel: outboxChannel, payload }));
}

const notification = prepared<{ channel: string; payload: string }>(
  'notify-outbox',
  ({ channel, payload }) => Prisma.sql`SELECT pg_notify(${channel}, ${payload})`,
);
