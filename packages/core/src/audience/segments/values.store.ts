import { beginsWithOneOf, constant, containsOneOf, endsWithOneOf, Prisma } from '../../base/db/index.ts';
import {
  addDays,
  type Comparison,
  type DatePeriod,
  earliestInstant,
  isoPattern,
  latestInstant,
  numberPattern,
  utcDayAt,
  type ValueRule,
} from '../../base/lib/index.ts';

/** Rules on values (behaviour B2.5) as SQL: what `matchesRule` decides in TypeScript. Every expression is a boolean and never NULL. */

export const nothing = Prisma.sql`FALSE`;
export const everything = Prisma.sql`TRUE`;

type Rule<Kind extends ValueRule['kind']> = Extract<ValueRule, { kind: Kind }>;

const signs: Record<Comparison, Prisma.Sql> = {
  greaterThan: Prisma.sql`>`,
  lessThan: Prisma.sql`<`,
  greaterThanOrEqual: Prisma.sql`>=`,
  lessThanOrEqual: Prisma.sql`<=`,
};

const text = (value: string): Prisma.Sql => Prisma.sql`${value}::text COLLATE "C"`;

/** Numbers of milliseconds and patterns are of the code, not of a request, but parameters keep one text for all statements. */
export const instant = (at: number): Prisma.Sql =>
  Prisma.sql`${Number.isFinite(at) ? new Date(at).toISOString() : 'infinity'}::timestamptz`;

/** The form of text that is a date. */
export const iso = constant(`'${isoPattern}'`);
const plainNumber = constant(`'${numberPattern}'`);

const joined = (parts: readonly Prisma.Sql[], by: ' AND ' | ' OR '): Prisma.Sql => {
  const [first, ...more] = parts;
  if (!first) return by === ' AND ' ? everything : nothing;
  return more.length === 0 ? first : Prisma.sql`(${Prisma.join([first, ...more], by)})`;
};

/** A value in JSON: an expression of type jsonb, NULL for a missing value, and the same as text. */
export interface JsonOperand {
  value: Prisma.Sql;
  text: Prisma.Sql;
}

/** `data.<key>` of a contact `c`. */
export const dataOperand = (key: string): JsonOperand => ({
  value: Prisma.sql`c."data" -> ${key}::text`,
  text: Prisma.sql`(c."data" ->> ${key}::text)`,
});

/**
 * A rule for `data.<key>` of a contact `c`. A condition without an index is evaluated for every contact of a project, so what most
 * values fail comes first.
 */
export function dataSql(rule: ValueRule, key: string): Prisma.Sql {
  return containment(rule, key) ?? jsonSql(rule, dataOperand(key));
}

/** More values cost less as a hash of all of them than as a look into the index for each. */
const mostByIndex = 8;

/** Containment can use the GIN index of "data"; it also compares the type of the value. */
function containment(rule: ValueRule, key: string): Prisma.Sql | null {
  const inData = (each: unknown): string => JSON.stringify({ [key]: each });
  if (rule.kind === 'items') return items(rule, Prisma.sql`c."data"`, inData);
  if (rule.kind !== 'oneOf' || rule.negated || rule.days.length > 0) return null;
  const { values } = rule;
  if (values.length > mostByIndex || values.some(isComposite)) return null;
  return containsAnyOf(Prisma.sql`c."data"`, values.map(inData));
}

const containsAnyOf = (value: Prisma.Sql, contained: readonly string[]): Prisma.Sql =>
  contained.length === 1
    ? Prisma.sql`${value} @> ${contained[0]}::jsonb`
    : Prisma.sql`${value} @> ANY(${contained}::text[]::jsonb[])`;

/** @param around the JSON in which the value has a list */
function items(
  { items: sought, all, negated }: Rule<'items'>,
  value: Prisma.Sql,
  around: (list: readonly string[]) => string,
): Prisma.Sql {
  const contained = all ? [around(sought)] : sought.map((item) => around([item]));
  const contains = containsAnyOf(value, contained);
  return negated ? Prisma.sql`NOT (${contains})` : contains;
}

