export { giveUpLateCuts } from './cut-slice.ts';
export { slicesToSweep } from './drop-slices.ts';
export { keptDays, limitOf, longestKeptMs, slicedTables } from './slices.rules.ts';
export { finishDropsOf, tendSlices } from './tend-slices.ts';
