export { dispatchBatch } from './dispatch-events.ts';
export { findDue, shardOf, shards } from './due.store.ts';
export {
  enterScheduleBatch,
  findNeglectedSchedules,
  forgetSchedules,
  readWantedSchedule,
  type WantedSchedule,
} from './enter-schedule.ts';
export { endStoppedExecutions, handOver } from './hand-over.store.ts';
export { type RehearsedStep, rehearse } from './rehearse.ts';
export { ExecutionRunners } from './runners.ts';
export type { EntryCursor } from './schedule.store.ts';
