import { Client, ScheduleAlreadyRunning, ScheduleNotFoundError } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';

const reconcileId = 'reconcile';

/**
 * Makes sure that the standing schedules exist. Called again and again: Temporal's store may be emptied at any time, and
 * then the one thing that would notice, `reconcile`, is gone with it.
 */
export async function ensureSchedules(
  connection: NativeConnection,
  namespace: string,
  everySeconds: number,
  log: Logger,
): Promise<void> {
  const client = new Client({ connection, namespace });
  try {
    await client.schedule.getHandle(reconcileId).describe();
    return;
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
  try {
    await client.schedule.create({
      scheduleId: reconcileId,
      spec: { intervals: [{ every: everySeconds * 1_000 }] },
      action: {
        type: 'startWorkflow',
        workflowType: 'reconcile',
        taskQueue: 'control',
        workflowId: reconcileId,
        args: [],
      },
      policies: { overlap: 'SKIP', catchupWindow: '1 minute' },
      state: { triggerImmediately: true },
    });
    log.info('made the reconcile schedule');
  } catch (error) {
    // Another worker was faster.
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
