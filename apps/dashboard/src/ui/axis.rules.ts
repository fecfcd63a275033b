const steps = [1, 2, 4, 5, 6, 8, 10];

/**
 * A round number to end an axis with, at least as large as the largest value, so that halves of it are whole.
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
