export { giveUpLateCuts } from './cut-slice.ts';
export { slicesToSweep } from './drop-slices.ts';
export { limitOf, slicedTables } from './slices.rules.ts';
export { tendSlices } from './tend-slices.ts';
