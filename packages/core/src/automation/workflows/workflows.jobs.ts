import { defineJob, taskQueues } from '../../base/kernel/kernel.jobs.ts';

/** One execution of a customer's workflow, from its trigger to its end. */
export const runExecutionJob = defineJob({
  workflow: 'runExecution',
  taskQueue: taskQueues.executions,
  id: ({ executionId }: { executionId: string }) => `execution/${executionId}`,
});

/** Keeps the Temporal Schedule of a SCHEDULE workflow in line with its row; signalled when its trigger, `enabled` or existence changes. */
export const keepScheduleJob = defineJob({
  workflow: 'keepSchedule',
  taskQueue: taskQueues.control,
  id: ({ workflowId }: { workflowId: string }) => `schedule/${workflowId}`,
});

/** Rewrites the executions whose place or time a publish has changed, batch by batch. */
export const moveExecutionsJob = defineJob({
  workflow: 'moveExecutions',
  taskQueue: taskQueues.control,
  id: ({ jobId }: { jobId: string }) => `move-executions/${jobId}`,
});

/** Dispatches the pending events of a project (EventDispatch) to triggers, wait steps and tracked segments. */
export const dispatchEventsJob = defineJob({
  workflow: 'dispatchEvents',
  taskQueue: taskQueues.control,
  id: ({ projectId }: { projectId: string }) => `events/${projectId}`,
});
