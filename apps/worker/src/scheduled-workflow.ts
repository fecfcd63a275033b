/** Workflows that are started only by a Temporal Schedule; all others have a contract in core (`jobs.test.ts`). */
export type ScheduledWorkflow =
  | 'endSnoozes'
  | 'enterSchedule'
  | 'findProviders'
  | 'foldFigures'
  | 'reconcile'
  | 'reportUsage'
  | 'slices'
  | 'sweep';
