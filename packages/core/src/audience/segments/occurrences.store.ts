import { constant, ofProject, Prisma } from '../../base/db/index.ts';
import {
  earliestInstant,
  instantRule,
  latestInstant,
  type ValueClock,
  valueRule,
} from '../../base/lib/index.ts';
import { generalKey } from '../topics/topics.rules.ts';
import {
  type EmailActivity,
  type EmailProperty,
  type FigureOperator,
  type Filter,
  isReferring,
  timelessActivities,
  timesOf,
  type WhereCondition,
} from './filters.rules.ts';
import { type Period, periodOf, runsOf } from './occurrences.rules.ts';
import {
  columnSql,
  everything,
  instant,
  isPlainNumber,
  type JsonOperand,
  jsonSql,
  nothing,
} from './values.store.ts';

/** Occurrences of a contact `c` (behaviour B2.5) as SQL. Every expression is a boolean and never NULL. */

/** The rows that are occurrences, and what is asked of them. */
export interface Occurrences {
  from: Prisma.Sql;
  where: Prisma.Sql;
  /** when it occurred */
  at: Prisma.Sql;
  id: Prisma.Sql;
  /** the `property` of the filter, if it has one */
  property: JsonOperand | null;
}

export interface OccurrenceScope {
  projectId: string;
  /**
   * Whether the occurrences are looked up for each contact, so that none but the index of a contact may find them, whatever statistics
   * say. For a whole project, the planner may also read all of them once.
   */
  byContact: boolean;
}

/** Events of one name, or emails with one activity. */
export type OccurrenceSource = { event: string } | { activity: EmailActivity };

/** What a filter counts as occurrences. @param since in place of its window */
export const occurrencesOf = (
  scope: OccurrenceScope,
  source: OccurrenceSource,
  filter: Filter,
  clock: ValueClock,
  since: Period | null = null,
): Occurrences =>
  'event' in source
    ? events(scope, source.event, filter, clock, since)
    : emails(scope, source.activity, filter, clock, since);

/** The filters that are compiled here: those in the long form. */
export function occurrenceSql(
  scope: OccurrenceScope,
  source: OccurrenceSource,
  filter: Filter,
  clock: ValueClock,
): Prisma.Sql {
  const of = (byContact: boolean): Occurrences =>
    occurrencesOf({ ...scope, byContact: byContact || scope.byContact }, source, filter, clock);
  switch (filter.operator) {
    case 'occurred':
    case 'notOccurred':
      return counted(of, timesOf(filter));
    case 'total':
    case 'average':
    case 'smallest':
    case 'largest':
    case 'distinct':
      return figure(of(true), filter.operator, filter);
    case 'first':
    case 'last':
      return edge(of(true), filter, clock);
    default:
      return nothing;
  }
}

/** Occurrences of the short forms, with what else the filter asks of them. */
export function exists(
  scope: OccurrenceScope,
  source: OccurrenceSource,
  filter: Filter,
  clock: ValueClock,
  after: Date | null,
): Prisma.Sql {
  const since = after ? { from: after.getTime(), to: Number.POSITIVE_INFINITY } : null;
  const { from, where } = occurrencesOf(scope, source, filter, clock, since);
  return Prisma.sql`EXISTS (SELECT FROM ${from} WHERE ${where})`;
}

/** Counts no further than decides: `min: k` reads k rows of the index. */
function counted(
  of: (byContact: boolean) => Occurrences,
  { min, max }: { min: number; max: number | null },
): Prisma.Sql {
  if (min === 0 && max === null) return everything;
  if (min <= 1 && (max === null || max === 0)) {
    const { from, where } = of(false);
    const some = Prisma.sql`EXISTS (SELECT FROM ${from} WHERE ${where})`;
    return max === null ? some : Prisma.sql`NOT ${some}`;
  }
  const { from, where } = of(true);
  const most = max === null ? min : max + 1;
  const count = Prisma.sql`(SELECT count(*) FROM (SELECT FROM ${from} WHERE ${where} LIMIT ${most}::int) o)`;
  if (max === null) return Prisma.sql`${count} >= ${min}::int`;
  return min === 0
    ? Prisma.sql`${count} <= ${max}::int`
    : Prisma.sql`${count} BETWEEN ${min}::int AND ${max}::int`;
}

