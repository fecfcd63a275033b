import type { NeglectedRow } from '../../../base/db/index.ts';
import { notifyExecutions } from '../../../base/follow-ups/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { triggerDefinition } from '../triggers/triggers.schema.ts';
import {
  type EnteredBatch,
  type EntryCursor,
  enterBySchedule,
  findUnseenSchedules,
  markScheduleSeen,
  readSchedule,
  type ScheduleRow,
  unseeSchedules,
} from './schedule.store.ts';

const batchSize = 5_000;

/** The Temporal schedule that a workflow should have; null for none. */
export interface WantedSchedule {
  cron: string;
  timezone: string;
}

const isScheduledNow = ({ enabled, triggerType }: ScheduleRow): boolean =>
  enabled && triggerDefinition(triggerType).isScheduled;

/** Reads the schedule that a workflow should have; call `seen` once it exists. */
export async function readWantedSchedule(
  { database }: Services,
  workflowId: string,
): Promise<{ wanted: WantedSchedule | null; seen: () => Promise<void> }> {
  const row = await readSchedule(database.prisma, workflowId);
  const { cron, timezone = 'UTC' } = row?.triggerConfig ?? {};
  const isWanted = row !== null && isScheduledNow(row) && cron !== undefined;
  return {
    wanted: isWanted ? { cron, timezone } : null,
    seen: async () => {
      if (row) await markScheduleSeen(database.prisma, workflowId, row.wakeSeq);
    },
  };
}

/**
 * Enters the next batch of contacts for one tick of a schedule (behaviour B3.4).
 *
 * @param tick the time of the tick in milliseconds
 * @returns null when the workflow no longer accepts entries; `isScheduled` false: its schedule should not exist
 */
export async function enterScheduleBatch(
  services: Services,
  workflowId: string,
  tick: number,
  after: EntryCursor | null,
): Promise<EnteredBatch & { isScheduled: boolean }> {
  const { prisma } = services.database;
  const workflow = await readSchedule(prisma, workflowId);
  const isScheduled = workflow !== null && isScheduledNow(workflow);
  if (!workflow || !isScheduled || workflow.projectStopped) return { started: 0, next: null, isScheduled };
  const batch = await enterBySchedule(prisma, workflow, tick, after, batchSize);
  if (batch.started > 0) notifyExecutions(services, workflow.projectId);
  return { ...batch, isScheduled };
}

/** One page of workflows whose schedule `reconcile` checks. */
export const findNeglectedSchedules = (
  { database }: Services,
  after: NeglectedRow | null,
  limit: number,
): Promise<NeglectedRow[]> => findUnseenSchedules(database.prisma, after, limit);

/** To be called when Temporal has lost its schedules. */
export const forgetSchedules = ({ database }: Services): Promise<void> => unseeSchedules(database.prisma);
