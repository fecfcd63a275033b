import { clockOf } from '@postrider/core/base/lib/contract';
import type { Calendar } from '../../lib/api.ts';
import { addDays, type Day, isDay, weeksOf } from '../../ui/calendar.rules.ts';

export type CalendarItem = Calendar['items'][number];

/** What the calendar shows of a day as one. */
export interface CalendarEntry extends CalendarItem {
  /** how often it takes place on that day; of a campaign once */
  times: number;
}

/** The day of an instant in a zone. */
export const dayOfZone = (at: number, timeZone: string): Day => clockOf(timeZone).dayAt(at);

const monthOfAddress = /^2\d{3}-\d{2}$/;

/** The first day of a month of the address, `2026-11`, or of the month that it is in the zone. */
export function monthIn(text: string, now: number, timeZone: string): Day {
  const first = `${text}-01`;
  return monthOfAddress.test(text) && isDay(first) ? first : `${dayOfZone(now, timeZone).slice(0, 7)}-01`;
}

/** The period of the weeks that the calendar of a month shows; its end is not part of it. */
export function periodOfMonth(month: Day, timeZone: string): { from: string; to: string } {
  const days = weeksOf(month).flat();
  const startOf = (day: Day) => new Date(clockOf(timeZone).startOf(day)).toISOString();
  return { from: startOf(days[0] ?? month), to: startOf(addDays(days.at(-1) ?? month, 1)) };
}

/** What takes place on each day of the zone, first to last. The times of a workflow are one entry, at the first of them. */
export function byDay(items: readonly CalendarItem[], timeZone: string): Map<Day, CalendarEntry[]> {
  const inOrder = items.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const days = new Map<Day, CalendarEntry[]>();
  for (const item of inOrder) {
    const day = dayOfZone(Date.parse(item.at), timeZone);
    const entries = days.get(day) ?? [];
    const same = entries.find(({ kind, id }) => kind === 'schedule' && kind === item.kind && id === item.id);
    if (same) same.times += 1;
    else entries.push({ ...item, times: 1 });
    days.set(day, entries);
  }
  return days;
}

const dayMs = 86_400_000;
const utcOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

/** The same time of the clocks of a zone on another day; where that day lacks it, the next one that it has. */
export function onDay(at: string, day: Day, timeZone: string): Date {
  const clock = clockOf(timeZone);
  const local = clock.localAt(Date.parse(at));
  return new Date(clock.firstAt(utcOf(day) + (((local % dayMs) + dayMs) % dayMs)));
}

/** A local time moved by as many days as lie between the days of a zone on which the campaign starts. */
export function localTimeOnDay(localTime: string, at: string, day: Day, timeZone: string): string {
  const days = Math.round((utcOf(day) - utcOf(dayOfZone(Date.parse(at), timeZone))) / dayMs);
  return `${addDays(localTime.slice(0, 10), days)}${localTime.slice(10)}`;
}
