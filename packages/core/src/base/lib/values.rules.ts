/**
 * What operators mean on values (behaviour B2.5), for filters, conditions, and previews. A rule has its bounds computed once;
 * `matchesRule` decides in TypeScript and `ruleSql` (audience/segments/values.store.ts) in SQL, and both agree. Pure, and safe in a browser.
 */

import { addressPartsSought, addressSought } from './addresses.rules.ts';
import {
  bareDayOf,
  earliestInstant,
  instantOf,
  latestInstant,
  readIsoDate,
  utcMidnight,
} from './dates.rules.ts';
import { addDays, afterAllDays, beforeAllDays, clockOf, type ZoneClock } from './time-zones.rules.ts';
import {
  type Comparison,
  comparisons,
  isListOperand,
  type ListOperator,
  type Unit,
  type ValueOperator,
  valueFormOf,
} from './value-operators.rules.ts';

/** A moment, and the time zone in which days begin and end. */
export interface ValueClock {
  now: Date;
  /** IANA name of the project's time zone */
  timeZone: string;
}

/**
 * From `from` (included) to `to` (excluded): for text that is a day without a time, by days; for instants, in milliseconds since 1970.
 * A bound that is open is beyond all days, or infinite.
 */
export interface DatePeriod {
  days: { from: string; to: string };
  instants: { from: number; to: number };
}

export type ValueRule =
  | { kind: 'never' }
  | { kind: 'present' | 'absent' }
  | { kind: 'empty' | 'notEmpty' }
  /** present, and one of these JSON values or a date of one of these days, or none of them */
  | { kind: 'oneOf'; values: readonly unknown[]; days: readonly string[]; timeZone: string; negated: boolean }
  /** a date within the period; negated, present and anything else */
  | { kind: 'inPeriod'; period: DatePeriod; timeZone: string; negated: boolean }
  /** a date whose month and day (`MM-DD`) is one of these */
  | { kind: 'anniversary'; days: readonly string[]; timeZone: string }
  /** text with one of these parts; only addresses have more than one, of which each is a spelling */
  | { kind: 'substring'; parts: readonly string[]; at: 'anywhere' | 'start' | 'end'; negated: boolean }
  /** a list with one of these items, or with all; negated, a list without them and anything else, also what is missing */
  | { kind: 'items'; items: readonly string[]; all: boolean; negated: boolean }
  /** numbers are compared with `number`; texts with `text`, or without one, if they read as a number, with `number` */
  | { kind: 'ordered'; operator: Comparison; number: number | null; text: string | null };

const never: ValueRule = { kind: 'never' };

/** A plain number kept as text. Of classes and groups that JavaScript and PostgreSQL read alike. */
export const numberPattern = '^-?(?:0|[1-9][0-9]{0,14})(?:[.][0-9]{1,10})?$';
const numberForm = new RegExp(numberPattern);

/** The number that a text is, null for text that is no plain number. */
export const numberOf = (text: string): number | null => (numberForm.test(text) ? Number(text) : null);

const isComparison = (operator: ValueOperator): operator is Comparison =>
  (comparisons as readonly string[]).includes(operator);

/** The rule of an operator for any JSON value, as of `data.<key>`. What the operator cannot be compared with never matches. */
export function valueRule(
  operator: ValueOperator,
  expected: unknown,
  unit: Unit,
  clock: ValueClock,
): ValueRule {
  const { timeZone } = clock;
  switch (operator) {
    case 'exists':
      return { kind: 'present' };
    case 'notExists':
      return { kind: 'absent' };
    case 'isEmpty':
      return { kind: 'empty' };
    case 'isNotEmpty':
      return { kind: 'notEmpty' };
    case 'equals':
    case 'notEquals':
      return equality(expected, operator === 'notEquals', timeZone);
    case 'isAnyOf':
    case 'isNoneOf':
      return Array.isArray(expected) ? oneOf(expected, operator === 'isNoneOf', timeZone) : never;
    case 'contains':
    case 'notContains':
    case 'startsWith':
    case 'endsWith':
      return typeof expected === 'string' ? substringRule(operator, [expected]) : never;
    case 'hasAnyOf':
    case 'hasAllOf':
    case 'hasNoneOf':
      return isListOperand(expected) ? itemsRule(operator, expected) : never;
    case 'within':
    case 'olderThan':
    case 'withinNext':
    case 'laterThan':
      return within(windowOf(operator, Number(expected), unit, clock), timeZone);
    case 'onDay':
      return within(dayPeriod(addDays(todayOf(clock), Number(expected)), clockOf(timeZone)), timeZone);
    case 'anniversaryWithinNext':
      return { kind: 'anniversary', days: anniversaries(todayOf(clock), Number(expected)), timeZone };
    default:
      return comparison(operator, expected, timeZone);
  }
}

