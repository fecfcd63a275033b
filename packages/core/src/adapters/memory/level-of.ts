import type { MemoryLevel } from '../../base/kernel/memory-level.ts';

const lowBelow = 0.2;
const shortBelow = 0.1;

/** By the share of the memory that is left. */
export const levelOf = (left: number): MemoryLevel =>
  left < shortBelow ? 'short' : left < lowBelow ? 'low' : 'enough';
