/** Figures are counted by quarters of an hour, because zones differ from UTC by multiples of it. */
export const quarterMs = 900_000;
const dayMs = 86_400_000;

/** The beginning of the quarter of an hour of a time. */
export const quarterBefore = (at: Date): Date => new Date(Math.floor(at.getTime() / quarterMs) * quarterMs);

/** The first quarter of an hour that begins at a time or after it. */
export const quarterAfter = (at: Date): Date => new Date(Math.ceil(at.getTime() / quarterMs) * quarterMs);

export interface Period {
  from: Date;
  to: Date;
}

/** Which rows of figures add up to a period: those of whole days (UTC), and those of quarters of an hour before and after them. */
export interface FigureParts {
  days: Period | null;
  quarters: Period[];
}

/** @param period starts and ends with a quarter of an hour */
export function partsOf({ from, to }: Period): FigureParts {
  const firstDay = Math.ceil(from.getTime() / dayMs) * dayMs;
  const endDay = Math.floor(to.getTime() / dayMs) * dayMs;
  if (endDay <= firstDay) return { days: null, quarters: [{ from, to }] };
  const edges = [
    { from, to: new Date(firstDay) },
    { from: new Date(endDay), to },
  ];
  return {
    days: { from: new Date(firstDay), to: new Date(endDay) },
    quarters: edges.filter((edge) => edge.to.getTime() - edge.from.getTime() >= quarterMs),
  };
}
