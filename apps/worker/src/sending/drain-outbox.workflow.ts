import { taskQueues } from '@postrider/core/kernel/jobs';
import { CancellationScope, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { SendingActivities } from './sending.activities.ts';

/** A lane is one long activity that determines its own end; the heartbeat only detects a lost worker. */
const deliveryTimeouts = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: retries.prompt,
} as const;

const { deliverDirect } = heartbeatingActivities<Pick<SendingActivities, 'deliverDirect'>>({
  ...deliveryTimeouts,
  taskQueue: taskQueues.mail,
});
const { deliverBulk } = heartbeatingActivities<Pick<SendingActivities, 'deliverBulk'>>({
  ...deliveryTimeouts,
  taskQueue: taskQueues.mailBulk,
});

/** One workflow run accepts a limited number of signals. */
const signalsPerRun = 500;

/**
 * Drains one project's outbox: a lane for transactional and workflow mail, and one for campaigns. A lane runs again
 * for signals that arrived while it was running.
 */
export async function drainOutbox({ projectId }: { projectId: string }): Promise<void> {
  const signals = countSignals();
  const idle = { direct: false, bulk: false };
  const shouldContinueAsNew = (): boolean =>
    signals.count >= signalsPerRun || workflowInfo().continueAsNewSuggested;

  async function lane(name: keyof typeof idle, deliver: SendingActivities['deliverDirect']): Promise<void> {
    while (!shouldContinueAsNew()) {
      idle[name] = false;
      const seen = signals.count;
      const { nextDueAt } = await deliver({ projectId });
      const dueIn = nextDueAt === null ? null : nextDueAt - Date.now();
      if (dueIn !== null && dueIn <= 0) continue;
      if (signals.count > seen) continue;
      if (dueIn !== null) {
        await condition(() => signals.count > seen, dueIn);
        continue;
      }
      idle[name] = true;
      await condition(() => signals.count > seen || (idle.direct && idle.bulk));
      if (signals.count === seen) return;
    }
  }

  await CancellationScope.cancellable(() =>
    Promise.all([lane('direct', deliverDirect), lane('bulk', deliverBulk)]).then(() => undefined),
  );
  if (shouldContinueAsNew()) await continueAsNew<typeof drainOutbox>({ projectId });
}
