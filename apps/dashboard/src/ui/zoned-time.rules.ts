import { offsetsOf, timeZoneOf } from '@postrider/core/base/lib/contract';
import { type Day, isDay, timePattern } from './calendar.rules.ts';

const dayMs = 86_400_000;

/** A day and a time of a zone, read as an instant, or why they are not one. */
export type ZonedTime =
  /** `isRepeated`: the time occurs twice on this day, because clocks go back; this is the first of them. */
  { kind: 'instant'; at: Date; isRepeated: boolean } | { kind: 'no-zone' | 'no-time' | 'skipped' };

export const zoneInWords = (zone: string): string => zone.replaceAll('_', ' ');

/** The zones to choose from, as they are written for people: `America/New York`. */
export const zonesInWords: string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').map(zoneInWords)];

/** The IANA name of a zone as it was typed, in any case and with spaces or underscores; null for an unknown one. */
export const zoneNamed = (text: string): string | null => timeZoneOf(text.trim().replaceAll(' ', '_'));

/** @param time such as `9:05` @param zone a name of the IANA time zone database, or null */
export function readZonedTime(day: Day, time: string, zone: string | null): ZonedTime {
  if (zone === null) return { kind: 'no-zone' };
  if (!isDay(day) || !new RegExp(`^${timePattern}$`).test(time.trim())) return { kind: 'no-time' };
  const [hours = 0, minutes = 0] = time.trim().split(':').map(Number);
  const local = Date.parse(`${day}T00:00:00Z`) + (hours * 60 + minutes) * 60_000;
  const offsetAt = offsetsOf(zone);
  // Around a change of the clocks there is one offset before it and one after it.
  const offsets = new Set([offsetAt(local - dayMs), offsetAt(local + dayMs)]);
  const instants = [...offsets]
    .map((offset) => local - offset)
    .filter((instant) => instant + offsetAt(instant) === local)
    .sort((one, other) => one - other);
  const [first] = instants;
  if (first === undefined) return { kind: 'skipped' };
  return { kind: 'instant', at: new Date(first), isRepeated: instants.length > 1 };
}

/** The day and the time of an instant in a zone: what `readZonedTime` reads. */
export function wallClockOf(at: Date, zone: string): { day: Day; time: string } {
  const local = new Date(at.getTime() + offsetsOf(zone)(at.getTime())).toISOString();
  return { day: local.slice(0, 10), time: local.slice(11, 16) };
}

/** An instant as the clocks of a zone show it: `Mon, Nov 23, 2026, 9:00 AM`. */
export const formatInZone = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat('en', {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: zone,
  }).format(at);
