import { constant, type Db, ofProject, Prisma, type SqlDb } from '../../base/db/index.ts';
import {
  addressRule,
  instantRule,
  momentBefore,
  readsClock,
  type ValueClock,
  type ValueOperator,
  valueRule,
} from '../../base/lib/index.ts';
import { timeZoneOfProject } from '../../people/projects/index.ts';
import { contactStatus, stated } from '../consent/index.ts';
import { hasChoices, type ReceivedTopic, readTopics, receivesSql } from '../topics/index.ts';
import {
  type EmailActivity,
  type Filter,
  type FilterTree,
  filtersOf,
  isCount,
  isStepActivity,
  readField,
  type StepActivity,
} from './filters.rules.ts';
import { exists, occurrenceSql, stampOf, valueAt } from './occurrences.store.ts';
import { addressSql, columnSql, dataOperand, dataSql, jsonSql, nothing } from './values.store.ts';

/** The properties of a referenced segment that the compiler needs. */
export interface SegmentTarget {
  type: 'DYNAMIC' | 'STATIC';
  trackMembership: boolean;
  condition: FilterTree | null;
}

/** What the parts of a tree are compiled with. */
export interface Compilation {
  db: SqlDb;
  projectId: string;
  now: Date;
  /** of the project, read when the first filter needs it */
  clock?: Promise<ValueClock>;
  /** for a single contact, whatever the statistics of large tables say */
  single?: true;
  /** tracked segments by their condition, as untracked ones: their stored members follow a change within seconds */
  live?: boolean;
  /** contacts are rows with a `context` and `steps` of their own (`evaluateTrees`) */
  rows?: true;
  /** topics of the project by their keys, read when the first filter needs them */
  topics?: Promise<ReadonlyMap<string, ReceivedTopic>>;
  /** segments on the path from the root, to detect cycles */
  path: readonly string[];
  targets: Map<string, Promise<SegmentTarget | null>>;
}

/**
 * Compiles a tree to one boolean SQL expression over the alias `c` of "Contact". It is never NULL, passes every
 * value as a parameter, and casts only inside CASE, so that no contact's value can fail the statement. The
 * surrounding statement must restrict `c` to the project.
 *
 * @param now the instant that "the last N days" end at; days are those of the project's time zone
 * @param options.topics those of the project by their keys, if they were read already
 */
export function compileTree(
  db: SqlDb,
  projectId: string,
  tree: FilterTree,
  now: Date = new Date(),
  { live = false, topics }: { live?: boolean; topics?: ReadonlyMap<string, ReceivedTopic> } = {},
): Promise<Prisma.Sql> {
  const known = topics && { topics: Promise.resolve(topics) };
  return node({ db, projectId, now, live, path: [], targets: new Map(), ...known }, tree);
}

/**
 * The contacts of a segment at this moment: stored memberships of a STATIC one, the condition of a DYNAMIC one. A tracked segment's
 * memberships follow a change within seconds, and are empty right after it was made, so they are not what decides here.
 */
export async function compileSegment(
  db: SqlDb,
  projectId: string,
  segmentId: string,
  now: Date = new Date(),
  { live = false } = {},
): Promise<Prisma.Sql> {
  const compilation = { db, projectId, now, live, path: [], targets: new Map() };
  const target = await targetOf(compilation, segmentId);
  if (!target) return nothing;
  return target.type === 'STATIC'
    ? activeMembers(compilation, segmentId)
    : conditionOf(compilation, segmentId, target);
}

/** The same as of `compileTree`, for contacts that are each found by their key. */
export const compileForEach = (
  db: SqlDb,
  projectId: string,
  tree: FilterTree,
  now: Date = new Date(),
): Promise<Prisma.Sql> => node({ db, projectId, now, single: true, path: [], targets: new Map() }, tree);

