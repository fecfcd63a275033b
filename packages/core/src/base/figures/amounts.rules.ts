/** A sum that no double holds is shown as the largest one. */
export const within = (sum: number): number => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, sum));

/** A sum of decimals; null is none. */
export const amountOf = (sum: string | null): number => within(Number(sum ?? 0));
