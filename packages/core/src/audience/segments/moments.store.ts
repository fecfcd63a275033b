import { Prisma, type SqlDb } from '../../base/db/index.ts';
import {
  addDays,
  earliestInstant,
  instantRule,
  latestInstant,
  type Unit,
  utcDayAt,
  type ValueClock,
  type ValueOperator,
  valueRule,
  clockOf as zoneClock,
} from '../../base/lib/index.ts';
import { type Filter, type FilterTree, readField, timesOf, type WhereCondition } from './filters.rules.ts';
import { type Compilation, clockOf, columnOf, inlined, joined, leaf } from './filters.store.ts';
import { type CountingTime, countingTime, countingWithin, isStill, turningOf } from './moments.rules.ts';
import type { Period } from './occurrences.rules.ts';
import {
  eventData,
  type OccurrenceSource,
  type Occurrences,
  occurrencesOf,
  valueAt,
} from './occurrences.store.ts';
import { bounded, columnSql, dataOperand, instant, iso, type JsonOperand, jsonSql } from './values.store.ts';

/**
 * The next moment at which time alone can change whether a contact matches a tree (behaviour B4.8): an SQL expression over the alias `c` of
 * "Contact", of type timestamptz. It is NULL if there is none up to `until`, and otherwise after `now`; it may be too early, and is never too
 * late. The answer is null for a tree that time does not change.
 */
export async function compileMoment(
  db: SqlDb,
  projectId: string,
  tree: FilterTree,
  { now, until }: { now: Date; until: Date },
): Promise<Prisma.Sql | null> {
  const compilation: Compilation = { db, projectId, now, single: true, path: [], targets: new Map() };
  const { moment } = await partOfTree({ now: now.getTime(), until: until.getTime() }, compilation, tree);
  return moment;
}

/** The moments that are looked for: after `now`, and at `until` at the latest. In milliseconds since 1970. */
interface Span {
  now: number;
  until: number;
}

/** A part of a tree: its answer, if time does not change it, or the moment at which it can. */
type Part = { still: Prisma.Sql; moment: null } | { still: null; moment: Prisma.Sql };

async function partOfTree(
  span: Span,
  compilation: Compilation,
  { logic, groups }: FilterTree,
): Promise<Part> {
  const parts: Part[] = [];
  for (const { filters, conditions } of groups) {
    const all: Part[] = [];
    for (const filter of filters) all.push(await partOfFilter(span, compilation, filter));
    if (conditions) all.push(await partOfTree(span, compilation, conditions));
    parts.push(together(all, 'AND'));
  }
  return together(parts, logic);
}

/** Where a part that does not change decides alone, none of the others can. */
function together(parts: readonly Part[], logic: 'AND' | 'OR'): Part {
  const still = parts.flatMap((part) => part.still ?? []);
  const [first, ...more] = parts.flatMap((part) => part.moment ?? []);
  const answer = joined(still, logic === 'AND' ? ' AND ' : ' OR ');
  if (!first) return { still: answer, moment: null };
  const moment = earliest([first, ...more]);
  if (still.length === 0) return { still: null, moment };
  const isOpen = logic === 'AND' ? answer : Prisma.sql`NOT (${answer})`;
  return { still: null, moment: Prisma.sql`CASE WHEN ${isOpen} THEN ${moment} END` };
}

/** LEAST leaves out what is NULL. */
const earliest = (moments: readonly [Prisma.Sql, ...Prisma.Sql[]]): Prisma.Sql =>
  moments.length === 1 ? moments[0] : Prisma.sql`LEAST(${Prisma.join([...moments])})`;

async function partOfFilter(span: Span, compilation: Compilation, filter: Filter): Promise<Part> {
  const [first, ...more] = await momentsOf(span, compilation, filter);
  return first
    ? { still: null, moment: earliest([first, ...more]) }
    : { still: await leaf(compilation, filter), moment: null };
}

