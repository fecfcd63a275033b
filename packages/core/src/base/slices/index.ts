export { giveUpLateCuts } from './cut-slice.ts';
export { slicesToSweep } from './drop-slices.ts';
export { limitOf, longestKeptMs, slicedTables } from './slices.rules.ts';
export { finishDropsOf, tendSlices } from './tend-slices.ts';