const signs = {
  equals: Prisma.sql`=`,
  notEquals: Prisma.sql`<>`,
  greaterThan: Prisma.sql`>`,
  lessThan: Prisma.sql`<`,
  greaterThanOrEqual: Prisma.sql`>=`,
  lessThanOrEqual: Prisma.sql`<=`,
} as const;

/**
 * Numbers are added as decimals: a sum has no order, 0.1 and 0.2 are 0.3, and none is too large. An average is compared as a sum with as many
 * times the value, which needs no division.
 */
const aggregates: Record<
  FigureOperator,
  (value: Prisma.Sql, number: Prisma.Sql, expected: Prisma.Sql) => [Prisma.Sql, Prisma.Sql]
> = {
  total: (_, number, expected) => [Prisma.sql`coalesce(sum(${number}), 0)`, expected],
  average: (_, number, expected) => [Prisma.sql`sum(${number})`, Prisma.sql`${expected} * count(${number})`],
  smallest: (_, number, expected) => [Prisma.sql`min(${number})`, expected],
  largest: (_, number, expected) => [Prisma.sql`max(${number})`, expected],
  distinct: (value, _, expected) => [Prisma.sql`count(DISTINCT ${value})`, expected],
};

function figure(
  { from, where, property }: Occurrences,
  operator: FigureOperator,
  { compare, value: given }: Filter,
): Prisma.Sql {
  const sign = signs[compare as keyof typeof signs];
  if (property === null || sign === undefined) return nothing;
  const value = Prisma.sql`CASE WHEN jsonb_typeof(o."v") <> 'null' THEN o."v" END`;
  const number = Prisma.sql`o."n"`;
  const [actual, expected] = aggregates[operator](
    value,
    number,
    Prisma.sql`${JSON.stringify(given)}::numeric`,
  );
  return Prisma.sql`coalesce((SELECT ${actual} ${sign} ${expected} FROM (
    SELECT ${property.value} AS "v", ${numberIn(property)} AS "n" FROM ${from} WHERE ${where}) o), FALSE)`;
}

/** The number that a value is or reads as; NULL for any other value. */
const numberIn = (operand: JsonOperand): Prisma.Sql =>
  Prisma.sql`CASE WHEN jsonb_typeof(${operand.value}) = 'number' OR (jsonb_typeof(${operand.value}) = 'string' AND ${isPlainNumber(operand)})
    THEN ${operand.text}::numeric END`;

/** The earliest or the latest occurrence. */
function edge({ from, where, at, id, property }: Occurrences, filter: Filter, clock: ValueClock): Prisma.Sql {
  const { operator, compare, value, unit = 'days' } = filter;
  if (compare === undefined) return nothing;
  const way = operator === 'first' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  const rule = property ? valueRule(compare, value, unit, clock) : instantRule(compare, value, unit, clock);
  const matches = property
    ? jsonSql(rule, { value: Prisma.sql`o."v"`, text: Prisma.sql`(o."v" #>> '{}')` })
    : columnSql(rule, Prisma.sql`o."at"`);
  return Prisma.sql`coalesce((SELECT ${matches} FROM (
    SELECT ${at} AS "at", ${property?.value ?? Prisma.sql`NULL::jsonb`} AS "v" FROM ${from} WHERE ${where}
    ORDER BY ${at} ${way}, ${id} ${way} LIMIT 1) o), FALSE)`;
}

function within(at: Prisma.Sql, { from, to }: Period): Prisma.Sql {
  const parts = [
    ...(from > earliestInstant ? [Prisma.sql` AND ${at} >= ${instant(from)}`] : []),
    ...(to <= latestInstant ? [Prisma.sql` AND ${at} < ${instant(Math.max(to, earliestInstant))}`] : []),
  ];
  return parts.length === 0 ? Prisma.empty : Prisma.join(parts, '');
}

const always: Period = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Each property that is asked for is taken out of the data once, also in the text of the statement. */
function taken(property: string, index: number): { join: Prisma.Sql; operand: JsonOperand } {
  const name = constant(`p${index}."v"`);
  return {
    join: Prisma.sql` CROSS JOIN LATERAL (SELECT ${valueAt(eventData, property)} AS "v") ${constant(`p${index}`)}`,
    operand: { value: name, text: Prisma.sql`(${name} #>> '{}')` },
  };
}

