import { Counts } from '../../../base/lib/index.ts';

/** Requests of WEBHOOK steps that a worker process has under way to one host (behaviour B6.6): a fifth of all its slots. */
export const webhooksPerHost = 100;
/** How long a step waits when its host has no free slot, in milliseconds; spread, so that steps do not return together. */
const wait = { least: 5_000, spread: 25_000 } as const;

const underWay = new Counts();

/**
 * Takes a slot of a host, so that a flood of one host, or one that answers slowly, neither grows nor keeps other hosts waiting.
 *
 * @returns what frees the slot; null when none is free
 */
export const takeHostSlot = (url: string): (() => void) | null =>
  underWay.take(URL.parse(url)?.hostname ?? '', webhooksPerHost);

/** When a step without a slot tries again. */
export const nextTry = (now: number): Date => new Date(now + wait.least + Math.random() * wait.spread);
