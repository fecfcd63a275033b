import type { LockedExecution } from './execution.store.ts';

/** Whether an execution is active and still at the step that was read. */
export const isUnchanged = (
  locked: LockedExecution,
  { currentStepId }: Pick<LockedExecution, 'currentStepId'>,
): boolean => isActive(locked.status) && locked.currentStepId === currentStepId;

export const isActive = (status: LockedExecution['status']): boolean =>
  status === 'RUNNING' || status === 'WAITING';
