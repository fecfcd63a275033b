import { type Db, Prisma } from '../../../base/db/index.ts';
import type { authorOf } from '../../../people/audit/index.ts';
import type { StepSummary, WorkflowDefinition } from '../definitions/definition.rules.ts';
import { columnsOf } from '../definitions/definitions.store.ts';
import { endsOf } from '../definitions/ends.rules.ts';
import type { WorkflowRow } from '../workflows.store.ts';
import type { MoveRule } from './move.rules.ts';

type Owner = Pick<WorkflowRow, 'id' | 'projectId'>;

/** The newest versions of a workflow that are listed. */
export const listedVersions = 200;

export async function insertVersion(
  db: Db,
  { id: workflowId, projectId }: Owner,
  author: ReturnType<typeof authorOf>,
  given: { version: number; definition: WorkflowDefinition; note: string | null; move: MoveRule | null },
): Promise<void> {
  const { actorType: authorType, actorId: authorId, keyName } = author;
  const { version, definition, note, move } = given;
  await db.workflowVersion.createMany({
    data: {
      ...columnsOf(definition),
      ends: endsOf(definition),
      workflowId,
      projectId,
      version,
      note,
      move: move === null ? Prisma.DbNull : (move as unknown as Prisma.InputJsonObject),
      authorType,
      authorId,
      keyName,
    },
  });
}