/** A filter of a tree, with whether a contact `c` matches it and with which value, as JSON. */
export interface CompiledFilter {
  /** as in the codes of an invalid tree, such as `groups.0.filters.1` */
  path: string;
  filter: Filter;
  matches: Prisma.Sql;
  actual: Prisma.Sql;
}

/** A tree, and every filter of it by itself in the order in which it is written, for a single contact that is found by its key. */
export async function compileForOne(
  db: Db,
  projectId: string,
  tree: FilterTree,
  now: Date = new Date(),
): Promise<{ matches: Prisma.Sql; filters: CompiledFilter[] }> {
  const compilation: Compilation = { db, projectId, now, single: true, path: [], targets: new Map() };
  const compiled: CompiledFilter[] = [];
  const visit = async ({ groups }: FilterTree, prefix: string): Promise<void> => {
    for (const [index, { filters, conditions }] of groups.entries()) {
      const group = `${prefix}groups.${index}.`;
      for (const [place, filter] of filters.entries()) {
        const matches = await leaf(compilation, filter);
        const actual = actualOf(compilation, filter, matches);
        compiled.push({ path: `${group}filters.${place}`, filter, matches, actual });
      }
      if (conditions) await visit(conditions, `${group}conditions.`);
    }
  };
  await visit(tree, '');
  return { matches: await node(compilation, tree), filters: compiled };
}

