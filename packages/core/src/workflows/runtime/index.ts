export { advanceExecution, type ExecutionTurn, findNeglectedExecutions } from './advance-execution.ts';
export { dispatchBatch } from './dispatch-events.ts';
export {
  enterScheduleBatch,
  findNeglectedSchedules,
  forgetSchedules,
  readWantedSchedule,
  type WantedSchedule,
} from './enter-schedule.ts';
export { pokeExecutions } from './poke-executions.ts';
export type { EntryCursor } from './schedule.store.ts';