async function momentsOf(span: Span, compilation: Compilation, filter: Filter): Promise<Prisma.Sql[]> {
  const ref = readField(filter.field);
  if (typeof ref === 'string') return [];
  const compared = { ...filter, operator: filter.operator as ValueOperator };
  switch (ref.kind) {
    case 'date': {
      const column = columnOf(ref.column);
      return momentsOfColumn(span, () => clockOf(compilation), compared, column);
    }
    case 'data':
      return momentsOfJson(span, () => clockOf(compilation), compared, dataOperand(ref.key));
    case 'event':
      return momentsOfOccurrences(span, compilation, { event: ref.name }, filter);
    case 'activity':
      return momentsOfOccurrences(span, compilation, { activity: ref.activity }, filter);
    case 'segment': {
      const target = await inlined(compilation, ref.id);
      const part = target && (await partOfTree(span, target.compilation, target.condition));
      return part?.moment ? [part.moment] : [];
    }
    default:
      return [];
  }
}

/** An operator with what it compares with. */
interface Compared {
  operator: ValueOperator;
  value?: unknown;
  unit?: Unit;
}

/** Reads the zone only if a date depends on it. */
type ReadClock = () => Promise<ValueClock>;

async function momentsOfColumn(
  span: Span,
  readClock: ReadClock,
  { operator, value, unit = 'days' }: Compared,
  column: Prisma.Sql,
): Promise<Prisma.Sql[]> {
  const { shifts, atMidnight } = turningOf(operator, value, unit);
  const shifted = shifts.flatMap((shift) => shiftOf(span, shift, column) ?? []);
  if (atMidnight !== 'always') return shifted;
  const matches = (clock: ValueClock): Prisma.Sql =>
    Prisma.sql`coalesce(${columnSql(instantRule(operator, value, unit, clock), column)}, FALSE)`;
  return [...shifted, ...midnightOf(span, await readClock(), matches)];
}

async function momentsOfJson(
  span: Span,
  readClock: ReadClock,
  { operator, value, unit = 'days' }: Compared,
  operand: JsonOperand,
): Promise<Prisma.Sql[]> {
  const turning = turningOf(operator, value, unit);
  if (isStill(turning)) return [];
  const clock = await readClock();
  const moments = turning.shifts.flatMap((shift) => {
    const near = nearShift(span, shift, operand);
    const moment = shiftOf(span, shift, Prisma.sql`t."at"`);
    if (near === null || moment === null) return [];
    return Prisma.sql`CASE WHEN ${near} THEN CASE WHEN ${operand.text} ~ ${iso}
      THEN (SELECT ${moment} FROM (SELECT ${instantIn(operand, clock.timeZone, unit)} AS "at" OFFSET 0) t) END END`;
  });
  if (turning.atMidnight === 'never') return moments;
  const matches = (at: ValueClock): Prisma.Sql => jsonSql(valueRule(operator, value, unit, at), operand);
  const ofDays = midnightOf(span, clock, matches).map((moment) =>
    turning.atMidnight === 'always'
      ? moment
      : Prisma.sql`CASE WHEN length(${operand.text}) = 10 THEN ${moment} END`,
  );
  return [...moments, ...ofDays];
}

/** The moment `shift` after an instant, if it is looked for; null if it is for no instant. */
function shiftOf(span: Span, shift: number, at: Prisma.Sql): Prisma.Sql | null {
  const sought = soughtFor(span, shift);
  return (
    sought &&
    Prisma.sql`CASE WHEN ${at} > ${instant(sought.after)} AND ${at} <= ${instant(sought.to)}
      THEN ${at} + ${shift}::double precision * interval '1 millisecond' END`
  );
}

/** The instants whose moments are looked for. */
function soughtFor({ now, until }: Span, shift: number): { after: number; to: number } | null {
  const after = Math.max(now - shift, earliestInstant);
  const to = Math.min(until - shift, latestInstant);
  return after < to ? { after, to } : null;
}

/** Whether a text can be one of these instants, by its first characters: an offset moves it by less than a day. */
function nearShift(span: Span, shift: number, operand: JsonOperand): Prisma.Sql | null {
  const sought = soughtFor(span, shift);
  if (!sought) return null;
  const days = { from: addDays(utcDayAt(sought.after), -1), to: addDays(utcDayAt(sought.to), 2) };
  return bounded(operand, days);
}