/** Of an event `e`. */
export const eventData = Prisma.sql`e."data"`;

/** Each run is a parameter, of which a statement has 32,767 at most. Data that people write has none. */
const mostRuns = 20;

/** A property of JSON: the literal key first, then the dotted path. */
export function valueAt(holder: Prisma.Sql, property: string): Prisma.Sql {
  const literal = Prisma.sql`${holder} -> ${property}::text`;
  if (!property.includes('.')) return Prisma.sql`(${literal})`;
  const runs = runsOf(property);
  if (runs.length > mostRuns) return Prisma.sql`(${literal})`;
  const path = runs.reduce(
    (value, { steps, onlyKey }) =>
      onlyKey ? Prisma.sql`(${value} -> ${steps[0]}::text)` : Prisma.sql`(${value} #> ${steps}::text[])`,
    holder,
  );
  return Prisma.sql`coalesce(${literal}, ${path})`;
}

/** The number at a property of the data of an event `e`, also one that is kept as text; NULL for any other value. */
export const eventNumber = (property: string): Prisma.Sql => {
  const operand = { value: Prisma.sql`o."v"`, text: Prisma.sql`(o."v" #>> '{}')` };
  return Prisma.sql`(SELECT ${numberIn(operand)} FROM (SELECT ${valueAt(eventData, property)} AS "v") o)`;
};

function events(
  { projectId, byContact }: OccurrenceScope,
  name: string,
  { where = [], window, property }: Filter,
  clock: ValueClock,
  since: Period | null = null,
): Occurrences {
  const { joins, conditions } = eventWhereSql(where, clock);
  const own = property === undefined ? null : taken(property, where.length);
  const project = byContact
    ? ofProject('e."projectId"', projectId)
    : Prisma.sql`e."projectId" = ${projectId}::uuid`;
  const period = since ?? (window ? periodOf(window, clock) : always);
  return {
    from: Prisma.sql`"Event" e${joins}${own?.join ?? Prisma.empty}`,
    where: Prisma.sql`e."contactId" = c."id" AND e."name" = ${name} AND ${project} AND e."kind" <> 'ACTIVITY'${within(Prisma.sql`e."createdAt"`, period)}${conditions}`,
    at: Prisma.sql`e."createdAt"`,
    id: Prisma.sql`e."id"`,
    property: own?.operand ?? null,
  };
}

/** A property of an event that must be equal to a value of the statement, which is NULL where it is missing. */
export interface EqualProperty {
  property: string;
  equalTo: Prisma.Sql;
}

/** Whether the data of an event `e` meets conditions: joins that take its properties out of the data, and the conditions, each after an AND. */
export function eventWhereSql(
  where: readonly (WhereCondition | EqualProperty)[],
  clock: ValueClock,
): { joins: Prisma.Sql; conditions: Prisma.Sql } {
  const asked = where.map((condition, index) => ({ condition, ...taken(condition.property, index) }));
  return {
    joins: all(asked.map(({ join }) => join)),
    conditions: all(
      asked.map(({ condition, operand }) => {
        if ('equalTo' in condition)
          return Prisma.sql` AND coalesce(${operand.value} = ${condition.equalTo}, FALSE)`;
        const { operator, value, unit = 'days' } = condition;
        return Prisma.sql` AND ${jsonSql(valueRule(operator, value, unit, clock), operand)}`;
      }),
    ),
  };
}

const all = (parts: readonly Prisma.Sql[]): Prisma.Sql =>
  parts.length === 0 ? Prisma.empty : Prisma.join([...parts], '');

const stamps: Record<Exclude<EmailActivity, 'unsubscribed' | 'cancelled'>, Prisma.Sql> = {
  sent: Prisma.sql`m."sentAt"`,
  delivery: Prisma.sql`m."deliveredAt"`,
  open: Prisma.sql`m."openedAt"`,
  click: Prisma.sql`m."clickedAt"`,
  bounce: Prisma.sql`m."bouncedAt"`,
  complaint: Prisma.sql`m."complainedAt"`,
};

const isTimeless = (activity: EmailActivity): activity is 'unsubscribed' | 'cancelled' =>
  timelessActivities.has(activity);

/** When an email had an activity; NULL for one without a time. */
export const stampOf = (activity: EmailActivity): Prisma.Sql =>
  isTimeless(activity) ? Prisma.sql`NULL::timestamptz` : stamps[activity];

