import { setTimeout as delay } from 'node:timers/promises';
import { type ExecutionRunners, handOver } from '@postrider/core/automation/workflows';
import type { Services } from '@postrider/core/base/kernel';
import { Context } from '@temporalio/activity';

/** After this, with as much again at random, a shard may go to another process. */
const drivenMs = 240_000;

/** What the workflows of the version before are told: that there is nothing left to do for them. */
interface Handed {
  kind: 'end';
}

/** The activities of the queue `executions`. */
export interface ExecutionActivities {
  /** Marks a shard as driven by this process for some minutes. */
  driveShard(shard: number): Promise<void>;
  /** Of `runExecution`, which the version before used for each execution: sets take it from here. */
  takeTurn(executionId: string): Promise<Handed>;
}

/** The activities of the queue `webhooks`, on which `runExecution` may wait for its second one. */
export interface FormerActivities {
  takeCallingTurn(executionId: string): Promise<Handed>;
}

export function createExecutionActivities(
  services: Services,
  runners: Pick<ExecutionRunners, 'drive'>,
): ExecutionActivities {
  return {
    async driveShard(shard) {
      const { cancellationSignal, info } = Context.current();
      // Temporal counts attempts: the one before was lost with its process, or with its connection.
      const release = runners.drive(shard, info.attempt > 1);
      try {
        await delay(drivenMs + Math.random() * (drivenMs / 2), undefined, {
          signal: cancellationSignal,
        }).catch(() => undefined);
      } finally {
        release();
      }
    },
    takeTurn: (executionId) => endFormer(services, executionId),
  };
}

export const createFormerActivities = (services: Services): FormerActivities => ({
  takeCallingTurn: (executionId) => endFormer(services, executionId),
});

async function endFormer(services: Services, executionId: string): Promise<Handed> {
  await handOver(services, executionId);
  return { kind: 'end' };
}
