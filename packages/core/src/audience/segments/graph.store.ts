import type { Db } from '../../base/db/index.ts';
import { type FieldError, invalid } from '../../base/kernel/index.ts';
import { unknownTopic } from '../consent/index.ts';
import { type ReceivedTopic, readTopics } from '../topics/index.ts';
import {
  type FilterTree,
  filtersOf,
  placedFilters,
  type ReferringProperty,
  readField,
  recordsOf,
  segmentsAmong,
  topicsOf,
} from './filters.rules.ts';

/** The maximum number of filters of a condition, including those of the untracked segments it evaluates inline. */
const maxExpanded = 2_000;

interface Node {
  type: 'DYNAMIC' | 'STATIC';
  trackMembership: boolean;
  condition: FilterTree | null;
  reads: string[];
}

type Graph = Map<string, Node>;

/** All segments reachable from these, level by level. */
async function reachable(db: Db, projectId: string, from: readonly string[]): Promise<Graph> {
  const graph: Graph = new Map();
  let wanted = [...new Set(from)];
  while (wanted.length > 0) {
    const rows = await db.segment.findMany({
      where: { projectId, id: { in: wanted } },
      select: { id: true, type: true, trackMembership: true, condition: true, reads: true },
    });
    for (const { id, condition, ...row } of rows) {
      graph.set(id, { ...row, condition: condition as unknown as FilterTree | null });
    }
    wanted = [...new Set(rows.flatMap(({ reads }) => segmentsAmong(reads)))].filter((id) => !graph.has(id));
  }
  return graph;
}

/**
 * The conditions of the dynamic segments that audiences read, and of those behind them, in the order of their ids. The segments of all
 * audiences are read together.
 *
 * @param audiences what each of them reads
 */
export async function conditionsBehindEach(
  db: Db,
  projectId: string,
  audiences: readonly (readonly string[])[],
): Promise<{ id: string; condition: unknown }[][]> {
  const graph = await reachable(
    db,
    projectId,
    audiences.flatMap((reads) => segmentsAmong(reads)),
  );
  return audiences.map((reads) =>
    [...within(graph, segmentsAmong(reads))]
      .flatMap((id) => {
        const segment = graph.get(id);
        return segment?.type === 'DYNAMIC' ? { id, condition: segment.condition } : [];
      })
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
  );
}

/** The segments of a graph that some of them lead to, and these. */
function within(graph: Graph, from: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const waiting = [...from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    waiting.push(...segmentsAmong(graph.get(id)?.reads ?? []));
  }
  return seen;
}

/**
 * Checks a tree against the database: its segments must belong to the project, no chain may lead back to `selfId`
 * (the segment that gets this condition), and inlining untracked segments must not exceed the filter limit.
 *
 * @param path the field of the request that holds the tree, such as `condition`
 * @returns what was read for it, with which it can be compiled
 * @throws AppError VALIDATION_ERROR with `unknown_segment`, `unknown_topic`, `unknown_reference`, `circular_reference` or `too_big`
 */
export async function assertFilterTree(
  db: Db,
  projectId: string,
  tree: FilterTree,
  path: string,
  selfId?: string,
): Promise<{ topics?: ReadonlyMap<string, ReceivedTopic> }> {
  await assertRecords(db, projectId, tree, path);
  const topics = await assertTopics(db, projectId, tree, path);
  const known = topics ? { topics } : {};
  const named = segmentFilters(tree, path);
  if (named.length === 0) return known;
  const graph = await reachable(
    db,
    projectId,
    named.map(({ id }) => id),
  );
  const errors = named.flatMap(({ id, field }): FieldError[] => {
    if (id === selfId || (selfId !== undefined && reaches(graph, id, selfId)))
      return [
        {
          field,
          code: 'circular_reference',
          message: 'This segment refers to itself, directly or through others',
        },
      ];
    return graph.has(id)
      ? []
      : [{ field, code: 'unknown_segment', message: 'No such segment in this project' }];
  });
  if (errors.length > 0) throw invalid(errors);
  if (weigh(graph, tree, new Map()) > maxExpanded) throw tooLarge(path);
  return known;
}

const tooLarge = (field: string) =>
  invalid([
    {
      field,
      code: 'too_big',
      message: `At most ${maxExpanded} filters, including those of the segments it refers to. Track the membership of some of them`,
    },
  ]);

/** Filters that reference segments, with the path of their `field`. */
const segmentFilters = (tree: FilterTree, path: string): { id: string; field: string }[] =>
  placedFilters(tree, path).flatMap(({ filter: { field }, at }) => {
    const ref = readField(field);
    return typeof ref === 'string' || ref.kind !== 'segment' ? [] : [{ id: ref.id, field: `${at}.field` }];
  });

/** Campaigns, workflows and templates that a tree names must belong to the project. */
async function assertRecords(db: Db, projectId: string, tree: FilterTree, path: string): Promise<void> {
  const named = placedFilters(tree, path).flatMap(({ filter, at }) =>
    recordsOf(filter).map((record) => ({ ...record, field: [at, ...record.path].join('.') })),
  );
  if (named.length === 0) return;
  const known = new Set<string>();
  for (const [property, records] of Map.groupBy(named, (each) => each.property)) {
    const ids = [...new Set(records.map(({ id }) => id))];
    for (const id of await findIds(db, property, { projectId, id: { in: ids } }))
      known.add(`${property} ${id}`);
  }
  const errors = named
    .filter(({ property, id }) => !known.has(`${property} ${id}`))
    .map(
      ({ field }): FieldError => ({
        field,
        code: 'unknown_reference',
        message: 'No such record in this project',
      }),
    );
  if (errors.length > 0) throw invalid(errors);
}

