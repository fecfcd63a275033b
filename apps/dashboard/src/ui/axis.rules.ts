const steps = [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10];

/**
 * A round number for the end of an axis: at least the largest value, and even, so that half of it is a whole number.
 *
 * @param largest 0 or more
 */
export function axisEnd(largest: number): number {
  const atLeast = Math.max(largest, 4);
  const magnitude = 10 ** Math.floor(Math.log10(atLeast));
  const step = steps.find((candidate) => candidate * magnitude >= atLeast) ?? 10;
  const end = step * magnitude;
  return end % 2 === 0 ? end : end + 1;
}
