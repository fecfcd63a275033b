import type { Services } from '@postrider/core/kernel';
import {
  advanceExecution,
  dispatchBatch,
  type EntryCursor,
  type ExecutionTurn,
  enterScheduleBatch,
  pokeExecutions,
  readWantedSchedule,
} from '@postrider/core/workflows';
import { Context } from '@temporalio/activity';
import type { CustomerSchedules } from './customer-schedule.ts';

export type { EntryCursor };

export interface WorkflowActivities {
  /** @returns how many events were taken */
  dispatchEventBatch(projectId: string): Promise<number>;
  takeTurn(executionId: string): Promise<ExecutionTurn>;
  alignSchedule(workflowId: string): Promise<void>;
  /** @returns where the next batch begins; null: everybody entered */
  enterBatch(workflowId: string, tick: number, after: EntryCursor | null): Promise<EntryCursor | null>;
}

const heartbeatEveryMs = 5_000;

/** @param clock milliseconds since the epoch; tests that skip time bring the clock of their Temporal server */
export function createWorkflowActivities(
  services: Services,
  schedules: CustomerSchedules,
  clock: () => Promise<number> = async () => Date.now(),
): WorkflowActivities {
  return {
    dispatchEventBatch: (projectId) => withHeartbeat(() => dispatchBatch(services, projectId)),
    takeTurn: (executionId) => advanceExecution(services, executionId, clock),
    async alignSchedule(workflowId) {
      const { wanted, seen } = await readWantedSchedule(services, workflowId);
      await schedules.align(workflowId, wanted);
      await seen();
    },
    enterBatch: (workflowId, tick, after) =>
      withHeartbeat(async () => {
        const batch = await enterScheduleBatch(services, workflowId, tick, after);
        // A workflow that was deleted takes nobody with it that would tell its schedule.
        if (!batch.isScheduled) await schedules.align(workflowId, null);
        await pokeExecutions(services, batch.executionIds);
        return batch.next;
      }),
  };
}

async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const heart = setInterval(() => context.heartbeat(), heartbeatEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(heart);
  }
}