/** The rule for an instant such as `createdAt`: only dates can be compared with it, also in milliseconds since 1970. */
export function instantRule(
  operator: ValueOperator,
  expected: unknown,
  unit: Unit,
  clock: ValueClock,
): ValueRule {
  if (
    typeof expected !== 'number' ||
    (operator !== 'equals' && operator !== 'notEquals' && !isComparison(operator))
  )
    return onlyDates(valueRule(operator, expected, unit, clock));
  const at = instantOf(expected)?.getTime();
  if (at === undefined) return never;
  if (isComparison(operator))
    return within(instantPeriod(operator, at, clockOf(clock.timeZone)), clock.timeZone);
  return within(instantsOnly(at, at + 1), clock.timeZone, operator === 'notEquals');
}

const onlyDates = (rule: ValueRule): ValueRule =>
  rule.kind === 'inPeriod' || rule.kind === 'anniversary' ? rule : never;

/** The rule for an address: everything is compared as text in the normal form of addresses (behaviour B1.1). */
export function addressRule(operator: ValueOperator, expected: unknown): ValueRule {
  const among = (values: readonly unknown[], negated: boolean): ValueRule => ({
    kind: 'oneOf',
    values: values.map(addressEqualTo),
    days: [],
    timeZone: 'UTC',
    negated,
  });
  switch (operator) {
    case 'equals':
    case 'notEquals':
      return among([expected], operator === 'notEquals');
    case 'isAnyOf':
    case 'isNoneOf':
      return Array.isArray(expected) ? among(expected, operator === 'isNoneOf') : never;
    case 'contains':
    case 'notContains':
    case 'startsWith':
    case 'endsWith':
      return substringRule(operator, addressPartsOf(expected));
    case 'isEmpty':
      return { kind: 'empty' };
    case 'isNotEmpty':
      return { kind: 'notEmpty' };
    default:
      return never;
  }
}

/** What an address is compared with: the value as text. A list or an object is its JSON. */
const addressText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The address that a value equals. */
const addressEqualTo = (value: unknown): string => addressSought(addressText(value));

/** The texts of which an address contains one if it contains a value. */
const addressPartsOf = (value: unknown): string[] => addressPartsSought(addressText(value));

function substringRule(
  operator: 'contains' | 'notContains' | 'startsWith' | 'endsWith',
  parts: readonly string[],
): ValueRule {
  const at = operator === 'startsWith' ? 'start' : operator === 'endsWith' ? 'end' : 'anywhere';
  return { kind: 'substring', parts, at, negated: operator === 'notContains' };
}

const itemsRule = (operator: ListOperator, items: readonly string[]): ValueRule => ({
  kind: 'items',
  items,
  all: operator === 'hasAllOf',
  negated: operator === 'hasNoneOf',
});

const within = (period: DatePeriod, timeZone: string, negated = false): ValueRule => ({
  kind: 'inPeriod',
  period,
  timeZone,
  negated,
});

function equality(expected: unknown, negated: boolean, timeZone: string): ValueRule {
  if (expected === null) return { kind: negated ? 'present' : 'absent' };
  const day = dayInZone(expected, timeZone);
  if (day !== null) return within(dayPeriod(day, clockOf(timeZone)), timeZone, negated);
  return { kind: 'oneOf', values: [expected], days: [], timeZone, negated };
}

