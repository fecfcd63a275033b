/** The only parser of dates in requests (behaviour B1.1). Pure, and safe in a browser. */

/**
 * ISO 8601, extended format, of the years 1 to 9999: a day that exists, alone or with a time, with or without a zone. A blank may
 * separate the two (RFC 3339). Without groups or classes that differ between JavaScript and PostgreSQL, which both use it.
 */
export const isoPattern = (() => {
  const year = '(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)';
  const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)';
  const day =
    '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))';
  const time = '(?:(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]+)?)?|24:00(?::00(?:[.]0+)?)?)';
  const zone = '(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9])';
  return `^(?:${year}-${day}|${leapYear}-02-29)(?:[Tt ]${time}${zone}?)?$`;
})();

const isoForm = new RegExp(isoPattern);

const parts =
  /^(?<day>.{10})(?:.(?<hours>..):(?<minutes>..)(?::(?<seconds>..)(?:\.(?<fraction>\d{1,3})\d*)?)?(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/i;

/** ISO 8601 has four digits for a year, and PostgreSQL no sign before it. */
export const earliestInstant = Date.parse('0001-01-01T00:00:00.000Z');
export const latestInstant = Date.parse('9999-12-31T23:59:59.999Z');

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** A date as it is written: its day, the milliseconds since midnight if it has a time, and the offset of its zone if it has one. */
export interface WrittenDate {
  day: string;
  time: number | null;
  offset: number | null;
}

/** Reads an ISO 8601 date; null for every other text and for days that do not exist. Takes time in proportion to the length. */
export function readIsoDate(text: string): WrittenDate | null {
  if (!isoForm.test(text)) return null;
  const { day = '', hours, minutes, seconds = '0', fraction = '0', zone } = parts.exec(text)?.groups ?? {};
  if (hours === undefined) return { day, time: null, offset: null };
  const time =
    Number(hours) * hourMs +
    Number(minutes) * minuteMs +
    Number(seconds) * 1_000 +
    Number(fraction.padEnd(3, '0'));
  return { day, time, offset: zone === undefined ? null : offsetOf(zone) };
}

function offsetOf(zone: string): number {
  if (zone.length === 1) return 0;
  const ms = Number(zone.slice(1, 3)) * hourMs + Number(zone.slice(-2)) * minuteMs;
  return zone.startsWith('-') ? -ms : ms;
}

/** Midnight of a day in UTC. */
export const utcMidnight = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

/** The day if a text is nothing but an ISO 8601 day that exists. */
export function bareDayOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length !== 10) return null;
  return isoForm.test(value) ? value : null;
}

/**
 * The instant of a text or a number of epoch milliseconds: UTC unless the text has a zone, 00:00 for a date alone.
 * Null for every other form, for days that do not exist, and outside of the years 1 to 9999.
 */
export function instantOf(value: unknown): Date | null {
  const time =
    typeof value === 'string' ? timeOf(value) : Number.isInteger(value) ? Number(value) : Number.NaN;
  return time >= earliestInstant && time <= latestInstant ? new Date(time) : null;
}

function timeOf(text: string): number {
  const written = readIsoDate(text);
  return written ? utcMidnight(written.day) + (written.time ?? 0) - (written.offset ?? 0) : Number.NaN;
}

/** ECMAScript reads 30 February as 2 March. */
const exists = (day: string): boolean => bareDayOf(day) !== null;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** A date with the name of its month, as in RFC 5322 (`Thu, 01 Jan 2099 09:00:00 GMT`) or in prose (`Jan 1, 2099 09:00`). */
const writtenForm =
  /^(?:[a-z]{3,9},?\s+)?(?:(?<before>\d{1,2})\s+)?(?<month>[a-z]{3,9})\.?(?:\s+(?<after>\d{1,2}),?)?\s+(?<year>\d{4})(?:,?\s+(?<rest>\d{1,2}:\d{2}.*|gmt|utc|z))?$/i;
/** A date in numbers with the year first, as in `2099/1/31 09:00`. */
const yearFirst =
  /^(?<year>\d{4})(?<mark>[/-])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?:[T ]+(?<rest>\d{1,2}:\d{2}.*))?$/i;
/** A date in numbers with the year last, as in `1/31/2099, 9:00 AM`: the month comes first, as date parsers read it. */
const yearLast =
  /^(?<month>\d{1,2})(?<mark>[/-])(?<day>\d{1,2})\k<mark>(?<year>\d{4})(?:,?[T ]+(?<rest>\d{1,2}:\d{2}.*))?$/i;
const zoneAtEnd = /(?:gmt|utc|z|[+-]\d{4}|[+-]\d{2}:\d{2})$/i;

/** Longer texts are no dates. */
const longestDate = 200;

/**
 * As `instantOf`, but also for dates written with the name of the month or in numbers, in UTC unless they have a zone.
 * Days that do not exist are null here, too.
 */
export function writtenInstantOf(value: unknown): Date | null {
  const strict = instantOf(value);
  if (strict !== null || typeof value !== 'string' || value.length > longestDate) return strict;
  // ECMAScript's text format ends with the name of the zone in brackets.
  const text = value.trim().replace(/\s*\([^()]*\)$/, '');
  const date = writtenDayOf(text);
  if (date === null || !exists(date.day)) return null;
  const time = Date.parse(zoneAtEnd.test(date.rest) ? date.text : `${date.text} UTC`);
  return Number.isNaN(time) ? null : new Date(time);
}

/** The day that is named, in ISO 8601, and what follows it; null when the text has neither form. */
function writtenDayOf(text: string): { day: string; rest: string; text: string } | null {
  const numbers = (yearFirst.exec(text) ?? yearLast.exec(text))?.groups;
  if (numbers !== undefined) {
    const { year = '', month = '', day = '', rest = '' } = numbers;
    return { day: dayText(year, month, day), rest, text: `${year}/${month}/${day} ${rest}`.trim() };
  }
  const { before, month = '', after, year, rest = '' } = writtenForm.exec(text)?.groups ?? {};
  const index = months.indexOf(month.slice(0, 3).toLowerCase());
  const day = before ?? after;
  if (index < 0 || day === undefined || year === undefined) return null;
  return { day: dayText(year, String(index + 1), day), rest, text };
}

const dayText = (year: string, month: string, day: string): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