/** What a filter compares: a value of the contact or the execution, or the time of the last occurrence. */
function actualOf(
  compilation: Compilation,
  { field, operator, value }: Filter,
  matches: Prisma.Sql,
): Prisma.Sql {
  const { projectId, rows } = compilation;
  const ref = readField(field);
  if (typeof ref === 'string') return Prisma.sql`NULL::jsonb`;
  switch (ref.kind) {
    case 'email':
      return Prisma.sql`to_jsonb(c."email")`;
    case 'subscribed':
      return Prisma.sql`to_jsonb(c."subscribed")`;
    case 'status':
      return Prisma.sql`to_jsonb(${statusOf(compilation)})`;
    case 'consentBasis':
      return Prisma.sql`to_jsonb(${stated.basis})`;
    case 'topic':
      return Prisma.sql`to_jsonb(${operator === 'equals' && value === true ? matches : Prisma.sql`(${matches}) = ${(value === true) === (operator === 'equals')}::boolean`})`;
    case 'date':
      return Prisma.sql`to_jsonb(${columnOf(ref.column)})`;
    case 'data':
      return dataOperand(ref.key).value;
    case 'event': {
      const own = Prisma.sql`"Event" e WHERE ${ofProject('e."projectId"', projectId)}
        AND e."contactId" = c."id" AND e."name" = ${ref.name} AND e."kind" <> 'ACTIVITY'`;
      // The index of a contact has the latest at its end; a statement that may choose by statistics must not look for it elsewhere.
      return rows
        ? Prisma.sql`to_jsonb((SELECT e."createdAt" FROM ${own} ORDER BY e."createdAt" DESC LIMIT 1))`
        : Prisma.sql`to_jsonb((SELECT max(e."createdAt" + interval '0') FROM ${own}))`;
    }
    case 'activity':
      return Prisma.sql`to_jsonb((SELECT max(${stampOf(ref.activity)}) FROM "Email" m WHERE ${ofProject('m."projectId"', projectId)}
        AND m."contactId" = c."id" AND m."sourceType" <> 'TEST' AND NOT m."toOther"))`;
    case 'segment':
      return Prisma.sql`to_jsonb(${operator === 'memberOfSegment' ? matches : Prisma.sql`NOT ${matches}`})`;
    case 'context':
      return rows ? valueAt(Prisma.sql`c."context"`, ref.path) : Prisma.sql`NULL::jsonb`;
    case 'step': {
      if (!rows) return Prisma.sql`NULL::jsonb`;
      if (!isCount(operator)) return valueAt(outputOf(ref.key), ref.path);
      if (!isStepActivity(ref.path) || ref.path === 'skipped') return Prisma.sql`NULL::jsonb`;
      const stamp = stampsOfStep[ref.path];
      return Prisma.sql`to_jsonb((${emailOfStep(compilation, ref.key, stamp, Prisma.sql`TRUE`)}))`;
    }
  }
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

/** A tree, and a filter of one, as boolean expressions. */
export async function node(compilation: Compilation, { logic, groups }: FilterTree): Promise<Prisma.Sql> {
  const parts: Prisma.Sql[] = [];
  for (const { filters, conditions } of groups) {
    const all: Prisma.Sql[] = [];
    for (const filter of filters) all.push(await leaf(compilation, filter));
    if (conditions) all.push(await node(compilation, conditions));
    parts.push(joined(all, ' AND '));
  }
  return joined(parts, logic === 'AND' ? ' AND ' : ' OR ');
}

export function joined(parts: Prisma.Sql[], by: ' AND ' | ' OR '): Prisma.Sql {
  const [first] = parts;
  if (!first) return nothing;
  return parts.length === 1 ? first : Prisma.sql`(${Prisma.join(parts, by)})`;
}

/** Of a contact, or as an execution has it. */
const statusOf = ({ rows }: Compilation): Prisma.Sql => (rows ? constant('c."status"') : contactStatus);

export const columnOf = (column: 'createdAt' | 'updatedAt' | 'consentedAt'): Prisma.Sql =>
  column === 'consentedAt' ? stated.at : constant(`c."${column}"`);

/** The output of a step of an execution. */
const outputOf = (key: string): Prisma.Sql => Prisma.sql`(c."steps" -> ${key}::text)`;

const stampsOfStep: Record<Exclude<StepActivity, 'skipped'>, Prisma.Sql> = {
  sent: stampOf('sent'),
  delivered: stampOf('delivery'),
  opened: stampOf('open'),
  clicked: stampOf('click'),
  bounced: stampOf('bounce'),
};

const uuidForm = constant(`'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`);

/** Of the email of a step, found by its id. */
function emailOfStep(
  { projectId }: Compilation,
  key: string,
  what: Prisma.Sql,
  where: Prisma.Sql,
): Prisma.Sql {
  const id = Prisma.sql`(${outputOf(key)} ->> 'emailId')`;
  return Prisma.sql`SELECT ${what} FROM "Email" m
    WHERE m."id" = CASE WHEN ${id} ~ ${uuidForm} THEN ${id}::uuid END AND ${ofProject('m."projectId"', projectId)} AND ${where}`;
}

function stepActivity(compilation: Compilation, key: string, activity: StepActivity): Prisma.Sql {
  if (activity !== 'skipped')
    return Prisma.sql`EXISTS (${emailOfStep(compilation, key, Prisma.empty, Prisma.sql`${stampsOfStep[activity]} IS NOT NULL`)})`;
  // Skipped when it was written, which is all that a simulation has, or later.
  const later = emailOfStep(compilation, key, Prisma.empty, Prisma.sql`m."status" = 'SKIPPED'`);
  return Prisma.sql`(${outputOf(key)} ->> 'skipped' IS NOT NULL OR EXISTS (${later}))`;
}

async function jsonRule(
  compilation: Compilation,
  { operator, value, unit = 'days' }: Filter,
  json: Prisma.Sql,
): Promise<Prisma.Sql> {
  const rule = valueRule(operator as ValueOperator, value, unit, await clockOf(compilation));
  const operand = { value: Prisma.sql`o."v"`, text: Prisma.sql`(o."v" #>> '{}')` };
  return Prisma.sql`(SELECT ${jsonSql(rule, operand)} FROM (SELECT ${json} AS "v") o)`;
}

/** Segments that trees refer to, read once for all clocks. */
type Targets = Compilation['targets'];

const overRows = (db: SqlDb, projectId: string, clock: ValueClock, targets: Targets): Compilation => ({
  ...{ db, projectId, clock: Promise.resolve(clock), path: [], targets },
  // Whoever asks for the time is known (`compileForClocks`).
  get now() {
    return clock.now;
  },
  single: true,
  rows: true,
});

/** Trees over rows that stand for contacts, as of `compileForOne`. */
export function compileForRows(
  db: SqlDb,
  projectId: string,
  trees: readonly FilterTree[],
): (clock: ValueClock) => Promise<Prisma.Sql[]> {
  const targets: Targets = new Map();
  return async (clock) => {
    const compilation = overRows(db, projectId, clock, targets);
    const compiled: Prisma.Sql[] = [];
    for (const tree of trees) compiled.push(await node(compilation, tree));
    return compiled;
  };
}

/** Every filter of trees by itself, over such rows: whether it matches, and next to it what was found. */
export function compileFiltersForRows(
  db: SqlDb,
  projectId: string,
  trees: readonly FilterTree[],
): (clock: ValueClock) => Promise<Prisma.Sql[]> {
  const targets: Targets = new Map();
  return async (clock) => {
    const compilation = overRows(db, projectId, clock, targets);
    const compiled: Prisma.Sql[] = [];
    for (const filter of trees.flatMap(filtersOf)) {
      const matches = await leaf(compilation, filter);
      compiled.push(matches, actualOf(compilation, filter, matches));
    }
    return compiled;
  };
}

/** For rules that read no clock. */
const timeless: ValueClock = { now: new Date(0), timeZone: 'UTC' };

/** The time of a compilation, in the zone of the project. */
export function clockOf(compilation: Compilation): Promise<ValueClock> {
  const { db, projectId } = compilation;
  compilation.clock ??= timeZoneOfProject(db, projectId).then((timeZone) => ({
    now: compilation.now,
    timeZone,
  }));
  return compilation.clock;
}

function topicsOf(compilation: Compilation): Promise<ReadonlyMap<string, ReceivedTopic>> {
  const { db, projectId } = compilation;
  compilation.topics ??= readTopics(db, projectId).then(
    (topics) => new Map(topics.map((topic) => [topic.key, topic])),
  );
  return compilation.topics;
}

/** A topic that is off by default is received by some of those with choices, whom an index has. */
const receivedSql = (topic: ReceivedTopic): Prisma.Sql =>
  topic.default === 'OUT'
    ? Prisma.sql`(${hasChoices('c')} AND ${receivesSql('c', topic)})`
    : receivesSql('c', topic);

export async function leaf(compilation: Compilation, filter: Filter): Promise<Prisma.Sql> {
  const ref = readField(filter.field);
  if (typeof ref === 'string') return nothing;
  const { operator, value, unit = 'days' } = filter;
  switch (ref.kind) {
    case 'email':
      return addressSql(addressRule(operator as ValueOperator, value));
    case 'subscribed':
      return (value === true) === (operator === 'equals')
        ? Prisma.sql`c."subscribed"`
        : Prisma.sql`NOT c."subscribed"`;
    case 'status': {
      // The index of those who are subscribed answers the one that is asked for most.
      const is =
        value === 'subscribed'
          ? Prisma.sql`c."subscribed"`
          : Prisma.sql`(${statusOf(compilation)}) = ${value}::text`;
      return operator === 'equals' ? Prisma.sql`(${is})` : Prisma.sql`NOT (${is})`;
    }
    case 'consentBasis':
      return operator === 'equals'
        ? Prisma.sql`coalesce(${stated.basis} = ${value}::text, false)`
        : Prisma.sql`coalesce(${stated.basis} <> ${value}::text, false)`;
    case 'topic': {
      const topic = (await topicsOf(compilation)).get(ref.key);
      const received = topic ? receivedSql(topic) : nothing;
      return (value === true) === (operator === 'equals') ? received : Prisma.sql`NOT (${received})`;
    }
    case 'date': {
      const rule = instantRule(operator as ValueOperator, value, unit, await clockOf(compilation));
      const found = columnSql(rule, columnOf(ref.column));
      return ref.column === 'consentedAt' ? Prisma.sql`coalesce(${found}, false)` : found;
    }
    case 'data': {
      const ofValue = operator as ValueOperator;
      const clock = readsClock(ofValue, value) ? await clockOf(compilation) : timeless;
      return dataSql(valueRule(ofValue, value, unit, clock), ref.key);
    }
    case 'event':
      return occurrence(compilation, { event: ref.name }, filter);
    case 'activity':
      return occurrence(compilation, { activity: ref.activity }, filter);
    case 'segment': {
      const members = await segment(compilation, ref.id);
      return operator === 'memberOfSegment' ? members : Prisma.sql`NOT (${members})`;
    }
    case 'context':
      // A contact by itself has neither.
      return compilation.rows
        ? jsonRule(compilation, filter, valueAt(Prisma.sql`c."context"`, ref.path))
        : nothing;
    case 'step': {
      if (!compilation.rows) return nothing;
      if (!isCount(operator)) return jsonRule(compilation, filter, valueAt(outputOf(ref.key), ref.path));
      const happened = isStepActivity(ref.path) ? stepActivity(compilation, ref.key, ref.path) : nothing;
      return operator === 'occurred' ? happened : Prisma.sql`NOT ${happened}`;
    }
  }
}

async function occurrence(
  compilation: Compilation,
  source: { event: string } | { activity: EmailActivity },
  filter: Filter,
): Promise<Prisma.Sql> {
  const { projectId, single = false } = compilation;
  const { operator, value, unit = 'days', where, window, compare } = filter;
  const scope = { projectId, byContact: single };
  const isTimed = where !== undefined || window !== undefined || compare !== undefined;
  const clock = isTimed ? await clockOf(compilation) : timeless;
  const since = (after: Date | null): Prisma.Sql => exists(scope, source, filter, clock, after);
  const cutoff = (): Date => momentBefore(compilation.now, Number(value), unit);
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
      return occurrenceSql(scope, source, filter, clock);
  }
}

