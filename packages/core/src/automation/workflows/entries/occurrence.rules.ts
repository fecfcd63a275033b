import { addDays, clockOf } from '../../../base/lib/time-zones.rules.ts';
import { dayInZone } from '../../../base/lib/values.rules.ts';

/** When contacts enter a workflow by a date of theirs (behaviour B14.5). Days are `YYYY-MM-DD`, instants milliseconds since 1970. */

export interface DateTrigger {
  /** `data.<key>` */
  field: string;
  repeat: 'ONCE' | 'YEARLY';
  offsetDays: number;
  /** `HH:mm` */
  at: string;
}

export interface Occurrence {
  /** the day on which the contact enters */
  day: string;
  at: number;
}

/** The configuration of a DATE trigger; null while it has no field. */
export function dateTriggerOf(config: Readonly<Record<string, unknown>>): DateTrigger | null {
  const { field, repeat = 'ONCE', offsetDays = 0, at = '09:00' } = config as Partial<DateTrigger>;
  return field === undefined ? null : { field, repeat, offsetDays, at };
}

export const keyOfDate = ({ field }: Pick<DateTrigger, 'field'>): string => field.slice('data.'.length);

const dayMs = 86_400_000;
/** Offsets of zones and those in written dates move a day by at most this many. */
const aroundDays = 2;

/** A time of a day, as if it were UTC. */
const localAt = (day: string, time: string): number =>
  Date.parse(`${day}T00:00:00.000Z`) + (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * 60_000;

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** The same day in another year: 29 February is 28 February in years without it. */
function inYear(monthDay: string, year: number): string {
  const written = monthDay === '02-29' && !isLeapYear(year) ? '02-28' : monthDay;
  return `${String(year).padStart(4, '0')}-${written}`;
}

const isDay = (day: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(day);

/** The occurrence on a day. A time that the day does not have is the next that exists, of two it is the first. */
const occurrenceOn = ({ at }: DateTrigger, day: string, zone: string): Occurrence => ({
  day,
  at: clockOf(zone).firstAt(localAt(day, at)),
});

/**
 * The days on which a contact enters that may lie around an instant. What repeats each year does so from the date itself on.
 *
 * @param zone the one that applies to the contact
 */
function daysAround(
  { repeat, offsetDays }: DateTrigger,
  value: unknown,
  zone: string,
  around: number,
): string[] {
  const date = dayInZone(value, zone);
  if (date === null || !isDay(date)) return [];
  if (repeat === 'ONCE') return [addDays(date, offsetDays)].filter(isDay);
  const first = Number(date.slice(0, 4));
  const year = new Date(around).getUTCFullYear();
  // An offset moves the day into the next year or the one before; the years beside those are for the one after.
  const years = [-2, -1, 0, 1, 2, 3].map((by) => year + by).filter((each) => each >= first && each <= 9_999);
  return years.map((each) => addDays(inYear(date.slice(5), each), offsetDays)).filter(isDay);
}

/** The first occurrence after an instant; null when there is none. */
export function nextOccurrence(
  trigger: DateTrigger,
  value: unknown,
  zone: string,
  after: number,
): Occurrence | null {
  for (const day of daysAround(trigger, value, zone, after)) {
    const occurrence = occurrenceOn(trigger, day, zone);
    if (occurrence.at > after) return occurrence;
  }
  return null;
}

/** The occurrence of a contact on a day; null when it has none there any more. */
export function occurrenceAt(
  trigger: DateTrigger,
  value: unknown,
  zone: string,
  day: string,
): Occurrence | null {
  const around = Date.parse(`${day}T12:00:00.000Z`);
  return daysAround(trigger, value, zone, around).includes(day) ? occurrenceOn(trigger, day, zone) : null;
}

/** What a stored value may begin with that has an occurrence in a period, whatever the zone: the days, or `MM-DD` of any year. */
export function datesWithin({ repeat, offsetDays }: DateTrigger, from: number, to: number): string[] {
  const days: string[] = [];
  for (let at = from - aroundDays * dayMs; at < to + (aroundDays + 1) * dayMs; at += dayMs)
    days.push(addDays(new Date(at).toISOString().slice(0, 10), -offsetDays));
  if (repeat === 'ONCE') return [...new Set(days)];
  const monthDays = new Set(days.map((day) => day.slice(5)));
  if (monthDays.has('02-28')) monthDays.add('02-29');
  return [...monthDays];
}
