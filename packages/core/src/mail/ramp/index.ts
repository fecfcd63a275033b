export { dailyCapExceeded } from './ramp.rules.ts';
export { exceededDailyCap } from './ramp.store.ts';
