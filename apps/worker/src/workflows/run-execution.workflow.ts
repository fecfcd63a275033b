import { taskQueues } from '@postrider/core/base/kernel/jobs';
import { condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { ExecutionActivities, FormerActivities } from './executions.activities.ts';

/** The activities as this workflow knew them; those of this version answer `end`. */
type FormerTick = {
  [Name in keyof (Pick<ExecutionActivities, 'takeTurn'> & FormerActivities)]: (
    executionId: string,
  ) => Promise<TickResult>;
};
type TickResult =
  | { kind: 'end' }
  | { kind: 'wait'; until: number | null }
  | { kind: 'again' }
  | { kind: 'call' };

const { takeTurn } = heartbeatingActivities<Pick<FormerTick, 'takeTurn'>>({
  startToCloseTimeout: '2 minutes',
  retry: retries.endless,
});

const { takeCallingTurn } = heartbeatingActivities<Pick<FormerTick, 'takeCallingTurn'>>({
  taskQueue: taskQueues.webhooks,
  startToCloseTimeout: '3 minutes',
  retry: retries.endless,
});

/** One contact's execution in the version before. It stays for one version: those that sleep end when they wake. Sets take their executions. */
export async function runExecution({ executionId }: { executionId: string }): Promise<void> {
  const signals = countSignals();
  while (!workflowInfo().continueAsNewSuggested) {
    const seen = signals.count;
    let tick = await takeTurn(executionId);
    if (tick.kind === 'call') tick = await takeCallingTurn(executionId);
    if (tick.kind === 'again' || tick.kind === 'call') continue;
    if (tick.kind === 'end') {
      if (signals.count > seen) continue;
      return;
    }
    if (tick.until === null) await condition(() => signals.count > seen);
    else await condition(() => signals.count > seen, Math.max(1, tick.until - Date.now()));
  }
  await continueAsNew<typeof runExecution>({ executionId });
}
