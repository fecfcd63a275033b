/** Workflows that only a Temporal Schedule starts; every other one has a contract in core (`jobs.test.ts`). */
export type ScheduledWorkflow = 'endSnoozes' | 'enterSchedule' | 'reconcile' | 'sweep';
