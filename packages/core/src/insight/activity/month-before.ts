const monthMs = 30 * 86_400_000;

/** Where the period of an activity request starts by default. */
export const monthBefore = (end: Date): Date => new Date(end.getTime() - monthMs);