const isComposite = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** A rule for any JSON value. */
export function jsonSql(rule: ValueRule, operand: JsonOperand): Prisma.Sql {
  const type = Prisma.sql`jsonb_typeof(${operand.value})`;
  const present = Prisma.sql`coalesce(${type} <> 'null', FALSE)`;
  switch (rule.kind) {
    case 'never':
      return nothing;
    case 'present':
      return present;
    case 'absent':
      return Prisma.sql`coalesce(${type} = 'null', TRUE)`;
    case 'empty':
      return empty(operand);
    case 'notEmpty':
      return Prisma.sql`NOT ${empty(operand)}`;
    case 'oneOf':
      return rule.negated ? Prisma.sql`(${present} AND NOT ${oneOf(rule, operand)})` : oneOf(rule, operand);
    case 'inPeriod':
      return rule.negated
        ? Prisma.sql`(${present} AND NOT ${inPeriod(rule, operand)})`
        : inPeriod(rule, operand);
    case 'anniversary':
      return ofDays(rule.days, aroundMonthDays(rule.days), rule.timeZone, {
        day: Prisma.sql`substr(${operand.text}, 6, 5)`,
        format: 'MM-DD',
        operand,
      });
    case 'substring':
      return ofType(type, 'string', substring(rule, operand));
    case 'items':
      return items(rule, Prisma.sql`coalesce(${operand.value}, 'null')`, (list) => JSON.stringify(list));
    case 'ordered':
      return ordered(rule, operand);
  }
}

const empty = ({ value }: JsonOperand): Prisma.Sql =>
  Prisma.sql`coalesce(${value} IN ('null'::jsonb, '""'::jsonb, '[]'::jsonb), TRUE)`;

