/**
 * How much memory is left on the machine, or in its container: `low` below a fifth, `short` below a tenth. It is one for all of a process, as
 * memory is, and read by all that must hold back.
 */
export type MemoryLevel = 'enough' | 'low' | 'short';

let level: MemoryLevel = 'enough';
const waiting = new Set<() => void>();

export const memoryLevel = (): MemoryLevel => level;

export function setMemoryLevel(next: MemoryLevel): void {
  level = next;
  if (level === 'short') return;
  for (const begin of waiting) begin();
  waiting.clear();
}

/** Waits while memory is short: for work that can begin later. What people wait for goes on. */
export async function untilMemory(): Promise<void> {
  while (level === 'short') await new Promise<void>((resolve) => waiting.add(resolve));
}
