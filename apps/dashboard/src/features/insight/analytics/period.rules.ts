import { offsetsOf } from '@postrider/core/base/lib/contract';
import { addDays, isDay } from '../../../ui/calendar.rules.ts';

export const periods = [
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: 'own', label: 'Own period' },
] as const;
export type PeriodName = (typeof periods)[number]['value'];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The longest period that the API accepts. */
export const mostDays = 90;

/** What the analytics pages show; kept in the address. */
export interface PeriodChoice {
  name: PeriodName;
  tz: string;
  /** first and last day of an own period, in the zone */
  days: { from: string; to: string };
}

/** Ends of a period, for the API; the end is not part of it. */
export interface Ends {
  from: string;
  to: string;
}

export interface Period {
  tz: string;
  granularity: 'hour' | 'day';
  present: Ends;
  /** the period of the same length before it */
  previous: Ends;
}

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A period from the address; anything it does not understand is 30 days in the zone of the browser. */
export function choiceOf(params: URLSearchParams, now: Date, fallback: PeriodName = '30'): PeriodChoice {
  const tz = zoneOr(params.get('tz'), browserZone());
  const today = dayAt(now.getTime(), tz);
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? ''];
  const days =
    isDay(from) && isDay(to) && from <= to
      ? { from: latest(from, to), to }
      : { from: addDays(today, -29), to: today };
  const name = periods.find(({ value }) => value === params.get('period'))?.value ?? fallback;
  return { name, tz, days };
}

/** The first day of a period that ends with a day, moved so that the period is not longer than the API accepts. */
function latest(from: string, to: string): string {
  const earliest = addDays(to, 1 - mostDays);
  return from < earliest ? earliest : from;
}

/**
 * The ends of the chosen period and of the one before. It starts with a whole hour or day and ends with the current one, so that it
 * stays the same for a while.
 */
export function periodOf({ name, tz, days }: PeriodChoice, now: Date): Period {
  if (name === '1') {
    const to = Math.ceil(now.getTime() / hourMs) * hourMs;
    return { tz, granularity: 'hour', ...ends(to - dayMs, to, to - 2 * dayMs) };
  }
  const last = name === 'own' ? days.to : dayAt(now.getTime(), tz);
  const first = name === 'own' ? days.from : addDays(last, 1 - Number(name));
  const count = daysBetween(first, last) + 1;
  const [from, to, before] = [first, addDays(last, 1), addDays(first, -count)].map((day) => startOf(day, tz));
  const granularity = count <= 2 ? 'hour' : 'day';
  // A period of 90 days in which the clocks are set back is an hour longer.
  const start = Math.max(from ?? 0, (to ?? 0) - mostDays * dayMs);
  return { tz, granularity, ...ends(start, to ?? 0, Math.max(before ?? 0, start - mostDays * dayMs)) };
}

const ends = (from: number, to: number, before: number): Pick<Period, 'present' | 'previous'> => ({
  present: { from: iso(from), to: iso(to) },
  previous: { from: iso(before), to: iso(from) },
});
const iso = (at: number): string => new Date(at).toISOString();

/** The day of an instant in a zone. */
export const dayAt = (at: number, tz: string): string => iso(at + offsetsOf(tz)(at)).slice(0, 10);
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs;

/** The instant at which a day begins in a zone, in milliseconds. */
export function startOf(day: string, tz: string): number {
  const offsetAt = offsetsOf(tz);
  const local = Date.parse(day);
  const guess = local - offsetAt(local);
  return local - offsetAt(guess);
}

function zoneOr(name: string | null, fallback: string): string {
  return name !== null && zones().includes(name) ? name : fallback;
}

/** The zones to choose from, that of the browser first. */
export const zones = (): string[] => [
  ...new Set([browserZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')]),
];
