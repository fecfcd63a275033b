import type { Unit, ValueOperator } from '../../base/lib/index.ts';

/**
 * The rules on values of B2.5 in plain words: a third implementation, which shares no code with the ones it judges. It asks `Intl` what
 * a calendar on the wall of a zone shows, and finds instants by trying.
 */

export interface Question {
  operator: ValueOperator;
  value?: unknown;
  unit?: Unit;
}

export interface Where {
  now: Date;
  timeZone: string;
}

const quarter = 15 * 60_000;
const day = 86_400_000;
const unitMs: Record<Unit, number> = { days: day, hours: 3_600_000, minutes: 60_000 };

const walls = new Map<string, Intl.DateTimeFormat>();

/** What clock and calendar show, as `2026-11-20 09:30:00`. */
function wall(at: number, timeZone: string): string {
  const format =
    walls.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  walls.set(timeZone, format);
  return format.format(at);
}

const wallDay = (at: number, zone: string): string => wall(at, zone).slice(0, 10);

const isDay = (text: string): boolean => {
  const at = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};

const tries = Array.from({ length: 121 }, (_, step) => (60 - step) * quarter);

/** Every instant at which the clocks of a zone show a time, the first one first. */
const shownAt = (local: number, zone: string): number[] =>
  tries
    .map((offset) => local - offset)
    .filter((at) => Date.parse(`${wall(at, zone).replace(' ', 'T')}Z`) === Math.floor(local / 1_000) * 1_000);

/** The instant of a text with a time, or null. */
export function momentIn(text: unknown, zone: string): number | null {
  if (typeof text !== 'string' || !isDay(text.slice(0, 10))) return null;
  const [, time, offset] =
    /^[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)([Zz]|[+-]\d\d:?\d\d)?$/.exec(text.slice(10)) ?? [];
  if (time === undefined) return null;
  if (offset !== undefined) {
    const colon = offset.replace(/^(.\d\d)(\d\d)$/, '$1:$2').toUpperCase();
    const at = Date.parse(`${text.slice(0, 10)}T${time}${colon}`);
    return Number.isNaN(at) ? null : at;
  }
  const local = Date.parse(`${text.slice(0, 10)}T${time}Z`);
  if (Number.isNaN(local)) return null;
  // Skipped by the clocks: three hours earlier they went as before.
  return (
    shownAt(local, zone).at(-1) ??
    (shownAt(local - 3 * unitMs.hours, zone).at(-1) ?? Number.NaN) + 3 * unitMs.hours
  );
}

/** The first instant of a day. */
function beginning(of: string, zone: string): number {
  const start = Date.parse(`${of}T00:00:00Z`);
  for (let at = start - day; at < start + 2 * day; at += quarter) if (wallDay(at, zone) >= of) return at;
  throw new Error(`no ${of} in ${zone}`);
}

/** Days before the first year and after the last sort before and after all others. */
function shift(from: string, days: number): string {
  const at = Date.parse(`${from}T12:00:00Z`) + days * day;
  if (at < Date.parse('0001-01-01T00:00:00Z')) return '0000';
  return at > Date.parse('9999-12-31T23:59:59Z') ? '9999-99' : new Date(at).toISOString().slice(0, 10);
}

const plainNumber = /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/;
const order = (operator: string, difference: number): boolean =>
  operator.startsWith('greaterThan')
    ? difference > 0 || (operator.endsWith('Equal') && difference === 0)
    : difference < 0 || (operator.endsWith('Equal') && difference === 0);
const textOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Whether a stored value, undefined when it is missing, is what is asked for. */
export function holdsPlainly(stored: unknown, question: Question, where: Where): boolean {
  const { operator, value, unit = 'days' } = question;
  const { timeZone } = where;
  const present = stored !== undefined && stored !== null;
  switch (operator) {
    case 'exists':
      return present;
    case 'notExists':
      return !present;
    case 'isEmpty':
    case 'isNotEmpty': {
      const empty = !present || stored === '' || JSON.stringify(stored) === '[]';
      return empty === (operator === 'isEmpty');
    }
    case 'equals':
      return value === null ? !present : present && isSame(stored, value, timeZone);
    case 'notEquals':
      return present && (value === null || !isSame(stored, value, timeZone));
    case 'isAnyOf':
      return present && (value as unknown[]).some((each) => isSame(stored, each, timeZone));
    case 'isNoneOf':
      return present && !(value as unknown[]).some((each) => isSame(stored, each, timeZone));
    case 'contains':
    case 'notContains':
      if (typeof stored !== 'string' || typeof value !== 'string') return false;
      return stored.includes(value) === (operator === 'contains');
    case 'startsWith':
      return typeof stored === 'string' && stored.startsWith(value as string);
    case 'endsWith':
      return typeof stored === 'string' && stored.endsWith(value as string);
    case 'hasAnyOf':
      return Array.isArray(stored) && (value as unknown[]).some((item) => stored.includes(item));
    case 'hasAllOf':
      return Array.isArray(stored) && (value as unknown[]).every((item) => stored.includes(item));
    case 'hasNoneOf':
      return !Array.isArray(stored) || !stored.some((item) => (value as unknown[]).includes(item));
    case 'within':
    case 'olderThan':
    case 'withinNext':
    case 'laterThan':
      return inWindow(stored, operator, Number(value), unit, where);
    case 'onDay':
      return dayOf(stored, timeZone) === shift(wallDay(where.now.getTime(), timeZone), Number(value));
    case 'anniversaryWithinNext':
      return isAnniversary(dayOf(stored, timeZone), Number(value), where);
    default:
      return isOrdered(stored, operator, value, timeZone);
  }
}

/** The day of a date, as written or as the zone has it. */
function dayOf(text: unknown, zone: string): string | null {
  if (typeof text !== 'string') return null;
  if (isDay(text)) return text;
  const at = momentIn(text, zone);
  return at === null ? null : wallDay(at, zone);
}

function isSame(stored: unknown, value: unknown, zone: string): boolean {
  const asked = dayOf(value, zone);
  return asked === null ? JSON.stringify(stored) === JSON.stringify(value) : dayOf(stored, zone) === asked;
}

function inWindow(
  stored: unknown,
  operator: string,
  amount: number,
  unit: Unit,
  { now, timeZone }: Where,
): boolean {
  if (typeof stored !== 'string') return false;
  const isPast = operator === 'within' || operator === 'olderThan';
  if (isDay(stored) && unit === 'days') {
    const today = wallDay(now.getTime(), timeZone);
    const edge = shift(today, isPast ? -amount : amount);
    if (operator === 'within') return stored >= edge && stored <= today;
    if (operator === 'withinNext') return stored <= edge && stored >= today;
    return isPast ? stored < edge : stored > edge;
  }
  const at = isDay(stored) ? beginning(stored, timeZone) : momentIn(stored, timeZone);
  if (at === null) return false;
  const edge = now.getTime() + (isPast ? -amount : amount) * unitMs[unit];
  if (operator === 'within') return at >= edge && at <= now.getTime();
  if (operator === 'withinNext') return at <= edge && at >= now.getTime();
  return isPast ? at < edge : at > edge;
}

function isAnniversary(of: string | null, days: number, { now, timeZone }: Where): boolean {
  if (of === null) return false;
  for (let ahead = 0; ahead <= days; ahead += 1) {
    const then = shift(wallDay(now.getTime(), timeZone), ahead);
    const date = `${then.slice(0, 4)}${of.slice(4)}`;
    if ((isDay(date) ? date : `${then.slice(0, 4)}-02-28`) === then) return true;
  }
  return false;
}

function isOrdered(stored: unknown, operator: string, value: unknown, zone: string): boolean {
  const asked = dayOf(value, zone);
  if (typeof value === 'string' && asked !== null) {
    const of = dayOf(stored, zone);
    if (typeof stored !== 'string' || of === null) return false;
    const exact = momentIn(value, zone);
    if (exact === null) return order(operator, textOrder(of, asked));
    const at = isDay(stored) ? beginning(stored, zone) : momentIn(stored, zone);
    return order(operator, Number(at) - exact);
  }
  if (typeof stored === 'string' && typeof value === 'string')
    return order(operator, textOrder(stored, value));
  const [left, right] = [stored, value].map((each) => {
    if (typeof each === 'number') return each;
    return typeof each === 'string' && plainNumber.test(each) ? Number(each) : null;
  });
  if (left === null || left === undefined || right === null || right === undefined) return false;
  return order(operator, left - right);
}
