export {
  advanceExecution,
  findNeglectedExecutions,
} from './advance-execution.ts';
export { dispatchBatch } from './dispatch-events.ts';
export {
  enterScheduleBatch,
  findNeglectedSchedules,
  forgetSchedules,
  readWantedSchedule,
  type WantedSchedule,
} from './enter-schedule.ts';
export { takeGuardedTick } from './lost-ticks.ts';
export { type RehearsedStep, rehearse } from './rehearse.ts';
export type { EntryCursor } from './schedule.store.ts';
export { signalExecutions } from './signal-executions.ts';
export type { TickResult } from './tick-result.ts';