/**
 * The instant of a text that is a date. A day without a time is its first instant, which a zone whose clocks are set back at midnight has
 * twice: the hour before it is not. In days, one is no instant.
 */
function instantIn({ text }: JsonOperand, timeZone: string, unit: Unit): Prisma.Sql {
  const ofDay =
    unit === 'days'
      ? Prisma.sql`NULL::timestamptz`
      : Prisma.sql`((${text}::timestamp - interval '1 hour') AT TIME ZONE ${timeZone}) + interval '1 hour'`;
  return Prisma.sql`CASE WHEN length(${text}) = 10 THEN ${ofDay} ELSE instant_of(${text}, ${timeZone}) END`;
}

/** The first midnight of the span at which an answer is another one than now. */
function midnightOf(
  { now, until }: Span,
  clock: ValueClock,
  matches: (clock: ValueClock) => Prisma.Sql,
): Prisma.Sql[] {
  const { timeZone } = clock;
  const today = matches(clock);
  const cases = midnightsBetween({ now, until }, timeZone).map((at) => {
    const then = matches({ now: new Date(at), timeZone });
    return Prisma.sql`WHEN (${then}) <> (${today}) THEN ${instant(at)}`;
  });
  return cases.length === 0 ? [] : [Prisma.sql`CASE ${Prisma.join(cases, ' ')} END`];
}

/** When the days of a zone begin, after `now` until `until`. */
function midnightsBetween({ now, until }: Span, timeZone: string): number[] {
  const clock = zoneClock(timeZone);
  const found = new Set<number>();
  let day = clock.dayAt(now);
  for (;;) {
    day = addDays(day, 1);
    const at = clock.startOf(day);
    if (at > until) return [...found];
    if (at > now) found.add(at);
  }
}

async function momentsOfOccurrences(
  span: Span,
  compilation: Compilation,
  source: OccurrenceSource,
  filter: Filter,
): Promise<Prisma.Sql[]> {
  const { where = [], operator, compare, value, unit = 'days', property } = filter;
  const turning = where.filter((condition) => !isStill(turningOfCondition(condition)));
  const counting = countingOf(filter);
  const isMoving = counting.enters !== null || counting.leaves !== null;
  const isCompared = compare !== undefined && (operator === 'first' || operator === 'last');
  const comparing = isCompared ? { operator: compare, value, unit } : null;
  const turnsCompared = comparing !== null && !isStill(turningOf(comparing.operator, value, unit));
  if (turning.length === 0 && !isMoving && !turnsCompared) return [];
  const clock = await clockOf(compilation);
  const scope = { projectId: compilation.projectId, byContact: true };
  // Conditions that time changes are left out where occurrences are looked for: those that do not meet them now may then.
  const asked: Filter = { ...filter, where: where.filter((condition) => !turning.includes(condition)) };
  const of = (since: Period | null): Occurrences => occurrencesOf(scope, source, asked, clock, since);
  const moments: Prisma.Sql[] = [];
  if (isMoving) moments.push(...momentsOfWindow(span, filter, counting, turning.length === 0, of));
  const counted = of(countedNow(span, filter, counting));
  for (const condition of turning)
    moments.push(...(await momentsOfCondition(span, clock, condition, counted)));
  if (turnsCompared && comparing) {
    // The one that is compared now. Where conditions let time make it another one, that is at a moment of theirs.
    const since = countedNow(span, filter, counting);
    const {
      from,
      where: meets,
      at,
      id,
      property: found,
    } = occurrencesOf(scope, source, filter, clock, since);
    const way = operator === 'first' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
    const edge = Prisma.sql`SELECT ${at} AS "at", ${found?.value ?? Prisma.sql`NULL::jsonb`} AS "v"
      FROM ${from} WHERE ${meets} ORDER BY ${at} ${way}, ${id} ${way} LIMIT 1`;
    const operand = { value: Prisma.sql`o."v"`, text: Prisma.sql`(o."v" #>> '{}')` };
    const ofEdge =
      property === undefined
        ? await momentsOfColumn(span, async () => clock, comparing, Prisma.sql`o."at"`)
        : await momentsOfJson(span, async () => clock, comparing, operand);
    moments.push(...ofEdge.map((moment) => Prisma.sql`(SELECT ${moment} FROM (${edge}) o)`));
  }
  return moments;
}

