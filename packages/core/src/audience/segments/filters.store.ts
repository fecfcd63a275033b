import { constant, containsOneOf, type Db, Prisma } from '../../base/db/index.ts';
import { dayOf, instantOf } from '../../base/lib/index.ts';
import {
  addressEqualTo,
  addressPartsOf,
  cutoffOf,
  type EmailActivity,
  type FieldRef,
  type Filter,
  type FilterTree,
  isListOperand,
  isListOperator,
  type ListOperator,
  nextDate,
  type Operator,
  readField,
  type Unit,
} from './filters.rules.ts';

/** The properties of a referenced segment that the compiler needs. */
export interface SegmentTarget {
  type: 'DYNAMIC' | 'STATIC';
  trackMembership: boolean;
  condition: FilterTree | null;
}

export const nothing = Prisma.sql`FALSE`;
export const everything = Prisma.sql`TRUE`;

interface Compilation {
  db: Db;
  projectId: string;
  now: Date;
  /** segments on the path from the root, to detect cycles */
  path: readonly string[];
  targets: Map<string, Promise<SegmentTarget | null>>;
}

/**
 * Compiles a tree to one boolean SQL expression over the alias `c` of "Contact". It is never NULL, passes every
 * value as a parameter, and casts only inside CASE, so that no contact's value can fail the statement. The
 * surrounding statement must restrict `c` to the project.
 *
 * @param now the instant that "the last N days" end at
 */
export function compileTree(
  db: Db,
  projectId: string,
  tree: FilterTree,
  now: Date = new Date(),
): Promise<Prisma.Sql> {
  return node({ db, projectId, now, path: [], targets: new Map() }, tree);
}

/**
 * The contacts of a segment at this moment: stored memberships of a STATIC one, the condition of a DYNAMIC one. A tracked segment's
 * memberships follow a change within seconds, and are empty right after it was made, so they are not what decides here.
 */
export async function compileSegment(
  db: Db,
  projectId: string,
  segmentId: string,
  now: Date = new Date(),
): Promise<Prisma.Sql> {
  const compilation = { db, projectId, now, path: [], targets: new Map() };
  const target = await targetOf(compilation, segmentId);
  if (!target) return nothing;
  return target.type === 'STATIC'
    ? activeMembers(compilation, segmentId)
    : conditionOf(compilation, segmentId, target);
}

/** A segment with what decides who belongs to it. */
export type CompiledSegment<Segment> = [segment: Segment, isMember: Prisma.Sql];

/**
 * The contacts of several segments of one project, as of `compileSegment`. Segments that conditions refer to are read
 * only if they are not among them.
 */
export async function compileSegments<Segment extends SegmentTarget & { id: string }>(
  db: Db,
  projectId: string,
  segments: readonly Segment[],
  known: readonly (SegmentTarget & { id: string })[] = segments,
): Promise<CompiledSegment<Segment>[]> {
  const targets = new Map(known.map((each) => [each.id, Promise.resolve<SegmentTarget | null>(each)]));
  const compilation = { db, projectId, now: new Date(), path: [], targets };
  const compiled: CompiledSegment<Segment>[] = [];
  for (const segment of segments) {
    const isMember =
      segment.type === 'STATIC'
        ? activeMembers(compilation, segment.id)
        : await conditionOf(compilation, segment.id, segment);
    compiled.push([segment, isMember]);
  }
  return compiled;
}

async function node(compilation: Compilation, { logic, groups }: FilterTree): Promise<Prisma.Sql> {
  const parts: Prisma.Sql[] = [];
  for (const { filters, conditions } of groups) {
    const all: Prisma.Sql[] = [];
    for (const filter of filters) all.push(await leaf(compilation, filter));
    if (conditions) all.push(await node(compilation, conditions));
    parts.push(joined(all, ' AND '));
  }
  return joined(parts, logic === 'AND' ? ' AND ' : ' OR ');
}

function joined(parts: Prisma.Sql[], by: ' AND ' | ' OR '): Prisma.Sql {
  const [first] = parts;
  if (!first) return nothing;
  return parts.length === 1 ? first : Prisma.sql`(${Prisma.join(parts, by)})`;
}

