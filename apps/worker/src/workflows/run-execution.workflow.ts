import { taskQueues } from '@postrider/core/base/kernel/jobs';
import { condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { TickActivities, WebhookActivities } from './workflows.activities.ts';

const { takeTurn } = heartbeatingActivities<TickActivities>({
  startToCloseTimeout: '2 minutes',
  retry: retries.endless,
});

const { takeCallingTurn } = heartbeatingActivities<WebhookActivities>({
  taskQueue: taskQueues.webhooks,
  startToCloseTimeout: '3 minutes',
  retry: retries.endless,
});

/** One contact's execution of a customer workflow. Its rows hold its position; this workflow only waits and runs the next tick. */
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
