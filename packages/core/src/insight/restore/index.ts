export { type AppliedRestore, applyRestore, type InFlight } from './apply-restore.ts';
export { findFaults } from './find-faults.ts';
export { repeatOptOut } from './repeat-opt-out.ts';
export { countDoubted, proveSent, sendRest } from './settle-doubts.ts';