async function leaf(compilation: Compilation, filter: Filter): Promise<Prisma.Sql> {
  const ref = readField(filter.field);
  if (typeof ref === 'string') return nothing;
  const { operator, value, unit = 'days' } = filter;
  switch (ref.kind) {
    case 'email':
      return email(operator, value);
    case 'subscribed':
      return (value === true) === (operator === 'equals')
        ? Prisma.sql`c."subscribed"`
        : Prisma.sql`NOT c."subscribed"`;
    case 'date':
      return date(ref, operator, value, unit, compilation.now);
    case 'data':
      return data(ref.key, operator, value, unit, compilation.now);
    case 'event':
      return occurrence(compilation, operator, value, unit, (after) =>
        eventSince(compilation, ref.name, after),
      );
    case 'activity':
      return occurrence(compilation, operator, value, unit, (after) =>
        emailSince(compilation, ref.activity, after),
      );
    case 'segment': {
      const members = await segment(compilation, ref.id);
      return operator === 'memberOfSegment' ? members : Prisma.sql`NOT (${members})`;
    }
  }
}

function email(operator: Operator, given: unknown): Prisma.Sql {
  const contains = (): Prisma.Sql => containsOneOf(Prisma.sql`c."email"`, addressPartsOf(given));
  switch (operator) {
    case 'equals':
      return Prisma.sql`c."email" = ${addressEqualTo(given)}`;
    case 'notEquals':
      return Prisma.sql`c."email" <> ${addressEqualTo(given)}`;
    case 'contains':
      return contains();
    default:
      return Prisma.sql`NOT ${contains()}`;
  }
}

const signs = {
  greaterThan: Prisma.sql`>`,
  lessThan: Prisma.sql`<`,
  greaterThanOrEqual: Prisma.sql`>=`,
  lessThanOrEqual: Prisma.sql`<=`,
} as const;

const isComparison = (operator: Operator): operator is keyof typeof signs => operator in signs;

const instant = (at: Date): Prisma.Sql => Prisma.sql`${at.toISOString()}::timestamptz`;

function date(
  { column: name }: Extract<FieldRef, { kind: 'date' }>,
  operator: Operator,
  value: unknown,
  unit: Unit,
  now: Date,
): Prisma.Sql {
  const column = name === 'createdAt' ? Prisma.sql`c."createdAt"` : Prisma.sql`c."updatedAt"`;
  if (operator === 'within' || operator === 'olderThan') {
    const cutoff = instant(cutoffOf(now, Number(value), unit));
    return operator === 'within' ? Prisma.sql`${column} >= ${cutoff}` : Prisma.sql`${column} < ${cutoff}`;
  }
  const at = instantOf(value);
  if (!at) return nothing;
  if (isComparison(operator)) return Prisma.sql`${column} ${signs[operator]} ${instant(at)}`;
  const day = dayOf(value);
  const equal = day
    ? Prisma.sql`(${column} >= ${instant(new Date(day))} AND ${column} < ${instant(new Date(nextDate(day)))})`
    : Prisma.sql`${column} = ${instant(at)}`;
  return operator === 'equals' ? equal : Prisma.sql`NOT ${equal}`;
}

function data(key: string, operator: Operator, value: unknown, unit: Unit, now: Date): Prisma.Sql {
  if (isListOperator(operator))
    return listMatches(
      operator,
      value,
      (items) => Prisma.sql`c."data" @> ${JSON.stringify({ [key]: items })}::jsonb`,
    );
  // Containment can use the GIN index of "data"; it also compares the type of the value.
  if (operator === 'equals' && value !== null && dayOf(value) === null && !isComposite(value))
    return Prisma.sql`c."data" @> ${JSON.stringify({ [key]: value })}::jsonb`;
  return valueMatches(Prisma.sql`c."data" -> ${key}::text`, operator, value, unit, now, {
    text: Prisma.sql`(c."data" ->> ${key}::text)`,
  });
}

