export const periods = [
  { value: '1', label: '24 hours' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const;

export type PeriodName = (typeof periods)[number]['value'];

/**
 * The query of a period until now in the zone of the browser. It starts with a whole hour or day, so that it stays the same
 * for a while.
 */
export function queryOf(name: PeriodName, now: Date) {
  const from = new Date(now);
  if (name === '1') {
    from.setMinutes(0, 0, 0);
    from.setHours(from.getHours() - 23);
  } else {
    from.setHours(0, 0, 0, 0);
    from.setDate(from.getDate() - Number(name) + 1);
  }
  return {
    from: from.toISOString(),
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
