import type { JobContract } from '../kernel/ports/workflow-engine.ts';

/** One execution of a customer's workflow, from its trigger to its end. */
export const runExecutionJob: JobContract<{ executionId: string }> = {
  workflow: 'runExecution',
  taskQueue: 'control',
  id: ({ executionId }) => `execution/${executionId}`,
};

/** Keeps the schedule of a SCHEDULE workflow as its row says; poked whenever its trigger, `enabled` or existence changes. */
export const keepScheduleJob: JobContract<{ workflowId: string }> = {
  workflow: 'keepSchedule',
  taskQueue: 'control',
  id: ({ workflowId }) => `schedule/${workflowId}`,
};
