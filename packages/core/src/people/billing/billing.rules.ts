/** Share of a cap from which it is near, and from which it is reached, in percent. */
const warningFrom = 80;
const blockedFrom = 100;

export interface Usage {
  limit: number | null;
  usage: number;
  percentage: number;
  isWarning: boolean;
  isBlocked: boolean;
}

/** The usage of a category next to its cap; `percentage` has at most two decimals and is 0 without a cap. */
export function usageOf(usage: number, limit: number | null): Usage {
  const percentage = limit === null ? 0 : Math.round((usage / limit) * 10_000) / 100;
  const reached = (percent: number): boolean => limit !== null && usage * 100 >= limit * percent;
  return { limit, usage, percentage, isWarning: reached(warningFrom), isBlocked: reached(blockedFrom) };
}

/** Emails per month of a project that has neither a subscription nor caps of its own. */
export const freeEmailsPerMonth = 1_000;

export interface Caps {
  workflows: number | null;
  campaigns: number | null;
  transactional: number | null;
}

/** The cap over all categories; null for none. `reserve_usage` in the database applies the same rule. */
export const totalCapOf = (subscription: string | null, caps: Caps): number | null =>
  subscription === null && Object.values(caps).every((cap) => cap === null) ? freeEmailsPerMonth : null;

/** The calendar month (UTC) of a time: its first instant, and that of the next month. */
export function monthOf(at: Date): { start: Date; end: Date } {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}
