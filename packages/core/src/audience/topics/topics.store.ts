import { constant, type Db, ofProject, Prisma, type SqlDb } from '../../base/db/index.ts';
import { cachedFigure, cachedTotal } from '../../base/figures/index.ts';
import { hasChoices, type ReceivedTopic, receivesSql } from './receives.store.ts';
import type { Texts } from './topics.rules.ts';

/** A topic as it is stored. */
export interface TopicRow {
  id: string;
  projectId: string;
  key: string;
  /** never reused within the project; choices of contacts name topics by it */
  number: number;
  name: Texts;
  description: Texts | null;
  default: 'IN' | 'OUT';
  visibility: 'PUBLIC' | 'PRIVATE';
  position: number;
  archived: boolean;
  createdAt: Date;
  updatedAt: Date;
}

const columns = constant(
  `"id", "projectId", "key", "number", "name", "description", "default"::text, "visibility"::text, "position", "archived", "createdAt", "updatedAt"`,
);

/** The topics of a project in the order in which they are shown; at most fifty. */
export const readTopics = (
  db: SqlDb,
  projectId: string,
  { archived }: { archived?: boolean } = {},
): Promise<TopicRow[]> => db.$queryRaw`
  SELECT ${columns} FROM "Topic" WHERE "projectId" = ${projectId}::uuid AND "deletedAt" IS NULL
    ${archived === undefined ? Prisma.empty : Prisma.sql`AND "archived" = ${archived}`}
  ORDER BY "position", "number"`;

export async function findTopic(db: SqlDb, projectId: string, id: string): Promise<TopicRow | null> {
  const [row] = await db.$queryRaw<TopicRow[]>`
    SELECT ${columns} FROM "Topic" WHERE "id" = ${id}::uuid AND "deletedAt" IS NULL AND ${ofProject('"projectId"', projectId)}`;
  return row ?? null;
}

/**
 * The topic of a key, if it can be named.
 *
 * @param lock keeps it from being archived or deleted before the transaction ends
 */
export async function findTopicByKey(
  db: SqlDb,
  projectId: string,
  key: string,
  lock?: 'keep',
): Promise<TopicRow | null> {
  const [row] = await db.$queryRaw<TopicRow[]>`
    SELECT ${columns} FROM "Topic" WHERE "projectId" = ${projectId}::uuid AND "key" = ${key} AND NOT "archived" AND "deletedAt" IS NULL
    ${lock ? Prisma.sql`FOR SHARE` : Prisma.empty}`;
  return row ?? null;
}

/** The keys of topics by their ids, archived and deleted ones included. */
export async function keysOfTopics(
  db: SqlDb,
  projectId: string,
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; key: string }[]>`
    SELECT "id", "key" FROM "Topic" WHERE "id" = ANY(${wanted}::uuid[]) AND ${ofProject('"projectId"', projectId)}`;
  return new Map(rows.map(({ id, key }) => [id, key]));
}

/** Records with the keys of their topics. */
export async function withTopics<Row extends { topicId: string | null }>(
  db: SqlDb,
  projectId: string,
  rows: readonly Row[],
): Promise<(Row & { topic: string | null })[]> {
  const keys = await keysOfTopics(
    db,
    projectId,
    rows.map(({ topicId }) => topicId),
  );
  return rows.map((row) => ({
    ...row,
    topic: row.topicId === null ? null : (keys.get(row.topicId) ?? null),
  }));
}

/** What a record's topic decides; null for none. Also of a deleted one, whose row stays. */
export async function findReceivedTopic(
  db: SqlDb,
  projectId: string,
  id: string | null,
): Promise<ReceivedTopic | null> {
  if (id === null) return null;
  const [row] = await db.$queryRaw<ReceivedTopic[]>`
    SELECT "number", "default"::text FROM "Topic" WHERE "id" = ${id}::uuid AND ${ofProject('"projectId"', projectId)}`;
  if (!row) throw new Error('a record names a topic that its project does not have');
  return row;
}

