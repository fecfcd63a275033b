/** The only parser of dates in requests (behaviour B1.1). Pure, and safe in a browser. */

/** ISO 8601, extended format: a date, or a date and a time with or without a zone. A blank may separate the two (RFC 3339). */
const isoForm =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/i;

/** ISO 8601 has four digits for a year, and PostgreSQL no sign before it. */
const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** The day of an ISO 8601 date or date-time as it is written; null for other values and for days that do not exist. */
export function dayOf(value: unknown): string | null {
  const day = typeof value === 'string' ? isoForm.exec(value)?.groups?.['day'] : undefined;
  return day !== undefined && exists(day) ? day : null;
}

/**
 * The instant of a text or a number of epoch milliseconds: UTC unless the text has a zone, 00:00 for a date alone.
 * Null for every other form, for days that do not exist, and outside of the years 1 to 9999.
 */
export function instantOf(value: unknown): Date | null {
  const time =
    typeof value === 'string' ? timeOf(value) : Number.isInteger(value) ? Number(value) : Number.NaN;
  return time >= earliest && time <= latest ? new Date(time) : null;
}

function timeOf(text: string): number {
  const { day, time = '00:00', zone = 'Z' } = isoForm.exec(text)?.groups ?? {};
  if (day === undefined || !exists(day)) return Number.NaN;
  // ECMAScript's format has a colon in the zone and upper-case letters.
  return Date.parse(`${day}T${time}${zone.replace(/^(.\d{2})(\d{2})$/, '$1:$2').toUpperCase()}`);
}

/** ECMAScript reads 30 February as 2 March. */
function exists(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) && day >= '0001';
}

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
