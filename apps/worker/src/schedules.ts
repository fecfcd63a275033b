import { taskQueues } from '@postrider/core/base/kernel';
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Logger } from 'pino';
import type { ScheduledWorkflow } from './scheduled-workflow.ts';

interface PermanentSchedule {
  /** also the name of its workflow's runs */
  id: string;
  workflow: ScheduledWorkflow;
  everySeconds: number;
}

const reconcile = { id: 'reconcile', workflow: 'reconcile' } as const;

const others: readonly PermanentSchedule[] = [
  { id: 'end-snoozes', workflow: 'endSnoozes', everySeconds: 300 },
  { id: 'find-providers', workflow: 'findProviders', everySeconds: 60 },
  { id: 'fold-figures', workflow: 'foldFigures', everySeconds: 60 },
  { id: 'report-usage', workflow: 'reportUsage', everySeconds: 3_600 },
  { id: 'slices', workflow: 'slices', everySeconds: 86_400 },
  { id: 'sweep', workflow: 'sweep', everySeconds: 3_600 },
];

/** Those of earlier versions. What they did, `reconcile` starts when there is something to do. */
const formerSchedules = ['fill-consent-log', 'normalize-addresses'] as const;

/** The ids of all of them. */
export const permanentSchedules: readonly string[] = [reconcile, ...others].map(({ id }) => id);

/**
 * Makes sure that the permanent schedules exist. Called repeatedly: Temporal's store may be emptied at any time, and
 * `reconcile`, which would detect the loss, is lost with it.
 *
 * @param onLost called when `reconcile` was missing: the rest of the store is then lost too, and rows must reflect that before it runs
 * @param looksAtAll whether the others are looked at though `reconcile` is there: someone may have removed one. Each look is a
 * query of the schedule's own workflow
 */
export async function ensureSchedules(
  client: Pick<Client, 'schedule'>,
  everySeconds: number,
  onLost: () => Promise<void>,
  log: Logger,
  looksAtAll: boolean,
): Promise<void> {
  const isThere = await exists(client, reconcile.id);
  if (isThere && !looksAtAll) return;
  if (!isThere) {
    await onLost();
    await create(client, { ...reconcile, everySeconds }, log);
  }
  for (const schedule of others)
    if (!(await exists(client, schedule.id))) await create(client, schedule, log);
  for (const id of formerSchedules)
    if (await exists(client, id)) {
      await client.schedule.getHandle(id).delete();
      log.info({ schedule: id }, 'removed the schedule of an earlier version');
    }
}

/** Runs `reconcile` at once, unless it runs. */
export const reconcileNow = (client: Pick<Client, 'schedule'>): Promise<void> =>
  client.schedule.getHandle(reconcile.id).trigger(ScheduleOverlapPolicy.SKIP);

async function exists(client: Pick<Client, 'schedule'>, id: string): Promise<boolean> {
  try {
    await client.schedule.getHandle(id).describe();
    return true;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}

async function create(
  client: Pick<Client, 'schedule'>,
  { id, workflow, everySeconds }: PermanentSchedule,
  log: Logger,
): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: id,
      spec: { intervals: [{ every: everySeconds * 1_000 }] },
      action: {
        type: 'startWorkflow',
        workflowType: workflow,
        taskQueue: taskQueues.control,
        workflowId: id,
        args: [],
      },
      policies: { overlap: 'SKIP', catchupWindow: '1 minute' },
      state: { triggerImmediately: true },
    });
    log.info({ schedule: id }, 'made a permanent schedule');
  } catch (error) {
    // Another worker created it first.
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