function oneOf(expected: readonly unknown[], negated: boolean, timeZone: string): ValueRule {
  const [only, ...others] = expected;
  if (only !== undefined && only !== null && others.length === 0) return equality(only, negated, timeZone);
  const days = new Set<string>();
  const values = expected.filter((each) => {
    const day = dayInZone(each, timeZone);
    if (day !== null) days.add(day);
    return day === null;
  });
  return { kind: 'oneOf', values, days: [...days], timeZone, negated };
}

function comparison(operator: Comparison, expected: unknown, timeZone: string): ValueRule {
  if (typeof expected === 'number') return { kind: 'ordered', operator, number: expected, text: null };
  if (typeof expected !== 'string') return never;
  const day = bareDayOf(expected);
  const clock = clockOf(timeZone);
  if (day !== null) return within(comparedWithDay(operator, day, clock), timeZone);
  const at = momentOf(expected, clock);
  if (at !== null) return within(instantPeriod(operator, at, clock), timeZone);
  return { kind: 'ordered', operator, number: numberOf(expected), text: expected };
}

/** Whether the rule of an operator depends on the time or its zone: for most it does not, so that nobody has to ask for the zone. */
export function readsClock(operator: ValueOperator, expected: unknown): boolean {
  const form = valueFormOf[operator];
  if (form === 'age' || form === 'days') return true;
  if (form === 'items') return false;
  const values: unknown[] = Array.isArray(expected) ? expected : [expected];
  return values.some((each) => typeof each === 'string' && readIsoDate(each) !== null);
}

const todayOf = ({ now, timeZone }: ValueClock): string => clockOf(timeZone).dayAt(now.getTime());

/** The instant of a text with a date and a time, in the zone unless it has an offset; null for every other text. */
function momentOf(text: string, clock: ZoneClock): number | null {
  const written = readIsoDate(text);
  if (written === null || written.time === null) return null;
  const local = utcMidnight(written.day) + written.time;
  const at = written.offset === null ? clock.instantAt(local) : local - written.offset;
  return at >= earliestInstant && at <= latestInstant ? at : null;
}

/** The instant of a date in a zone, unless the text has an offset: a day without a time is its beginning. Null for every other text. */
export function instantIn(text: string, timeZone: string): Date | null {
  const clock = clockOf(timeZone);
  const day = bareDayOf(text);
  const at = day === null ? momentOf(text, clock) : clock.startOf(day);
  return at !== null && at >= earliestInstant && at <= latestInstant ? new Date(at) : null;
}

/** The calendar day of a text that is a date: as written without a time, else the day in the zone in which it lies. */
export function dayInZone(value: unknown, timeZone: string): string | null {
  if (typeof value !== 'string') return null;
  const clock = clockOf(timeZone);
  const at = momentOf(value, clock);
  return at === null ? bareDayOf(value) : clock.dayAt(at);
}

const dayPeriod = (day: string, clock: ZoneClock): DatePeriod => daysFrom(day, addDays(day, 1), clock);

const daysFrom = (from: string, to: string, clock: ZoneClock): DatePeriod => ({
  days: { from, to },
  instants: { from: clock.startOf(from), to: clock.startOf(to) },
});

const instantsOnly = (from: number, to: number): DatePeriod => ({
  days: { from: afterAllDays, to: beforeAllDays },
  instants: { from, to },
});

/** A day is its whole day: `> D` begins with the next midnight, `<= D` ends there. */
function comparedWithDay(operator: Comparison, day: string, clock: ZoneClock): DatePeriod {
  switch (operator) {
    case 'greaterThan':
      return daysFrom(addDays(day, 1), afterAllDays, clock);
    case 'greaterThanOrEqual':
      return daysFrom(day, afterAllDays, clock);
    case 'lessThan':
      return daysFrom(beforeAllDays, day, clock);
    case 'lessThanOrEqual':
      return daysFrom(beforeAllDays, addDays(day, 1), clock);
  }
}