/** A rule for values of one type. It may be NULL or true for others, but must not fail for them. */
const ofType = (type: Prisma.Sql, name: 'string' | 'number', rule: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`CASE WHEN ${rule} THEN ${type} = ${constant(`'${name}'`)} ELSE FALSE END`;

function partAt(
  part: string,
  at: Rule<'substring'>['at'],
  negated: boolean,
  { text: operand }: JsonOperand,
): Prisma.Sql {
  switch (at) {
    case 'start':
      return Prisma.sql`starts_with(${operand}, ${part})`;
    case 'end':
      return Prisma.sql`right(${operand}, length(${part}::text)) = ${part}`;
    case 'anywhere':
      return negated
        ? Prisma.sql`strpos(${operand}, ${part}) = 0`
        : Prisma.sql`strpos(${operand}, ${part}) > 0`;
  }
}

function substring({ parts, at, negated }: Rule<'substring'>, operand: JsonOperand): Prisma.Sql {
  const has = parts.map((part) => partAt(part, at, negated, operand));
  return joined(has, negated ? ' AND ' : ' OR ');
}

function oneOf({ values, days, timeZone }: Rule<'oneOf'>, operand: JsonOperand): Prisma.Sql {
  const { value } = operand;
  const parts: Prisma.Sql[] = [];
  const [only] = values;
  if (values.length === 1) parts.push(Prisma.sql`coalesce(${value} = ${JSON.stringify(only)}::jsonb, FALSE)`);
  if (values.length > 1) {
    const list = values.map((each) => JSON.stringify(each));
    parts.push(Prisma.sql`coalesce(${value} = ANY(${list}::text[]::jsonb[]), FALSE)`);
  }
  if (days.length > 0) {
    const day = Prisma.sql`left(${operand.text}, 10)`;
    parts.push(ofDays(days, aroundDays(days), timeZone, { day, format: 'YYYY-MM-DD', operand }));
  }
  return joined(parts, ' OR ');
}

/** A written day and the one in another zone are at most two days apart: clocks differ by less than 48 hours, whatever an offset says. */
const around = [-2, -1, 0, 1, 2];

const aroundDays = (days: readonly string[]): string[] => [
  ...new Set(days.flatMap((day) => around.map((by) => addDays(day, by)))),
];

/** Around 29 February in years with and without it. */
const aroundMonthDays = (days: readonly string[]): string[] => [
  ...new Set(
    days.flatMap((day) =>
      ['2000', day === '02-29' ? '2004' : '2001'].flatMap((year) =>
        around.map((by) => addDays(`${year}-${day}`, by).slice(5)),
      ),
    ),
  ),
];

/** A date of one of some days. Only one whose written day is near them is brought into the zone. */
function ofDays(
  days: readonly string[],
  near: readonly string[],
  timeZone: string,
  { day, format, operand }: { day: Prisma.Sql; format: string; operand: JsonOperand },
): Prisma.Sql {
  const inZone = Prisma.sql`to_char(instant_of(${operand.text}, ${timeZone}) AT TIME ZONE ${timeZone}, ${format})`;
  return Prisma.sql`CASE WHEN ${day} = ANY(${near}::text[]) AND ${operand.text} ~ ${iso}
    THEN CASE WHEN length(${operand.text}) = 10 THEN ${day} = ANY(${days}::text[]) ELSE coalesce(${inZone} = ANY(${days}::text[]), FALSE) END
    ELSE FALSE END`;
}

/**
 * A date within a period. Text that begins with a day is in order: what lies more than a day inside or outside of the bounds is decided
 * by its first characters, because an offset moves it by less than a day. Values of other types have no text of this form. The value
 * is taken from the data once for most contacts, which costs more than to look for its place among the bounds.
 */
function inPeriod({ period, timeZone }: Rule<'inPeriod'>, operand: JsonOperand): Prisma.Sql {
  const { days } = period;
  const from = Math.max(period.instants.from, earliestInstant);
  const last = Math.min(period.instants.to - 1, latestInstant);
  if (from > last)
    return Prisma.sql`CASE WHEN ${bounded(operand, days)} AND length(${operand.text}) = 10 THEN ${operand.text} ~ ${iso} ELSE FALSE END`;
  const [first, end] = [utcDayAt(from), utcDayAt(last)];
  const moment = Prisma.sql`instant_of(${operand.text}, ${timeZone})`;
  const exact = Prisma.sql`CASE WHEN ${operand.text} ~ ${iso} THEN CASE WHEN length(${operand.text}) = 10 THEN ${bounded(operand, days)}
      ELSE coalesce(${moment} >= ${instant(from)} AND ${moment} <= ${instant(last)}, FALSE) END ELSE FALSE END`;
  const outer = [earlier(days.from, addDays(first, -1)), later(days.to, addDays(end, 2))];
  const inner = [later(days.from, addDays(first, 2)), earlier(days.to, addDays(end, -1))];
  const among = (...bounds: string[]): Prisma.Sql =>
    Prisma.sql`width_bucket(${operand.text} COLLATE "C", ${bounds}::text[])`;
  const [outerFrom = '', outerTo = ''] = outer;
  const [innerFrom = '', innerTo = ''] = inner;
  if (innerFrom >= innerTo)
    return Prisma.sql`CASE ${among(outerFrom, outerTo)} WHEN 1 THEN ${exact} ELSE FALSE END`;
  return Prisma.sql`CASE ${among(outerFrom, innerFrom, innerTo, outerTo)} WHEN 0 THEN FALSE WHEN 4 THEN FALSE
    WHEN 2 THEN ${usualDate(operand)} OR ${operand.text} ~ ${iso} ELSE ${exact} END`;
}

/** `-01-01` to `-12-31`, without 29 February. */
const usualDays = constant(
  `'{${Array.from({ length: 365 }, (_, index) => addDays('2001-01-01', index).slice(4)).join(',')}}'::text[]`,
);
/** How programs write dates, alone and with a time, the most frequent forms first. */
const usualForms = constant(
  `'{${['', 'T__:__:__.___Z', 'T__:__:__Z', 'T__:__:__+__:__', 'T__:__:__-__:__', 'T__:__:__.______+__:__'].map((time) => `____-__-__${time}`).join(',')}}'::text[]`,
);

/**
 * Whether text has the form of a date, without the cost of the pattern, which is that of the whole rest of a statement: a day that exists,
 * alone or with a time. Letters in place of the digits of a time, which no program writes, are not looked for.
 */
const usualDate = ({ text: operand }: JsonOperand): Prisma.Sql =>
  Prisma.sql`(substr(${operand}, 5, 6) = ANY(${usualDays}) AND ${operand} LIKE ANY(${usualForms}))`;

const earlier = (a: string, b: string): string => (a < b ? a : b);
const later = (a: string, b: string): string => (a > b ? a : b);

/** Text from one day (included) to another; a bound beyond all days says nothing. */
export function bounded({ text: operand }: JsonOperand, { from, to }: DatePeriod['days']): Prisma.Sql {
  if (from >= to) return nothing;
  return joined(
    [
      ...(from > '0' ? [Prisma.sql`${operand} >= ${text(from)}`] : []),
      ...(to < ':' ? [Prisma.sql`${operand} < ${text(to)}`] : []),
    ],
    ' AND ',
  );
}

/** A sign, 15 digits, a point and 10 digits. */
const longestNumber = 27;

/** Long text is none, whatever the pattern costs; whole numbers are found without it, because it costs as much as all the rest. */
export const isPlainNumber = ({ text: operand }: JsonOperand): Prisma.Sql =>
  Prisma.sql`(octet_length(${operand}) <= ${constant(longestNumber)} AND ${operand} < ${text(':')}
    AND ((${operand} >= ${text('1')} AND length(${operand}) <= 15 AND ltrim(${operand}, '0123456789') = '') OR ${operand} ~ ${plainNumber}))`;

/** JSON sorts null and strings before all numbers, and booleans, lists and objects after them. */
const [beforeNumbers, afterNumbers] = ['-1e1000', 'false'];

function ordered({ operator, number, text: expected }: Rule<'ordered'>, operand: JsonOperand): Prisma.Sql {
  const sign = signs[operator];
  if (number === null) {
    const type = Prisma.sql`jsonb_typeof(${operand.value})`;
    return ofType(type, 'string', Prisma.sql`${operand.text} ${sign} ${text(expected ?? '')}`);
  }
  const ofTexts =
    expected === null
      ? Prisma.sql`CASE WHEN ${isPlainNumber(operand)} THEN ${operand.text}::double precision ${sign} ${number}::double precision ELSE FALSE END`
      : Prisma.sql`coalesce(${operand.text} ${sign} ${text(expected)}, FALSE)`;
  const isAbove = operator === 'greaterThan' || operator === 'greaterThanOrEqual';
  const isExclusive = operator === 'greaterThan' || operator === 'lessThanOrEqual';
  const bound = JSON.stringify(isExclusive ? doubleAfter(number) : number);
  const bounds = [beforeNumbers, bound === 'null' ? '1e1000' : bound, afterNumbers];
  return Prisma.sql`CASE width_bucket(${operand.value}, ${bounds}::text[]::jsonb[]) WHEN ${constant(isAbove ? 2 : 1)} THEN TRUE WHEN 0 THEN ${ofTexts} ELSE FALSE END`;
}

/** The next greater double: numbers in JSON are doubles, so one that is greater than `x` is at least this. */
function doubleAfter(x: number): number {
  if (x === 0) return Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  view.setBigInt64(0, view.getBigInt64(0) + (x > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

/** A rule for a column that is an instant and never NULL. */
export function columnSql(rule: ValueRule, column: Prisma.Sql): Prisma.Sql {
  if (rule.kind === 'anniversary')
    return Prisma.sql`to_char(${column} AT TIME ZONE ${rule.timeZone}, 'MM-DD') = ANY(${rule.days}::text[])`;
  if (rule.kind !== 'inPeriod') return nothing;
  const { from, to } = rule.period.instants;
  const bounds = [
    ...(from > earliestInstant ? [Prisma.sql`${column} >= ${instant(from)}`] : []),
    ...(to <= latestInstant ? [Prisma.sql`${column} < ${instant(to)}`] : []),
  ];
  const inside = joined(bounds, ' AND ');
  return rule.negated ? Prisma.sql`NOT (${inside})` : inside;
}

/** A rule for the address of a contact `c`, as of `addressRule`. */
export function addressSql(rule: ValueRule): Prisma.Sql {
  const column = Prisma.sql`c."email"`;
  switch (rule.kind) {
    case 'notEmpty':
      return everything;
    case 'oneOf': {
      const [only] = rule.values;
      if (rule.values.length === 1)
        return rule.negated ? Prisma.sql`${column} <> ${only}` : Prisma.sql`${column} = ${only}`;
      return rule.negated
        ? Prisma.sql`${column} <> ALL(${rule.values}::text[])`
        : Prisma.sql`${column} = ANY(${rule.values}::text[])`;
    }
    case 'substring': {
      const has = byPlace[rule.at](column, rule.parts);
      return rule.negated ? Prisma.sql`NOT ${has}` : has;
    }
    default:
      return nothing;
  }
}

const byPlace = { anywhere: containsOneOf, start: beginsWithOneOf, end: endsWithOneOf };
