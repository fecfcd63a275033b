const limits = [1, 100] as const;

/** How a row of columns is divided, as it is stored; null for equal parts. */
export function sharesIn(stored: unknown): readonly number[] | null {
  if (!Array.isArray(stored) || stored.length === 0) return null;
  const [min, max] = limits;
  const parts = stored.map((part: unknown) =>
    typeof part === 'number' && Number.isFinite(part) ? Math.min(max, Math.max(min, Math.round(part))) : min,
  );
  return parts;
}

/** The share of the width that each column has: they add up to 1. Parts for another number of columns are ignored. */
export function shareOfEach(parts: readonly number[] | null, count: number): number[] {
  const used = parts !== null && parts.length === count ? parts : Array.from({ length: count }, () => 1);
  const total = used.reduce((sum, part) => sum + part, 0);
  return used.map((part) => part / total);
}