/** Topics that a tree names must exist and not be archived. */
/** @returns the topics of the project by their keys, archived ones included, which segments may name; undefined if the tree names none */
async function assertTopics(
  db: Db,
  projectId: string,
  tree: FilterTree,
  path: string,
): Promise<ReadonlyMap<string, ReceivedTopic> | undefined> {
  const named = placedFilters(tree, path).flatMap(({ filter, at }) =>
    topicsOf(filter).map((topic) => ({ key: topic.key, field: [at, ...topic.path].join('.') })),
  );
  if (named.length === 0) return undefined;
  const topics = new Map((await readTopics(db, projectId)).map((topic) => [topic.key, topic]));
  const errors = named.flatMap(({ key, field }) =>
    topics.get(key)?.archived === false ? [] : [unknownTopic(field, key)],
  );
  if (errors.length > 0) throw invalid(errors);
  return topics;
}

async function findIds(
  db: Db,
  property: ReferringProperty,
  where: { projectId: string; id: { in: string[] } },
): Promise<string[]> {
  const query = { where, select: { id: true } };
  const rows =
    property === 'campaignId'
      ? await db.campaign.findMany(query)
      : property === 'workflowId'
        ? await db.workflow.findMany(query)
        : await db.template.findMany(query);
  return rows.map(({ id }) => id);
}

function reaches(graph: Graph, from: string, to: string): boolean {
  const seen = new Set<string>();
  const waiting = [from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    waiting.push(...segmentsAmong(graph.get(id)?.reads ?? []));
  }
  return false;
}

/** The filters of a tree with its untracked segments inlined. Cycles have been refused before. */
function weigh(graph: Graph, tree: FilterTree, known: Map<string, number>): number {
  let sum = 0;
  for (const { field } of filtersOf(tree)) {
    const ref = readField(field);
    sum += typeof ref !== 'string' && ref.kind === 'segment' ? weighSegment(graph, ref.id, known) : 1;
  }
  return sum;
}

function weighSegment(graph: Graph, id: string, known: Map<string, number>): number {
  const before = known.get(id);
  if (before !== undefined) return before;
  const segment = graph.get(id);
  const evaluated = segment?.type === 'DYNAMIC' && !segment.trackMembership ? segment.condition : null;
  const weight = evaluated ? weigh(graph, evaluated, known) : 1;
  known.set(id, weight);
  return weight;
}

export interface Dependent {
  id: string;
  trackMembership: boolean;
}

/** DYNAMIC segments whose result depends on this segment: those that read it, transitively through untracked ones. */
export const findDependents = (
  db: Db,
  projectId: string,
  segmentId: string,
): Promise<Dependent[]> => db.$queryRaw`
  WITH RECURSIVE "d" AS (
    SELECT s."id", s."trackMembership" FROM "Segment" s
    WHERE s."projectId" = ${projectId}::uuid AND s."type" = 'DYNAMIC' AND s."reads" @> ARRAY['segment.' || ${segmentId}::text]
    UNION
    SELECT s."id", s."trackMembership" FROM "d" JOIN "Segment" s
      ON s."projectId" = ${projectId}::uuid AND s."type" = 'DYNAMIC' AND s."reads" @> ARRAY['segment.' || d."id"::text]
    WHERE NOT d."trackMembership"
  )
  SELECT "id", "trackMembership" FROM "d" ORDER BY "id"`;

/** After a segment has changed: no segment that inlines it may exceed the filter limit. */
export async function assertDependentsFit(db: Db, projectId: string, segmentId: string): Promise<void> {
  const ids = (await findDependents(db, projectId, segmentId)).map(({ id }) => id);
  if (ids.length === 0) return;
  const graph = await reachable(db, projectId, ids);
  const known = new Map<string, number>();
  for (const id of ids) {
    const condition = graph.get(id)?.condition;
    if (condition && weigh(graph, condition, known) > maxExpanded) throw tooLarge('condition');
  }
}

/** Everything that a condition reads, including the conditions of inlined segments. */
export async function deepReads(db: Db, projectId: string, reads: readonly string[]): Promise<string[]> {
  const graph = await reachable(db, projectId, segmentsAmong(reads));
  const all = new Set(reads);
  const seen = new Set<string>();
  const waiting = segmentsAmong(reads);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const segment = graph.get(id);
    if (seen.has(id) || segment?.type !== 'DYNAMIC' || segment.trackMembership) continue;
    seen.add(id);
    for (const each of segment.reads) all.add(each);
    waiting.push(...segmentsAmong(segment.reads));
  }
  return [...all];
}

/** Schedules a recomputation of the dependents: raises their `wakeSeq`, in the common lock order. */
export async function markSegmentsChanged(db: Db, projectId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.$executeRaw`
    WITH "locked" AS (
      SELECT "id" FROM "Segment" WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${ids}::uuid[])
      ORDER BY "id" FOR NO KEY UPDATE)
    UPDATE "Segment" s SET "wakeSeq" = s."wakeSeq" + 1 FROM "locked" l WHERE s."id" = l."id"`;
}