const all = { from: beforeAllDays, to: afterAllDays };
const ever = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Against an instant, a day without a time counts as its beginning. */
function instantPeriod(operator: Comparison, at: number, clock: ZoneClock): DatePeriod {
  const day = clock.dayAt(at);
  const beginsBefore = clock.startOf(day) < at;
  const next = addDays(day, 1);
  const after = at < latestInstant ? at + 1 : ever.to;
  switch (operator) {
    case 'greaterThan':
      return { days: { ...all, from: next }, instants: { ...ever, from: after } };
    case 'greaterThanOrEqual':
      return { days: { ...all, from: beginsBefore ? next : day }, instants: { ...ever, from: at } };
    case 'lessThan':
      return { days: { ...all, to: beginsBefore ? next : day }, instants: { ...ever, to: at } };
    case 'lessThanOrEqual':
      return { days: { ...all, to: next }, instants: { ...ever, to: after } };
  }
}

const unitMs: Record<Unit, number> = { days: 86_400_000, hours: 3_600_000, minutes: 60_000 };

/** The moment `amount` units before `now`, never before the year 1. */
export const momentBefore = (now: Date, amount: number, unit: Unit): Date =>
  new Date(Math.max(now.getTime() - amount * unitMs[unit], earliestInstant));

/** The moment `amount` units after `now`, never after the year 9999. */
const momentAfter = (now: Date, amount: number, unit: Unit): Date =>
  new Date(Math.min(now.getTime() + amount * unitMs[unit], latestInstant));

/** In days, text without a time is compared by calendar days; in other units it counts as midnight. */
function windowOf(
  operator: 'within' | 'olderThan' | 'withinNext' | 'laterThan',
  amount: number,
  unit: Unit,
  { now, timeZone }: ValueClock,
): DatePeriod {
  const clock = clockOf(timeZone);
  const isPast = operator === 'within' || operator === 'olderThan';
  const edge = (isPast ? momentBefore : momentAfter)(now, amount, unit).getTime();
  const period = edgesOf(operator, now.getTime(), edge, clock);
  if (unit !== 'days') return period;
  const today = clock.dayAt(now.getTime());
  const day = addDays(today, isPast ? -Math.floor(amount) : Math.floor(amount));
  const byDays = {
    within: { from: day, to: addDays(today, 1) },
    olderThan: { ...all, to: day },
    withinNext: { from: today, to: addDays(day, 1) },
    laterThan: { ...all, from: addDays(day, 1) },
  };
  return { days: byDays[operator], instants: period.instants };
}

/** The period between now and the edge of a window, both included, or what lies beyond the edge. */
function edgesOf(
  operator: 'within' | 'olderThan' | 'withinNext' | 'laterThan',
  now: number,
  edge: number,
  clock: ZoneClock,
): DatePeriod {
  const after = (comparison: Comparison, at: number): DatePeriod => instantPeriod(comparison, at, clock);
  switch (operator) {
    case 'within':
      return overlap(after('greaterThanOrEqual', edge), after('lessThanOrEqual', now));
    case 'withinNext':
      return overlap(after('greaterThanOrEqual', now), after('lessThanOrEqual', edge));
    case 'olderThan':
      return after('lessThan', edge);
    case 'laterThan':
      return after('greaterThan', edge);
  }
}

const overlap = (start: DatePeriod, end: DatePeriod): DatePeriod => ({
  days: { from: start.days.from, to: end.days.to },
  instants: { from: start.instants.from, to: end.instants.to },
});

const leapDay = '02-29';
const isLeapYear = (year: string): boolean => bareDayOf(`${year}-${leapDay}`) !== null;

/** The months and days (`MM-DD`) of the days from today to `days` later; 29 February is 28 February in years without one. */
function anniversaries(today: string, days: number): string[] {
  const found = new Set<string>();
  for (let ahead = 0; ahead <= days; ahead += 1) {
    const day = addDays(today, ahead);
    const anniversary = day.slice(5);
    found.add(anniversary);
    if (anniversary === '02-28' && !isLeapYear(day.slice(0, 4))) found.add(leapDay);
  }
  return [...found];
}

