import type { Services } from '../../../base/kernel/index.ts';
import { runExecutionJob } from '../workflows.jobs.ts';

/** The number of concurrent starts at Temporal. */
const lanes = 25;

/** Starts or signals the Temporal workflows of executions. Signals may be lost; `reconcile` repeats them. */
export async function signalExecutions(
  services: Services,
  ids: readonly string[],
  onProgress: () => void = () => undefined,
): Promise<void> {
  const open = ids.values();
  const lane = async (): Promise<void> => {
    for (const executionId of open) {
      await services.workflows.signal(runExecutionJob, { executionId });
      onProgress();
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, ids.length) }, lane));
}