/** The topics of a project are written one at a time, so that numbers, keys and how many there are come out right. */
export const lockTopics = (db: SqlDb, projectId: string): Promise<unknown> =>
  db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`topics/${projectId}`}, 0))`;

/** Locks a topic, so that nothing begins to name it before the transaction ends. */
export async function lockTopic(db: SqlDb, projectId: string, id: string): Promise<TopicRow | null> {
  const [row] = await db.$queryRaw<TopicRow[]>`
    SELECT ${columns} FROM "Topic" WHERE "id" = ${id}::uuid AND "deletedAt" IS NULL
      AND ${ofProject('"projectId"', projectId)} FOR UPDATE`;
  return row ?? null;
}

/**
 * How many contacts receive each of these topics, by indexes: of those who made no choice all or none do, by the default, and only the others are
 * looked at.
 */
async function countReceivers(
  db: SqlDb,
  projectId: string,
  topics: readonly ReceivedTopic[],
): Promise<Map<number, number>> {
  if (topics.length === 0) return new Map();
  const each = topics.map((topic) => Prisma.sql`count(*) FILTER (WHERE ${receivesSql('c', topic)})::int`);
  const contacts = Prisma.sql`FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid`;
  const [row] = await db.$queryRaw<{ others: number; chosen: number[] }[]>`
    SELECT (SELECT count(*)::int ${contacts}) - (SELECT count(*)::int ${contacts} AND NOT c."subscribed") - h."count" AS "others", h."chosen"
    FROM (SELECT count(*)::int AS "count", ARRAY[${Prisma.join(each)}] AS "chosen" ${contacts} AND c."subscribed" AND ${hasChoices('c')}) h`;
  return new Map(
    topics.map((topic, index) => [
      topic.number,
      (row?.chosen[index] ?? 0) + (topic.default === 'IN' ? (row?.others ?? 0) : 0),
    ]),
  );
}

/** Above this many contacts, counts of subscribers are at most five minutes old. */
const largeAbove = 100_000;
const maxAgeSeconds = 300;

/** How many contacts receive each of the topics, by their numbers. */
export async function subscriberCounts(
  db: Db,
  projectId: string,
  topics: readonly ReceivedTopic[],
): Promise<(topic: ReceivedTopic) => number> {
  const contacts = await cachedTotal(db, { projectId, key: 'topics.contacts' }, async () => {
    const [row] = await db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS "count" FROM (SELECT FROM "Contact" WHERE "projectId" = ${projectId}::uuid LIMIT ${largeAbove + 1}) c`;
    return row?.count ?? 0;
  });
  if (contacts <= largeAbove) {
    const counts = await countReceivers(db, projectId, topics);
    return ({ number }) => counts.get(number) ?? 0;
  }
  // All at once: a list of them is asked for more often than one.
  const stored = await cachedFigure<Record<string, number>>(
    db,
    { projectId, key: 'topics.receivers', maxAgeSeconds },
    async () => {
      const all = await readTopics(db, projectId);
      const counts = await countReceivers(db, projectId, all);
      return Object.fromEntries(all.map((topic) => [figureOf(topic), counts.get(topic.number) ?? 0]));
    },
  );
  const missing = topics.filter((topic) => stored[figureOf(topic)] === undefined);
  const counted = await countReceivers(db, projectId, missing);
  return (topic) => stored[figureOf(topic)] ?? counted.get(topic.number) ?? 0;
}

/** With its default, whose change changes the count at once. */
const figureOf = (topic: ReceivedTopic): string => `${topic.number}.${topic.default}`;

export interface NewTopic extends Pick<TopicRow, 'id' | 'projectId' | 'key' | 'default' | 'visibility'> {
  name: Texts;
  description: Texts | null;
  /** null for the last place */
  position: number | null;
}

/** Stores a topic with the next number of its project: numbers of deleted ones are not used again. The caller holds `lockTopics`. */
export async function insertTopic(db: SqlDb, topic: NewTopic): Promise<TopicRow> {
  const { id, projectId, key, name, description, visibility, position } = topic;
  const [row] = await db.$queryRaw<TopicRow[]>`
    INSERT INTO "Topic" ("id", "projectId", "key", "number", "name", "description", "default", "visibility", "position")
    SELECT ${id}::uuid, ${projectId}::uuid, ${key}, coalesce(max(t."number"), 0) + 1, ${JSON.stringify(name)}::jsonb,
      ${description === null ? null : JSON.stringify(description)}::jsonb, ${topic.default}::"TopicDefault", ${visibility}::"TopicVisibility",
      coalesce(${position}::int, max(t."position") FILTER (WHERE t."deletedAt" IS NULL) + 1, 0)
    FROM "Topic" t WHERE t."projectId" = ${projectId}::uuid RETURNING ${columns}`;
  if (!row) throw new Error('storing a topic gave no row');
  return row;
}

export async function changeTopic(
  db: SqlDb,
  { id, projectId, name, description, visibility, position, archived, ...topic }: TopicRow,
): Promise<TopicRow> {
  const [row] = await db.$queryRaw<TopicRow[]>`
    UPDATE "Topic" SET "name" = ${JSON.stringify(name)}::jsonb, "description" = ${description === null ? null : JSON.stringify(description)}::jsonb,
      "default" = ${topic.default}::"TopicDefault", "visibility" = ${visibility}::"TopicVisibility", "position" = ${position}::int,
      "archived" = ${archived}, "updatedAt" = now()
    WHERE "id" = ${id}::uuid AND ${ofProject('"projectId"', projectId)} RETURNING ${columns}`;
  if (!row) throw new Error('changing a topic gave no row');
  return row;
}

/** Its row stays: choices of contacts name its number, and what was sent its id. */
export async function markDeleted(db: SqlDb, projectId: string, id: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "Topic" SET "deletedAt" = now(), "updatedAt" = now() WHERE "id" = ${id}::uuid AND ${ofProject('"projectId"', projectId)}`;
}

/** How many topics of a project recipients can choose. */
export const countOfferedTopics = (db: Db, projectId: string): Promise<number> =>
  db.topic.count({ where: { projectId, deletedAt: null, archived: false, visibility: 'PUBLIC' } });