/** Whether a JSON value satisfies a rule. @param actual undefined when it is missing */
export function matchesRule(rule: ValueRule, actual: unknown): boolean {
  const isPresent = actual !== undefined && actual !== null;
  switch (rule.kind) {
    case 'never':
      return false;
    case 'present':
      return isPresent;
    case 'absent':
      return !isPresent;
    case 'empty':
      return isEmpty(actual);
    case 'notEmpty':
      return !isEmpty(actual);
    case 'oneOf':
      return isPresent && isOneOf(rule, actual) !== rule.negated;
    case 'inPeriod':
      return isPresent && isInPeriod(rule, actual) !== rule.negated;
    case 'anniversary': {
      const day = dayInZone(actual, rule.timeZone);
      return day !== null && rule.days.includes(day.slice(5));
    }
    case 'substring':
      return typeof actual === 'string' && hasPart(rule, actual) !== rule.negated;
    case 'items':
      return hasItems(rule, actual) !== rule.negated;
    case 'ordered':
      return isOrdered(rule, actual);
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function isOneOf(
  { values, days, timeZone }: Extract<ValueRule, { kind: 'oneOf' }>,
  actual: unknown,
): boolean {
  if (values.some((each) => isSameJson(each, actual))) return true;
  const day = days.length > 0 ? dayInZone(actual, timeZone) : null;
  return day !== null && days.includes(day);
}

function isInPeriod(
  { period: { days, instants }, timeZone }: Extract<ValueRule, { kind: 'inPeriod' }>,
  actual: unknown,
): boolean {
  if (typeof actual !== 'string') return false;
  const at = momentOf(actual, clockOf(timeZone));
  if (at !== null) return at >= instants.from && at < instants.to;
  const day = bareDayOf(actual);
  return day !== null && day >= days.from && day < days.to;
}

function hasPart({ parts, at }: Extract<ValueRule, { kind: 'substring' }>, text: string): boolean {
  return parts.some((part) => {
    if (at === 'start') return text.startsWith(part);
    return at === 'end' ? text.endsWith(part) : text.includes(part);
  });
}

function hasItems({ items, all }: Extract<ValueRule, { kind: 'items' }>, actual: unknown): boolean {
  if (!Array.isArray(actual)) return false;
  const list = new Set<unknown>(actual);
  return all ? items.every((item) => list.has(item)) : items.some((item) => list.has(item));
}

function isOrdered(
  { operator, number, text }: Extract<ValueRule, { kind: 'ordered' }>,
  actual: unknown,
): boolean {
  if (typeof actual === 'string' && text !== null) return holds(operator, compareTexts(actual, text));
  const given = typeof actual === 'string' ? numberOf(actual) : actual;
  return typeof given === 'number' && number !== null && holds(operator, Math.sign(given - number));
}

function holds(operator: Comparison, order: number): boolean {
  switch (operator) {
    case 'greaterThan':
      return order > 0;
    case 'lessThan':
      return order < 0;
    case 'greaterThanOrEqual':
      return order >= 0;
    case 'lessThanOrEqual':
      return order <= 0;
  }
}

/** By code point, as `COLLATE "C"` compares UTF-8; JavaScript compares UTF-16 units, in which a surrogate is less than U+E000. */
function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return codePointOrder(left) - codePointOrder(right);
  }
  return a.length - b.length;
}

const firstSurrogate = 0xd800;
const afterSurrogates = 0xe000;
const surrogates = afterSurrogates - firstSurrogate;
const lastUnit = 0xffff;

/** Sorts surrogates, which stand for characters beyond U+FFFF, after all other units. */
const codePointOrder = (unit: number): number => {
  if (unit < firstSurrogate) return unit;
  return unit < afterSurrogates ? unit - firstSurrogate + (lastUnit - surrogates + 1) : unit - surrogates;
};

/** Whether two JSON values are equal as `jsonb` compares them: the order of keys does not matter. */
function isSameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return (
    keys.length === others.length &&
    keys.every(
      (key) =>
        Object.hasOwn(b, key) &&
        isSameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  );
}
