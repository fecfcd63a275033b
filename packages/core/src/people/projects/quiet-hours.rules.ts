import { clockMinuteOf } from '../../base/lib/time-zones.rules.ts';

/** A span of the day in which no marketing email begins (behaviour B14.8): local times `HH:mm`; over midnight if `from` is later. */
export interface QuietHours {
  from: string;
  to: string;
}

const minuteMs = 60_000;
const dayMinutes = 1_440;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/**
 * Whether the clocks of a zone show quiet hours at an instant, and until when that stays so: the next whole minute at which it changes. A
 * minute that a change of clocks repeats is quiet both times, and one that it leaves out never comes.
 *
 * @param zone an IANA name that exists
 * @param at milliseconds since 1970
 */
export function quietAt(
  { from, to }: QuietHours,
  zone: string,
  at: number,
): { isQuiet: boolean; until: number } {
  const [begins, ends] = [minutesOf(from), minutesOf(to)];
  const isIn = (minute: number): boolean =>
    begins < ends ? minute >= begins && minute < ends : minute >= begins || minute < ends;
  const minuteAt = clockMinuteOf(zone);
  const minute = minuteAt(at);
  const isQuiet = isIn(minute);
  const start = Math.floor(at / minuteMs) * minuteMs;
  const ahead = ((isQuiet ? ends : begins) - minute + dayMinutes) % dayMinutes;
  const until = start + ahead * minuteMs;
  // The clocks were not changed meanwhile.
  if (minuteAt(until) === (minute + ahead) % dayMinutes) return { isQuiet, until };
  let next = start + minuteMs;
  while (isIn(minuteAt(next)) === isQuiet) next += minuteMs;
  return { isQuiet, until: next };
}

/** The instant itself, or the end of the quiet hours that it lies in. */
export function afterQuietHours(hours: QuietHours | null, zone: string, at: number): number {
  if (!hours) return at;
  const { isQuiet, until } = quietAt(hours, zone, at);
  return isQuiet ? until : at;
}
