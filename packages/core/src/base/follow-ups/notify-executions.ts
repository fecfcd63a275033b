import type { Pool } from 'pg';
import { Prisma, prepared } from '../db/index.ts';
import type { Services } from '../kernel/services.ts';
import { debouncePerKey } from '../lib/debounce.ts';

/** The PostgreSQL channel for notifications of what is due in workflows. The payload is the id of the project. */
export const executionsChannel = 'postrider_executions';

/** What becomes due within this time of a notification shares the next one. */
const pauseMs = 10;

type NotifyingServices = Pick<Services, 'database' | 'log' | 'isRehearsal'>;

const notifiers = new WeakMap<object, (projectId: string) => void>();

/**
 * Tells the processes that run executions that something is due in a project, to be called after the commit. The notification may be lost,
 * because they also look every two seconds.
 */
export function notifyExecutions(services: NotifyingServices, projectId: string): void {
  if (services.isRehearsal) return;
  const notifier =
    notifiers.get(services) ??
    createExecutionNotifier(services.database.asyncCommit, (error, id) =>
      services.log.warn({ err: error, projectId: id }, 'could not tell that executions are due'),
    );
  notifiers.set(services, notifier);
  notifier(projectId);
}

export const createExecutionNotifier = (
  pool: Pool,
  onError: (error: unknown, projectId: string) => void,
): ((projectId: string) => void) =>
  debouncePerKey(
    async (projectId) => {
      try {
        await pool.query(notification({ channel: executionsChannel, payload: projectId }));
      } catch (error) {
        onError(error, projectId);
      }
    },
    { keyOf: (projectId) => projectId, pauseMs: () => pauseMs },
  );

const notification = prepared<{ channel: string; payload: string }>(
  'notify-executions',
  ({ channel, payload }) => Prisma.sql`SELECT pg_notify(${channel}, ${payload})`,
);
