/** The median (the lower of two); 0 without values. */
export const median = (values: readonly number[]): number => percentile(values, 50);

/** The smallest value that at least `percent` of all values do not exceed; 0 without values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0;
}
