import { countSignals } from '../workflow-kit/count-signals.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { WorkflowActivities } from './workflows.activities.ts';

const { alignSchedule } = heartbeatingActivities<Pick<WorkflowActivities, 'alignSchedule'>>({
  startToCloseTimeout: '30 seconds',
  retry: retries.endless,
});

/** Aligns the Temporal Schedule of one customer workflow with its row, one change at a time; the last one wins. */
export async function keepSchedule({ workflowId }: { workflowId: string }): Promise<void> {
  const signals = countSignals();
  let seen: number;
  do {
    seen = signals.count;
    await alignSchedule(workflowId);
  } while (signals.count > seen);
}
