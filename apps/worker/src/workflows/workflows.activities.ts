import {
  changeExecutionsBatch,
  type EntryCursor,
  enterScheduleBatch,
  moveExecutionsBatch,
  readWantedSchedule,
} from '@postrider/core/automation/workflows';
import { notifyExecutions } from '@postrider/core/base/follow-ups';
import type { Services } from '@postrider/core/base/kernel';
import type { CustomerSchedules } from './customer-schedule.ts';

export type { EntryCursor };

export interface WorkflowActivities {
  /** Of `dispatchEvents`, which the version before used: runners dispatch. @returns 0 */
  dispatchEventBatch(projectId: string): Promise<number>;
  alignSchedule(workflowId: string): Promise<void>;
  /** @returns where the next batch begins; null when all contacts have entered */
  enterBatch(workflowId: string, tick: number, after: EntryCursor | null): Promise<EntryCursor | null>;
  /** Rewrites the next executions that a publish has moved. @returns whether there may be more */
  moveBatch(jobId: string): Promise<boolean>;
  /** Cancels, retries or removes the next executions of a job. @returns whether there may be more */
  changeExecutionsBatch(jobId: string): Promise<boolean>;
}

export function createWorkflowActivities(
  services: Services,
  schedules: CustomerSchedules,
): WorkflowActivities {
  return {
    async dispatchEventBatch(projectId) {
      notifyExecutions(services, projectId);
      return 0;
    },
    async alignSchedule(workflowId) {
      const { wanted, seen } = await readWantedSchedule(services, workflowId);
      await schedules.align(workflowId, wanted);
      await seen();
    },
    async enterBatch(workflowId, tick, after) {
      const batch = await enterScheduleBatch(services, workflowId, tick, after);
      // Deleting a workflow does not remove its schedule, so the next tick does.
      if (!batch.isScheduled) await schedules.align(workflowId, null);
      return batch.next;
    },
    moveBatch: (jobId) => moveExecutionsBatch(services, jobId),
    changeExecutionsBatch: (jobId) => changeExecutionsBatch(services, jobId),
  };
}