/** The members of a segment that a tree refers to: stored memberships if it has them, otherwise its condition. */
async function segment(compilation: Compilation, id: string): Promise<Prisma.Sql> {
  const target = compilation.path.includes(id) ? null : await targetOf(compilation, id);
  if (!target) return nothing;
  return target.type === 'STATIC' || (target.trackMembership && !compilation.live)
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
  return condition ? node(inside(compilation, id), condition) : nothing;
}

/** For the condition of a segment that a tree refers to. Not a copy, which would ask for the time. */
const inside = (compilation: Compilation, id: string): Compilation =>
  Object.create(compilation, { path: { value: [...compilation.path, id], enumerable: true } });

/** The condition that stands for a segment which a tree refers to; null where stored memberships do. */
export async function inlined(
  compilation: Compilation,
  id: string,
): Promise<{ compilation: Compilation; condition: FilterTree } | null> {
  const target = compilation.path.includes(id) ? null : await targetOf(compilation, id);
  if (!target?.condition || target.type === 'STATIC' || target.trackMembership) return null;
  return { compilation: inside(compilation, id), condition: target.condition };
}

function targetOf({ db, projectId, targets }: Compilation, id: string): Promise<SegmentTarget | null> {
  const known = targets.get(id) ?? findTarget(db, projectId, id);
  targets.set(id, known);
  return known;
}

async function findTarget(db: SqlDb, projectId: string, id: string): Promise<SegmentTarget | null> {
  const [row] = await db.$queryRaw<SegmentTarget[]>`
    SELECT "type"::text AS "type", "trackMembership", "condition" FROM "Segment" WHERE "id" = ${id}::uuid AND ${ofProject('"projectId"', projectId)}`;
  return row ?? null;
}
