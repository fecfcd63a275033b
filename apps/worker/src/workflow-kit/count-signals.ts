import { readRowSignal } from '@postrider/core/base/kernel/jobs';
import { defineSignal, setHandler } from '@temporalio/workflow';

const readRow = defineSignal(readRowSignal);

/**
 * Handles the one signal of every workflow ("read your row again"). Call it first in a workflow function.
 *
 * @returns how many signals this run has received so far; it grows while the run waits
 */
export function countSignals(): { readonly count: number } {
  const signals = { count: 0 };
  setHandler(readRow, () => {
    signals.count += 1;
  });
  return signals;
}
