import { AppError } from '../../base/kernel/errors.ts';
import { leastEvents, rateLimits } from '../../people/reputation/reputation.rules.ts';
import type { AppliedCaps } from '../ledger/index.ts';

/** How often the daily cap of a new project doubles; after that, nothing is capped (behaviour B8.1). */
export const growths = 10;

/** What `reserve_ramp` in the database applies: the cap doubles only below the warning level of either rate (B4.19). */
const rampOf = (firstCap: number): string =>
  JSON.stringify({
    firstCap,
    growths,
    bounces: { least: leastEvents.bounces.warning, percent: rateLimits.bounce7Day.warning },
    complaints: { least: leastEvents.complaints.warning, percent: rateLimits.complaint7Day.warning },
  });

/** The caps that this installation has. */
export const capsOf = (config: {
  billingEnabled: boolean;
  NEW_PROJECT_RAMP?: number | undefined;
}): AppliedCaps => ({
  billed: config.billingEnabled,
  ramp: config.NEW_PROJECT_RAMP === undefined ? null : rampOf(config.NEW_PROJECT_RAMP),
});

const dayMs = 86_400_000;

const growth = 'The limit doubles on each day with email while bounces and complaints stay low';

/** What exceeds the daily cap of a new project. Nothing of the request is stored. */
export const dailyCapExceeded = (cap: number, now = new Date()): AppError =>
  refusedToday(
    cap,
    now,
    `This project is new and can send ${cap} emails today (UTC), which this request would exceed`,
    `Wait until the time given in resetsAt. ${growth}`,
  );

/** Email of a capped project that is to be sent on a later day: the allowances of many days could leave at once. Nothing is stored. */
export const scheduledPastToday = (cap: number, now = new Date()): AppError =>
  refusedToday(
    cap,
    now,
    `This project is new and can send ${cap} emails today (UTC): scheduledAt must lie before the end of this day`,
    `Give a time before the one in resetsAt, or send this request after it. ${growth}`,
  );

function refusedToday(cap: number, now: Date, message: string, suggestion: string): AppError {
  const resetsAt = (Math.floor(now.getTime() / dayMs) + 1) * dayMs;
  return new AppError('RATE_LIMIT_EXCEEDED', message, {
    details: {
      limit: cap,
      resetsAt: new Date(resetsAt).toISOString(),
      retryAfter: Math.ceil((resetsAt - now.getTime()) / 1000),
    },
    suggestion,
  });
}