/** @param contains whether a list has all of some items; never NULL. An index may decide it, which nothing may surround. */
function listMatches(
  operator: ListOperator,
  expected: unknown,
  contains: (items: string[]) => Prisma.Sql,
): Prisma.Sql {
  if (!isListOperand(expected)) return nothing;
  if (operator === 'hasAllOf') return contains(expected);
  const any = joined(
    expected.map((item) => contains([item])),
    ' OR ',
  );
  return operator === 'hasAnyOf' ? any : Prisma.sql`NOT (${any})`;
}

const isComposite = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * The result of an operator of `data.<key>` for any JSON value (behaviour B2.5); never NULL. A condition without an index is
 * evaluated for every contact of a project, so the test that most values fail comes first, and that of the type after it.
 *
 * @param value an expression of type jsonb; NULL stands for a missing value
 * @param options.text the same value as text, where there is a shorter expression for it
 */
export function valueMatches(
  value: Prisma.Sql,
  operator: Operator,
  expected: unknown,
  unit: Unit = 'days',
  now: Date = new Date(),
  { text = Prisma.sql`(${value} #>> '{}')` }: { text?: Prisma.Sql } = {},
): Prisma.Sql {
  const type = Prisma.sql`jsonb_typeof(${value})`;
  const present = Prisma.sql`coalesce(${type} <> 'null', FALSE)`;
  const absent = Prisma.sql`coalesce(${type} = 'null', TRUE)`;
  const ofText = (rule: Prisma.Sql): Prisma.Sql => ofType(type, 'string', rule);
  if (isListOperator(operator))
    return listMatches(
      operator,
      expected,
      (items) => Prisma.sql`coalesce(${value} @> ${JSON.stringify(items)}::jsonb, FALSE)`,
    );
  switch (operator) {
    case 'exists':
      return present;
    case 'notExists':
      return absent;
    case 'equals':
      return expected === null ? absent : equalTo(value, ofText, text, expected);
    case 'notEquals':
      if (expected === null) return present;
      return Prisma.sql`(${present} AND NOT ${equalTo(value, ofText, text, expected)})`;
    case 'contains':
      return typeof expected === 'string' ? ofText(Prisma.sql`strpos(${text}, ${expected}) > 0`) : nothing;
    case 'notContains':
      return typeof expected === 'string' ? ofText(Prisma.sql`strpos(${text}, ${expected}) = 0`) : nothing;
    case 'within':
    case 'olderThan': {
      const cutoff = cutoffOf(now, Number(expected), unit).toISOString();
      const sign = operator === 'within' ? signs.greaterThanOrEqual : signs.lessThan;
      return ofText(
        Prisma.sql`(${text} ${sign} ${cutoff}::text COLLATE "C" AND ${text} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}')`,
      );
    }
    default:
      return isComparison(operator) ? compared(value, { type, text }, operator, expected) : nothing;
  }
}

