/** A day as `2026-03-01`, without a time zone. Days of this form compare in their order as texts. */
export type Day = string;

const dayMs = 86_400_000;
const daysOfWeek = 7;
const weeksShown = 6;

const timeOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const dayAt = (time: number): Day => new Date(time).toISOString().slice(0, 10);

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(timeOf(text)) && dayAt(timeOf(text)) === text;

export const addDays = (day: Day, count: number): Day => dayAt(timeOf(day) + count * dayMs);

/** The same day of another month, or its last day where the month is shorter. */
export function addMonths(day: Day, count: number): Day {
  const date = new Date(timeOf(day));
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1);
  const next = new Date(first);
  const last = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate();
  return dayAt(first + (Math.min(date.getUTCDate(), last) - 1) * dayMs);
}

/** 0 for Monday, 6 for Sunday. */
export const weekdayOf = (day: Day): number => (new Date(timeOf(day)).getUTCDay() + 6) % daysOfWeek;

/** Six weeks from Monday to Sunday that contain the month of the day. The number never changes, so the calendar keeps its height. */
export function weeksOf(day: Day): Day[][] {
  const first = `${day.slice(0, 8)}01`;
  const start = addDays(first, -weekdayOf(first));
  return Array.from({ length: weeksShown }, (_, week) =>
    Array.from({ length: daysOfWeek }, (_unused, weekday) => addDays(start, week * daysOfWeek + weekday)),
  );
}

/** Where a key moves the focus in a calendar; null for other keys. The keys are those of the ARIA Authoring Practices. */
export function dayAfterKey(day: Day, key: string, shift: boolean): Day | null {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1);
    case 'ArrowRight':
      return addDays(day, 1);
    case 'ArrowUp':
      return addDays(day, -daysOfWeek);
    case 'ArrowDown':
      return addDays(day, daysOfWeek);
    case 'Home':
      return addDays(day, -weekdayOf(day));
    case 'End':
      return addDays(day, daysOfWeek - 1 - weekdayOf(day));
    case 'PageUp':
      return addMonths(day, shift ? -12 : -1);
    case 'PageDown':
      return addMonths(day, shift ? 12 : 1);
    default:
      return null;
  }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** The day in the time zone of the browser. */
export const dayOf = (moment: Date): Day =>
  `${moment.getFullYear()}-${twoDigits(moment.getMonth() + 1)}-${twoDigits(moment.getDate())}`;

/** Hours and minutes in the time zone of the browser: `09:05`. */
export const timeOfDay = (moment: Date): string =>
  `${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}`;

/** What `readTime` accepts, as the `pattern` of an input. */
export const timePattern = '([01]?[0-9]|2[0-3]):[0-5][0-9]';

/** The instant of a day and a time such as `9:05` in the time zone of the browser; null if one of them is not readable. */
export function instantOf(day: Day, time: string): Date | null {
  if (!isDay(day) || !new RegExp(`^${timePattern}$`).test(time.trim())) return null;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const [hours = 0, minutes = 0] = time.trim().split(':').map(Number);
  return new Date(year, month - 1, date, hours, minutes);
}
