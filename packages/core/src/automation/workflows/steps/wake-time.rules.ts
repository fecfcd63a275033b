import { addDays, clockOf, type ZoneClock } from '../../../base/lib/time-zones.rules.ts';
import { instantIn } from '../../../base/lib/values.rules.ts';
import { type DelayConfig, type DelayWindow, delayMs, weekdays } from './delay.step.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** A date further ahead counts as none: nobody waits that long on purpose. */
const furthestMs = 5 * 365 * dayMs;
/** A hundred days without windows can close the same weekday for a hundred weeks. */
const mostDays = 7 * 102;

export interface WakeContext {
  /** when the step began, in milliseconds */
  now: number;
  /** the zone that applies */
  zone: string;
  /** a field of the contact (`data.…`) or of the execution (`context.…`) */
  read(field: string): unknown;
}

export type WakeReason = 'amount' | 'until' | 'window' | 'otherwise';

/** When an execution goes on, in milliseconds, and which part of the configuration said so; `exits` where it ends instead. */
export interface WakeTime {
  at: number;
  reason: WakeReason;
  exits: boolean;
}

/** When a DELAY ends (behaviour B2.7). Its parts apply in the order duration or date, then windows; all days are those of the zone. */
export function wakeTimeOf(config: DelayConfig, context: WakeContext): WakeTime {
  const { now } = context;
  const clock = clockOf(context.zone);
  const base = baseOf(config, context);
  if (base.exits || !config.windows) return base;
  const at = firstOpen(config.windows, new Set(config.except), base.at, clock);
  return { ...base, at, ...(at > base.at || base.at === now ? { reason: 'window' as const } : {}) };
}

function baseOf(config: DelayConfig, context: WakeContext): WakeTime {
  const { now, read } = context;
  if (config.amount !== undefined && config.unit !== undefined)
    return {
      at: now + delayMs({ amount: config.amount, unit: config.unit }),
      reason: 'amount',
      exits: false,
    };
  if (!config.until) return { at: now, reason: 'window', exits: false };
  const at = untilOf(config.until, read(config.until.field), context);
  if (at !== null && at > now && at <= now + furthestMs) return { at, reason: 'until', exits: false };
  return { at: now, reason: 'otherwise', exits: config.until.otherwise === 'EXIT' };
}

/** A moved date: days are days of the calendar, so nine o’clock stays nine o’clock when clocks are changed in between. */
function untilOf(
  until: NonNullable<DelayConfig['until']>,
  value: unknown,
  { zone }: WakeContext,
): number | null {
  const clock = clockOf(zone);
  const date = typeof value === 'string' ? instantIn(value, zone)?.getTime() : undefined;
  if (date === undefined) return null;
  const { amount = 0, unit = 'days' } = until.offset ?? {};
  const isMovedByDays = unit === 'days' && amount !== 0;
  const moved = isMovedByDays
    ? clock.firstAt(clock.localAt(date) + amount * dayMs)
    : date + delayMs({ amount, unit });
  return until.at === undefined ? moved : clock.firstAt(atTime(clock.dayAt(moved), until.at));
}

/** The first moment from `from` on that lies in a window. A window belongs to the day on which it begins. */
function firstOpen(
  windows: readonly DelayWindow[],
  except: ReadonlySet<string>,
  from: number,
  clock: ZoneClock,
): number {
  let day = addDays(clock.dayAt(from), -1);
  for (let seen = 0; seen < mostDays; seen += 1, day = addDays(day, 1)) {
    if (except.has(day)) continue;
    const weekday = weekdays[(new Date(`${day}T00:00:00.000Z`).getUTCDay() + 6) % 7];
    let first = Number.POSITIVE_INFINITY;
    for (const { days, from: opens, to: closes } of windows) {
      if (days && weekday !== undefined && !days.includes(weekday)) continue;
      const begin = clock.firstAt(atTime(day, opens));
      const end = clock.firstAt(atTime(closes > opens ? day : addDays(day, 1), closes));
      const open = Math.max(begin, from);
      if (open < end) first = Math.min(first, open);
    }
    if (first < Number.POSITIVE_INFINITY) return first;
  }
  // Unreachable with what the schema accepts; an execution is never left without a time.
  return from;
}

/** A time of a day (`HH:mm`), as if it were UTC. */
const atTime = (day: string, time: string): number =>
  Date.parse(`${day}T00:00:00.000Z`) + (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * minuteMs;
