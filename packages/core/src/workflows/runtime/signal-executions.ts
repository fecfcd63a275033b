import type { Services } from '../../kernel/index.ts';
import { runExecutionJob } from '../workflows.jobs.ts';

/** Starts at the engine that are under way at once. */
const lanes = 25;

/** Starts or wakes the workflows of executions. Hints: `reconcile` repeats what gets lost. */
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
