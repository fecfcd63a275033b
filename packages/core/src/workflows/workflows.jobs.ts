import type { JobContract } from '../kernel/ports/workflow-engine.ts';

/** One execution of a customer's workflow, from its trigger to its end. */
export const runExecutionJob: JobContract<{ executionId: string }> = {
  workflow: 'runExecution',
  // Thousands may begin in one moment; on a queue of their own they keep nobody's mail or campaign waiting.
  taskQueue: 'executions',
  id: ({ executionId }) => `execution/${executionId}`,
};

/** Keeps the schedule of a SCHEDULE workflow as its row says; poked whenever its trigger, `enabled` or existence changes. */
export const keepScheduleJob: JobContract<{ workflowId: string }> = {
  workflow: 'keepSchedule',
  taskQueue: 'control',
  id: ({ workflowId }) => `schedule/${workflowId}`,
};
