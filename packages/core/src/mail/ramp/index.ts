export { dailyCapExceeded, scheduledPastToday } from './ramp.rules.ts';
export { capBeyondToday, exceededDailyCap } from './ramp.store.ts';
