/** The one parser of dates that come in (behaviour B1.1). Pure, and safe in a browser. */

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
 * The instant that a text or a number of epoch milliseconds names: UTC unless the text has a zone, 00:00 for a date alone.
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
  // ECMAScript's own form has a colon in the zone and upper-case letters.
  return Date.parse(`${day}T${time}${zone.replace(/^(.\d{2})(\d{2})$/, '$1:$2').toUpperCase()}`);
}

/** ECMAScript reads 30 February as 2 March. */
function exists(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) && day >= '0001';
}
