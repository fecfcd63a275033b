/** Requests of WEBHOOK steps that a worker process has under way to one host (behaviour B6.6): a fifth of all its slots. */
export const webhooksPerHost = 100;
/** How long a step waits when its host has no free slot, in milliseconds; spread, so that steps do not return together. */
const wait = { least: 5_000, spread: 25_000 } as const;

const underWay = new Map<string, number>();

/**
 * Takes a slot of a host, so that a flood of one host, or one that answers slowly, neither grows nor keeps other hosts waiting.
 *
 * @returns what frees the slot; null when none is free
 */
export function takeHostSlot(url: string): (() => void) | null {
  const host = URL.parse(url)?.hostname ?? '';
  const taken = underWay.get(host) ?? 0;
  if (taken >= webhooksPerHost) return null;
  underWay.set(host, taken + 1);
  return () => {
    const left = (underWay.get(host) ?? 1) - 1;
    if (left > 0) underWay.set(host, left);
    else underWay.delete(host);
  };
}

/** When a step without a slot tries again. */
export const nextTry = (now: number): Date => new Date(now + wait.least + Math.random() * wait.spread);
