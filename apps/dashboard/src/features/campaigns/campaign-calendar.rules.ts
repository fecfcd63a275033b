import { clockOf } from '@postrider/core/base/lib/contract';
import type { Campaign } from '../../lib/api.ts';
import { addDays, type Day, isDay, weeksOf } from '../../ui/calendar.rules.ts';

/** A campaign on the day on which it starts or started. */
export interface CalendarItem extends Pick<Campaign, 'id' | 'name' | 'status'> {
  at: string;
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

/** The campaigns of each day of the zone, first to last. */
export function byDay(items: readonly CalendarItem[], timeZone: string): Map<Day, CalendarItem[]> {
  const inOrder = items.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return Map.groupBy(inOrder, ({ at }) => dayOfZone(Date.parse(at), timeZone));
}
