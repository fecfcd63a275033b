import type { LockedExecution } from './execution.store.ts';

/** Whether an execution is active and stands where it stood when it was read. */
export const standsStill = (
  locked: LockedExecution,
  { currentStepId }: Pick<LockedExecution, 'currentStepId'>,
): boolean => isActive(locked.status) && locked.currentStepId === currentStepId;

export const isActive = (status: LockedExecution['status']): boolean =>
  status === 'RUNNING' || status === 'WAITING';