const turningOfCondition = ({ operator, value, unit = 'days' }: WhereCondition) =>
  turningOf(operator, value, unit);

function countingOf({ operator, value, unit = 'days', window }: Filter): CountingTime {
  switch (operator) {
    case 'triggeredWithin':
    case 'notTriggeredWithin':
    case 'triggeredOlderThan':
      return countingWithin(Number(value), unit);
    default:
      return window ? countingTime(window) : { enters: null, leaves: null };
  }
}

/** The period of the short forms, which have no window. */
const countedNow = ({ now }: Span, { window }: Filter, { leaves }: CountingTime): Period | null =>
  window || leaves === null ? null : { from: now - leaves + 1, to: Number.POSITIVE_INFINITY };

/** The moments at which the number of occurrences in a moving window decides otherwise, or at which there are others. */
function momentsOfWindow(
  span: Span,
  filter: Filter,
  { enters, leaves }: CountingTime,
  isExact: boolean,
  of: (since: Period | null) => Occurrences,
): Prisma.Sql[] {
  const places = isExact && (enters === null || leaves === null) ? decidingPlaces(filter) : null;
  const shift = leaves ?? enters;
  if (places && shift !== null)
    return places.flatMap((place) => momentOfPlace(span, shift, place, leaves !== null, of) ?? []);
  return [leaves, enters].flatMap((each) => (each === null ? [] : (momentOfAny(span, each, of) ?? [])));
}

/**
 * The places of the occurrences whose leaving or entering decides, counted from the newest for a window that they leave, and from the oldest
 * for one that they enter; null if any can.
 */
function decidingPlaces(filter: Filter): number[] | null {
  const { operator, window } = filter;
  switch (operator) {
    case 'triggeredWithin':
    case 'notTriggeredWithin':
    case 'triggeredOlderThan':
      return [1];
    case 'occurred':
    case 'notOccurred': {
      const { min, max } = timesOf(filter);
      return [...(min > 0 ? [min] : []), ...(max === null ? [] : [max + 1])];
    }
    case 'last':
      return window?.olderThan === undefined ? [1] : null;
    case 'first':
      return window?.last === undefined ? [1] : null;
    default:
      return null;
  }
}

function momentOfPlace(
  span: Span,
  shift: number,
  place: number,
  leaves: boolean,
  of: (since: Period | null) => Occurrences,
): Prisma.Sql | null {
  const moment = shiftOf(span, shift, Prisma.sql`o."at"`);
  if (!moment) return null;
  const counted = { from: span.now - shift + 1, to: Number.POSITIVE_INFINITY };
  const ever = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const { from, where, at } = of(leaves ? counted : ever);
  const way = leaves ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  return Prisma.sql`(SELECT ${moment} FROM (SELECT ${at} AS "at" FROM ${from} WHERE ${where}
    ORDER BY ${at} ${way} OFFSET ${place - 1}::int LIMIT 1) o)`;
}

/** Not min(at), which could be looked for in another index than that of the contact. */
function momentOfAny(
  span: Span,
  shift: number,
  of: (since: Period | null) => Occurrences,
): Prisma.Sql | null {
  const sought = soughtFor(span, shift);
  if (!sought) return null;
  const { from, where, at } = of({ from: sought.after + 1, to: sought.to + 1 });
  return Prisma.sql`(SELECT min(${at} + ${shift}::double precision * interval '1 millisecond') FROM ${from} WHERE ${where})`;
}

/** The moments of a condition on the data of occurrences, the first of them all. */
async function momentsOfCondition(
  span: Span,
  clock: ValueClock,
  condition: WhereCondition,
  { from, where }: Occurrences,
): Promise<Prisma.Sql[]> {
  const value = valueAt(eventData, condition.property);
  const operand = { value, text: Prisma.sql`(${value} #>> '{}')` };
  const [first, ...more] = await momentsOfJson(span, async () => clock, condition, operand);
  return first ? [Prisma.sql`(SELECT min(${earliest([first, ...more])}) FROM ${from} WHERE ${where})`] : [];
}
