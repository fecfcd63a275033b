/** What is written in one minute of one project and process, besides counts (behaviour B11.9). */
export const sampleSize = { refused: 60, accepted: 20 } as const;

/** Longest JSON of a request, and of a reply, in characters. */
export const mostShown = 4_096;

/** Refused is what was not carried out. */
export const isRefused = (status: number): boolean => status >= 400;

/** Steps of durations: each is the fourth root of 2 times the one before, beginning at half a millisecond. */
const stepsPerDoubling = 4;
const shortestMs = 0.5;
const lastStep = 80;

/** The step of a duration, for counting. */
export function stepOf(ms: number): number {
  if (ms <= shortestMs) return 0;
  return Math.min(lastStep, Math.ceil(Math.log2(ms / shortestMs) * stepsPerDoubling));
}

/** The longest duration of a step, in milliseconds. */
const longestOf = (step: number): number => shortestMs * 2 ** (step / stepsPerDoubling);

/**
 * What 95 % of the requests took at most, rounded up to whole milliseconds.
 *
 * @param durations how many requests were in each step
 */
export function p95Of(durations: Readonly<Record<string, number>>): number {
  const steps = Object.entries(durations)
    .map(([step, count]) => ({ step: Number(step), count }))
    .sort((a, b) => a.step - b.step);
  const total = steps.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  for (const { step, count } of steps) {
    seen += count;
    if (seen >= total * 0.95) return Math.ceil(longestOf(step));
  }
  return 0;
}

export const quarterMs = 900_000;
export const dayMs = 86_400_000;

/** The beginning of the quarter of an hour, or of the day of UTC, in which a time is; in milliseconds. */
export const quarterStart = (ms: number): number => Math.floor(ms / quarterMs) * quarterMs;
export const dayStart = (ms: number): number => Math.floor(ms / dayMs) * dayMs;
