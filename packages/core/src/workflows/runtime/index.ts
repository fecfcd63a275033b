export {
  advanceExecution,
  findNeglectedExecutions,
  type TurnOptions,
} from './advance-execution.ts';
export { dispatchBatch } from './dispatch-events.ts';
export {
  enterScheduleBatch,
  findNeglectedSchedules,
  forgetSchedules,
  readWantedSchedule,
  type WantedSchedule,
} from './enter-schedule.ts';
export type { ExecutionTurn } from './execution-turn.ts';
export type { EntryCursor } from './schedule.store.ts';
export { signalExecutions } from './signal-executions.ts';