/** A rule for values of one type. It may be NULL or true for others, but must not fail for them. */
const ofType = (type: Prisma.Sql, name: 'string' | 'number', rule: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`CASE WHEN ${rule} THEN ${type} = ${constant(`'${name}'`)} ELSE FALSE END`;

function equalTo(
  value: Prisma.Sql,
  ofText: (rule: Prisma.Sql) => Prisma.Sql,
  text: Prisma.Sql,
  expected: unknown,
): Prisma.Sql {
  const day = dayOf(expected);
  if (day) {
    return ofText(
      Prisma.sql`(${text} >= ${day}::text COLLATE "C" AND ${text} < ${nextDate(day)}::text COLLATE "C")`,
    );
  }
  return Prisma.sql`coalesce(${value} = ${JSON.stringify(expected)}::jsonb, FALSE)`;
}

/** Two values of type jsonb are compared as numbers when both are; for others there is an order too, so their type is tested. */
function compared(
  value: Prisma.Sql,
  { type, text }: { type: Prisma.Sql; text: Prisma.Sql },
  operator: keyof typeof signs,
  expected: unknown,
): Prisma.Sql {
  const sign = signs[operator];
  if (typeof expected === 'number')
    return ofType(type, 'number', Prisma.sql`${value} ${sign} ${JSON.stringify(expected)}::jsonb`);
  if (typeof expected === 'string')
    return ofType(type, 'string', Prisma.sql`${text} ${sign} ${expected}::text COLLATE "C"`);
  return nothing;
}

type Since = (after: Date | null) => Prisma.Sql;

function occurrence(
  { now }: Compilation,
  operator: Operator,
  value: unknown,
  unit: Unit,
  since: Since,
): Prisma.Sql {
  const cutoff = (): Date => cutoffOf(now, Number(value), unit);
  switch (operator) {
    case 'triggered':
      return since(null);
    case 'notTriggered':
      return Prisma.sql`NOT ${since(null)}`;
    case 'triggeredWithin':
      return since(cutoff());
    case 'notTriggeredWithin':
      return Prisma.sql`NOT ${since(cutoff())}`;
    case 'triggeredOlderThan':
      return Prisma.sql`(${since(null)} AND NOT ${since(cutoff())})`;
    default:
      return nothing;
  }
}

function eventSince({ projectId }: Compilation, name: string, after: Date | null): Prisma.Sql {
  const window = after ? Prisma.sql`AND e."createdAt" >= ${instant(after)}` : Prisma.empty;
  return Prisma.sql`EXISTS (SELECT FROM "Event" e WHERE e."projectId" = ${projectId}::uuid AND e."contactId" = c."id" AND e."name" = ${name} AND e."kind" <> 'ACTIVITY' ${window})`;
}

const stamps: Record<EmailActivity, Prisma.Sql> = {
  sent: Prisma.sql`m."sentAt"`,
  delivery: Prisma.sql`m."deliveredAt"`,
  open: Prisma.sql`m."openedAt"`,
  click: Prisma.sql`m."clickedAt"`,
  bounce: Prisma.sql`m."bouncedAt"`,
  complaint: Prisma.sql`m."complainedAt"`,
};

function emailSince({ projectId }: Compilation, activity: EmailActivity, after: Date | null): Prisma.Sql {
  const stamp = stamps[activity];
  const window = after ? Prisma.sql`>= ${instant(after)}` : Prisma.sql`IS NOT NULL`;
  return Prisma.sql`EXISTS (SELECT FROM "Email" m WHERE m."projectId" = ${projectId}::uuid AND m."contactId" = c."id" AND m."sourceType" <> 'TEST' AND NOT m."toOther" AND ${stamp} ${window})`;
}

/** The members of a segment that a tree refers to: stored memberships if it has them, otherwise its condition. */
async function segment(compilation: Compilation, id: string): Promise<Prisma.Sql> {
  const target = compilation.path.includes(id) ? null : await targetOf(compilation, id);
  if (!target) return nothing;
  return target.type === 'STATIC' || target.trackMembership
    ? activeMembers(compilation, id)
    : conditionOf(compilation, id, target);
}

const activeMembers = ({ projectId }: Compilation, id: string): Prisma.Sql =>
  Prisma.sql`EXISTS (SELECT FROM "SegmentMembership" sm WHERE sm."projectId" = ${projectId}::uuid AND sm."segmentId" = ${id}::uuid AND sm."contactId" = c."id" AND sm."exitedAt" IS NULL)`;

async function conditionOf(
  compilation: Compilation,
  id: string,
  { condition }: SegmentTarget,
): Promise<Prisma.Sql> {
  return condition ? node({ ...compilation, path: [...compilation.path, id] }, condition) : nothing;
}

function targetOf({ db, projectId, targets }: Compilation, id: string): Promise<SegmentTarget | null> {
  const known = targets.get(id) ?? findTarget(db, projectId, id);
  targets.set(id, known);
  return known;
}

async function findTarget(db: Db, projectId: string, id: string): Promise<SegmentTarget | null> {
  const row = await db.segment.findFirst({
    where: { id, projectId },
    select: { type: true, trackMembership: true, condition: true },
  });
  return row && { ...row, condition: row.condition as unknown as FilterTree | null };
}