/** That an email had an activity that has no time of its own. */
const timeless = {
  unsubscribed: Prisma.sql`m."unsubscribed"`,
  cancelled: Prisma.sql`m."status" = 'SKIPPED' AND m."reason" IN ('cancelled', 'project_disabled')`,
} as const;

function emails(
  { projectId, byContact }: OccurrenceScope,
  activity: EmailActivity,
  { where = [], window }: Filter,
  clock: ValueClock,
  since: Period | null = null,
): Occurrences {
  const project = byContact
    ? ofProject('m."projectId"', projectId)
    : Prisma.sql`m."projectId" = ${projectId}::uuid`;
  const at = isTimeless(activity) ? Prisma.sql`m."createdAt"` : stamps[activity];
  const period = since ?? (window ? periodOf(window, clock) : always);
  const happened = isTimeless(activity)
    ? timeless[activity]
    : Prisma.sql`${at} IS NOT NULL${within(at, period)}`;
  return {
    from: Prisma.sql`"Email" m`,
    where: Prisma.sql`${project} AND m."contactId" = c."id" AND m."sourceType" <> 'TEST' AND NOT m."toOther" AND ${happened}${all(where.map((condition) => Prisma.sql` AND ${emailSql(projectId, condition)}`))}`,
    at,
    id: Prisma.sql`m."id"`,
    property: null,
  };
}

/** The key of the topic of an email `m`; NULL for transactional email without one. */
const topicOfEmail =
  constant(`coalesce((SELECT t."key" FROM "Content" k JOIN "Topic" t ON t."id" = k."topicId" WHERE k."id" = m."contentId"),
      CASE WHEN m."type" <> 'TRANSACTIONAL' THEN '${generalKey}' END)`);

/** A condition on a property of an email `m`. `notEquals` and `isNoneOf` need one, as of any value. */
function emailSql(projectId: string, { property, operator, value }: WhereCondition): Prisma.Sql {
  const given = (Array.isArray(value) ? value : [value]).map(String);
  const values = isReferring(property) ? given.map((id) => id.toLowerCase()) : given;
  const isNegated = operator === 'notEquals' || operator === 'isNoneOf';
  if (property === 'link') {
    const matching = linkSql(operator, values);
    const clicked = Prisma.sql`SELECT FROM "Interaction" i WHERE i."emailId" = m."id" AND i."type" = 'click' AND NOT i."bot"`;
    return Prisma.sql`EXISTS (${clicked} AND ${matching})`;
  }
  const [only] = values;
  const among = (column: Prisma.Sql, type: 'uuid' | 'text'): Prisma.Sql => {
    const cast = constant(type);
    const found =
      values.length === 1
        ? Prisma.sql`${column} = ${only}::${cast}`
        : Prisma.sql`${column} = ANY(${values}::${cast}[])`;
    return isNegated ? Prisma.sql`coalesce(NOT ${found}, FALSE)` : found;
  };
  switch (property as EmailProperty) {
    case 'campaignId':
      return among(Prisma.sql`m."campaignId"`, 'uuid');
    case 'templateId':
      return among(Prisma.sql`m."templateId"`, 'uuid');
    case 'topic':
      return among(topicOfEmail, 'text');
    case 'type':
      return among(Prisma.sql`m."type"::text`, 'text');
    case 'workflowId':
      return Prisma.sql`EXISTS (SELECT FROM "WorkflowExecution" x WHERE x."id" = m."workflowExecutionId" AND ${ofProject('x."projectId"', projectId)} AND ${among(Prisma.sql`x."workflowId"`, 'uuid')})`;
    default:
      return nothing;
  }
}

function linkSql(operator: WhereCondition['operator'], values: readonly string[]): Prisma.Sql {
  const [only = ''] = values;
  switch (operator) {
    case 'equals':
    case 'isAnyOf':
      return Prisma.sql`i."link" = ANY(${[...values]}::text[])`;
    case 'notEquals':
    case 'isNoneOf':
      return Prisma.sql`i."link" <> ALL(${[...values]}::text[])`;
    case 'contains':
      return Prisma.sql`strpos(i."link", ${only}) > 0`;
    case 'startsWith':
      return Prisma.sql`starts_with(i."link", ${only})`;
    default:
      return nothing;
  }
}