/** Removes the version that was live, if no execution has begun with it and none was moved to it. */
export async function removeUnentered(db: Db, workflowId: string, version: number): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "WorkflowVersion" v WHERE v."workflowId" = ${workflowId}::uuid AND v."version" = ${version}::int AND NOT v."entered"
      AND NOT EXISTS (SELECT FROM "WorkflowVersion" o WHERE o."workflowId" = v."workflowId" AND o."movedTo" = v."version")`;
}

/** From now on the executions of all versions before go on by this one. It writes no execution. */
export async function moveVersions(db: Db, workflowId: string, version: number): Promise<void> {
  await db.$executeRaw`
    UPDATE "WorkflowVersion" SET "movedTo" = ${version}::int
    WHERE "workflowId" = ${workflowId}::uuid AND "version" < ${version}::int AND "movedTo" IS NULL`;
}

export interface ListedVersionRow {
  version: number;
  note: string | null;
  movedTo: number | null;
  publishedAt: Date;
  authorType: string;
  authorId: string | null;
  authorEmail: string | null;
  keyName: string | null;
}

export interface VersionRow extends ListedVersionRow {
  definition: Prisma.JsonValue;
}

const listedColumns = Prisma.sql`v."version", v."note", v."movedTo", v."publishedAt", v."authorType", v."authorId"::text AS "authorId", v."keyName",
  u."email" AS "authorEmail"`;
const joined = Prisma.sql`"WorkflowVersion" v LEFT JOIN "User" u ON v."authorType" = 'user' AND u."id" = v."authorId"`;
const ofWorkflow = ({ id, projectId }: Owner) =>
  Prisma.sql`v."workflowId" = ${id}::uuid AND v."projectId" = ${projectId}::uuid`;

/** One keyset page of the newest versions. `before`: the last version of the page before. */
export const findVersions = (
  db: Db,
  workflow: Owner,
  before: number | null,
  limit: number,
): Promise<ListedVersionRow[]> => db.$queryRaw<ListedVersionRow[]>`
  SELECT ${listedColumns} FROM ${joined}
  WHERE ${ofWorkflow(workflow)} AND v."version" IN (
      SELECT n."version" FROM "WorkflowVersion" n WHERE n."workflowId" = ${workflow.id}::uuid ORDER BY n."version" DESC LIMIT ${listedVersions}::int)
    ${before === null ? Prisma.empty : Prisma.sql`AND v."version" < ${before}::int`}
  ORDER BY v."version" DESC LIMIT ${limit}::int`;

export const countVersions = async (db: Db, { id, projectId }: Owner): Promise<number> =>
  Math.min(listedVersions, await db.workflowVersion.count({ where: { workflowId: id, projectId } }));

export async function findVersion(db: Db, workflow: Owner, version: number): Promise<VersionRow | null> {
  const [row] = await db.$queryRaw<VersionRow[]>`
    SELECT ${listedColumns}, v."definition" FROM ${joined} WHERE ${ofWorkflow(workflow)} AND v."version" = ${version}::int`;
  return row ?? null;
}

export interface VersionCount {
  version: number;
  entered: number;
  active: number;
}

/** Executions by the version that they began with. */
export const countByVersion = (db: Db, { id, projectId }: Owner): Promise<VersionCount[]> => db.$queryRaw<
  VersionCount[]
>`
  SELECT "version", count(*)::int AS "entered", (count(*) FILTER (WHERE "status" IN ('RUNNING', 'WAITING')))::int AS "active"
  FROM "WorkflowExecution" WHERE "projectId" = ${projectId}::uuid AND "workflowId" = ${id}::uuid AND "version" IS NOT NULL
  GROUP BY "version"`;

/** Active executions by the version that they began with. */
export const countActiveByVersion = (
  db: Db,
  { id, projectId }: Owner,
): Promise<Omit<VersionCount, 'entered'>[]> => db.$queryRaw<Omit<VersionCount, 'entered'>[]>`
  SELECT "version", count(*)::int AS "active" FROM "WorkflowExecution"
  WHERE "projectId" = ${projectId}::uuid AND "workflowId" = ${id}::uuid AND "version" IS NOT NULL AND "status" IN ('RUNNING', 'WAITING')
  GROUP BY "version" ORDER BY "version" DESC`;

/** People at each step now, by the index of active executions. */
export async function countAtSteps(db: Db, { id, projectId }: Owner): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ stepId: string; people: number }[]>`
    SELECT "currentStepId"::text AS "stepId", count(*)::int AS "people" FROM "WorkflowExecution"
    WHERE "workflowId" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "status" IN ('RUNNING', 'WAITING') AND "currentStepId" IS NOT NULL
    GROUP BY 1`;
  return new Map(rows.map(({ stepId, people }) => [stepId, people]));
}

/** Steps as the newest version that has them says. */
export async function summariesOf(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, StepSummary>> {
  if (ids.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; step: StepSummary }[]>`
    SELECT DISTINCT ON (k."id") k."id"::text AS "id", v."steps" -> k."id"::text AS "step"
    FROM "WorkflowVersion" v CROSS JOIN unnest(${[...ids]}::uuid[]) AS k("id")
    WHERE v."projectId" = ${projectId}::uuid AND v."steps" -> k."id"::text IS NOT NULL
    ORDER BY k."id", v."version" DESC`;
  return new Map(rows.map(({ id, step }) => [id, step]));
}

/** The ids and keys of the steps of these keys, in any version. */
export async function findStepsByKey(
  db: Db,
  workflowId: string,
  keys: readonly string[],
): Promise<{ id: string; key: string }[]> {
  if (keys.length === 0) return [];
  return db.$queryRaw`
    SELECT DISTINCT s."key" AS "id", s."value" ->> 'key' AS "key" FROM "WorkflowVersion" v CROSS JOIN jsonb_each(v."steps") s
    WHERE v."workflowId" = ${workflowId}::uuid AND s."value" ->> 'key' = ANY(${[...keys]}::text[])`;
}

/** The rules of all moves of a workflow, in the order of their versions. */
export const findMoves = (db: Db, workflowId: string): Promise<{ version: number; move: MoveRule }[]> =>
  db.$queryRaw`
    SELECT "version", "move" FROM "WorkflowVersion" WHERE "workflowId" = ${workflowId}::uuid AND "move" IS NOT NULL ORDER BY "version"`;

/** The last version that has each of these steps, by the ids of the steps. */
export async function findLastWith(
  db: Db,
  workflowId: string,
  stepIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (stepIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; version: number }[]>`
    SELECT k."id", max(v."version") AS "version" FROM unnest(${[...stepIds]}::text[]) k("id")
    JOIN "WorkflowVersion" v ON v."workflowId" = ${workflowId}::uuid AND jsonb_exists(v."steps", k."id") GROUP BY 1`;
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** A version to which the executions of an earlier one were moved. */
export interface MovedTo {
  version: number;
  publishedAt: Date;
}

/** The versions to which executions were moved that began with a version, in order. */
export const findMovesFrom = (db: Db, workflowId: string, began: number): Promise<MovedTo[]> => db.$queryRaw<
  MovedTo[]
>`
  WITH RECURSIVE "chain" AS (
    SELECT v."version", v."movedTo", v."publishedAt" FROM "WorkflowVersion" v WHERE v."workflowId" = ${workflowId}::uuid AND v."version" = ${began}::int
    UNION ALL
    SELECT v."version", v."movedTo", v."publishedAt" FROM "chain" c
    JOIN "WorkflowVersion" v ON v."workflowId" = ${workflowId}::uuid AND v."version" = c."movedTo"
  )
  SELECT "version", "publishedAt" FROM "chain" WHERE "version" <> ${began}::int ORDER BY "version"`;

export interface PeopleAt {
  stepId: string;
  version: number;
  /** whose definition they run */
  runs: number;
  people: number;
}

/** Active executions at some steps, by the version that they began with. */
export const countAtStepsByVersion = (
  db: Db,
  { id, projectId }: Owner,
  stepIds: readonly string[],
): Promise<PeopleAt[]> => db.$queryRaw<PeopleAt[]>`
  WITH "people" AS (
    SELECT "currentStepId", "version", count(*)::int AS "people" FROM "WorkflowExecution"
    WHERE "workflowId" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "status" IN ('RUNNING', 'WAITING')
      AND "currentStepId" = ANY(${[...stepIds]}::uuid[]) AND "version" IS NOT NULL
    GROUP BY 1, 2)
  SELECT "currentStepId"::text AS "stepId", "version", version_run(${id}::uuid, "version") AS "runs", "people" FROM "people"`;
