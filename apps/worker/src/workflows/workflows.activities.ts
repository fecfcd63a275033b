import {
  advanceExecution,
  dispatchBatch,
  type EntryCursor,
  enterScheduleBatch,
  moveExecutionsBatch,
  readWantedSchedule,
  signalExecutions,
  type TickResult,
  takeGuardedTick,
} from '@postrider/core/automation/workflows';
import type { Services } from '@postrider/core/base/kernel';
import { Context } from '@temporalio/activity';
import type { CustomerSchedules } from './customer-schedule.ts';

export type { EntryCursor };

export interface WorkflowActivities {
  /** @returns the number of dispatched events */
  dispatchEventBatch(projectId: string): Promise<number>;
  alignSchedule(workflowId: string): Promise<void>;
  /** @returns where the next batch begins; null when all contacts have entered */
  enterBatch(workflowId: string, tick: number, after: EntryCursor | null): Promise<EntryCursor | null>;
  /** Rewrites the next executions that a publish has moved. @returns whether there may be more */
  moveBatch(jobId: string): Promise<boolean>;
}

/** The activities of the queue `executions`. */
export interface TickActivities {
  /** A tick that makes no request to a customer's host. */
  takeTurn(executionId: string): Promise<TickResult>;
}

/** The activities of the queue `webhooks`. */
export interface WebhookActivities {
  /** A tick that may start with a WEBHOOK step. */
  takeCallingTurn(executionId: string): Promise<TickResult>;
}

/** Milliseconds since the epoch; tests that skip time pass the clock of their Temporal server. */
export type Clock = () => Promise<number>;

const systemClock: Clock = async () => Date.now();

export function createWorkflowActivities(
  services: Services,
  schedules: CustomerSchedules,
): WorkflowActivities {
  return {
    dispatchEventBatch: (projectId) => dispatchBatch(services, projectId),
    async alignSchedule(workflowId) {
      const { wanted, seen } = await readWantedSchedule(services, workflowId);
      await schedules.align(workflowId, wanted);
      await seen();
    },
    async enterBatch(workflowId, tick, after) {
      const batch = await enterScheduleBatch(services, workflowId, tick, after);
      // Deleting a workflow does not remove its schedule, so the next tick does.
      if (!batch.isScheduled) await schedules.align(workflowId, null);
      await signalExecutions(services, batch.executionIds);
      return batch.next;
    },
    moveBatch: (jobId) => moveExecutionsBatch(services, jobId),
  };
}

export const createTickActivities = (services: Services, clock: Clock = systemClock): TickActivities => ({
  takeTurn: (executionId) => takeTickOf(services, executionId, clock, { calls: false }),
});

export const createWebhookActivities = (
  services: Services,
  clock: Clock = systemClock,
): WebhookActivities => ({
  takeCallingTurn: (executionId) => takeTickOf(services, executionId, clock, {}),
});

/** Histories name the activities `takeTurn` and `takeCallingTurn`, so these keep their names. */
function takeTickOf(
  services: Services,
  executionId: string,
  clock: Clock,
  options: { calls?: boolean },
): Promise<TickResult> {
  const { info, cancellationSignal } = Context.current();
  return takeGuardedTick(services, executionId, info.attempt, () =>
    advanceExecution(services, executionId, clock, {
      ...options,
      stopping: cancellationSignal,
      singly: info.attempt > 1,
    }),
  );
}
