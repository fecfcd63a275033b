import type { WhereCondition } from '../../audience/segments/filters.rules.ts';
import { type Db, type Prisma, type SqlDb, transactionTime } from '../../base/db/index.ts';
import { conflict, type Keyset, suggestions } from '../../base/kernel/index.ts';
import { findReferences, isUsed, stillUsed } from '../../base/references/index.ts';
import { type GoalAttribution, mostGoals, mostGoalsEver } from './goals.schema.ts';

export type GoalRow = Prisma.GoalGetPayload<object>;

/** Deleted goals are those whose conversions are still being removed. */
const present = { deletedAt: null } as const;

/** The conditions on the data of its event. */
export const whereOf = ({ conditions }: Pick<GoalRow, 'conditions'>): WhereCondition[] =>
  conditions as unknown as WhereCondition[];

/** A goal in the form of the API. */
export function presentGoal(row: GoalRow) {
  const { conditions: _, valueProperty, valueCurrency, deletedAt: __, ...goal } = row;
  return {
    ...goal,
    where: whereOf(row),
    value:
      valueProperty === null || valueCurrency === null
        ? null
        : { property: valueProperty, currency: valueCurrency },
  };
}

export const findGoal = (db: Db, projectId: string, id: string): Promise<GoalRow | null> =>
  db.goal.findFirst({ where: { id, projectId, ...present } });

/** Goals by their ids. */
export const findGoals = (db: Db, projectId: string, ids: readonly string[]): Promise<GoalRow[]> =>
  db.goal.findMany({ where: { projectId, id: { in: [...ids] }, ...present } });

/** Those that are not archived by their names, which differ. */
export const findGoalsByName = (db: Db, projectId: string, names: readonly string[]): Promise<GoalRow[]> =>
  db.goal.findMany({ where: { projectId, name: { in: [...names] }, archived: false, ...present } });

/** Which of these goals count, none of which is archived or deleted before the transaction ends. */
export async function keepGoals(db: Db, projectId: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id"::text AS "id" FROM "Goal" WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${[...ids]}::uuid[])
      AND "deletedAt" IS NULL AND NOT "archived" ORDER BY "id" FOR SHARE`;
  return new Set(rows.map(({ id }) => id));
}

interface GoalSearch {
  archived: boolean | undefined;
}

const found = (projectId: string, { archived }: GoalSearch): Prisma.GoalWhereInput => ({
  projectId,
  ...present,
  ...(archived === undefined ? {} : { archived }),
});

/** One page of goals, newest first. */
export const pageOfGoals = (
  db: Db,
  projectId: string,
  search: GoalSearch,
  { after, take }: { after: Keyset | null; take: number },
): Promise<GoalRow[]> =>
  db.goal.findMany({
    where: {
      ...found(projectId, search),
      ...(after && {
        OR: [
          { createdAt: { lt: new Date(after.value) } },
          { createdAt: new Date(after.value), id: { lt: after.id } },
        ],
      }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take,
  });

export const countGoals = (db: Db, projectId: string, search: GoalSearch): Promise<number> =>
  db.goal.count({ where: found(projectId, search) });

/** The goals of a project are written one at a time, so that names and numbers are right. */
export const lockGoals = (db: Db, projectId: string): Promise<unknown> =>
  db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`goals/${projectId}`}, 0))`;

/** Locks a goal, so that no workflow begins to use it before the transaction ends. */
export async function lockGoal(db: Db, projectId: string, id: string): Promise<GoalRow | null> {
  await db.$queryRaw`SELECT 1 FROM "Goal" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid FOR UPDATE`;
  return findGoal(db, projectId, id);
}

/**
 * @param id the goal itself, if it exists
 * @throws AppError CONFLICT when another goal has the name, or there are as many as a project may have
 */
export async function assertRoom(db: Db, projectId: string, name: string, id: string | null): Promise<void> {
  const others = await db.goal.findMany({
    where: { projectId, archived: false, ...present, ...(id === null ? {} : { id: { not: id } }) },
    select: { name: true },
  });
  if (others.some((other) => other.name === name)) {
    throw conflict('Another goal of the project has this name', {
      suggestion: suggestions.CONFLICT.goalNameTaken,
    });
  }
  const all = id === null ? await countGoals(db, projectId, { archived: undefined }) : 0;
  if (others.length >= mostGoals || all >= mostGoalsEver) {
    throw conflict(
      others.length >= mostGoals
        ? `A project has at most ${mostGoals} goals that are not archived`
        : `A project has at most ${mostGoalsEver} goals, archived ones included`,
      { suggestion: suggestions.CONFLICT.mostGoals },
    );
  }
}

/** @throws AppError CONFLICT while a workflow or a campaign that is not finished uses the goal */
export async function assertNotUsed(db: Db, projectId: string, id: string): Promise<void> {
  const { workflows, campaigns } = await findReferences(db, projectId, [`goal.${id}`]);
  if (isUsed({ workflows, campaigns })) throw stillUsed('This goal is in use', { workflows, campaigns });
}

export const insertGoal = (
  db: Db,
  {
    conditions,
    ...goal
  }: Omit<Prisma.GoalUncheckedCreateInput, 'conditions'> & {
    conditions: readonly WhereCondition[];
    attribution: GoalAttribution;
  },
): Promise<GoalRow> =>
  transactionTime(db).then((createdAt) =>
    db.goal.create({
      data: { ...goal, createdAt, conditions: conditions as unknown as Prisma.InputJsonArray },
    }),
  );

export const changeGoal = (db: Db, id: string, data: { name: string; archived: boolean }): Promise<GoalRow> =>
  db.goal.update({ where: { id }, data });

export const markDeleted = async (db: Db, id: string): Promise<void> => {
  await db.goal.update({ where: { id }, data: { deletedAt: new Date() } });
};

/** Removes conversions of deleted goals, and then these goals. @returns the number of rows */
export async function removeDeleted(db: SqlDb, limit: number): Promise<number> {
  const conversions = await db.$executeRaw`
    DELETE FROM "Conversion" WHERE ctid = ANY(ARRAY(
      SELECT c.ctid FROM (SELECT "id" FROM "Goal" WHERE "deletedAt" IS NOT NULL) g
      CROSS JOIN LATERAL (SELECT ctid FROM "Conversion" WHERE "goalId" = g."id" LIMIT ${limit}::int) c LIMIT ${limit}::int))`;
  if (conversions > 0) return conversions;
  const ofExecutions = await db.$executeRaw`
    DELETE FROM "ExecutionConversion" WHERE ctid = ANY(ARRAY(
      SELECT c.ctid FROM (SELECT "id" FROM "Goal" WHERE "deletedAt" IS NOT NULL) g
      CROSS JOIN LATERAL (SELECT ctid FROM "ExecutionConversion" WHERE "goalId" = g."id" LIMIT ${limit}::int) c LIMIT ${limit}::int))`;
  if (ofExecutions > 0) return ofExecutions;
  return db.$executeRaw`
    DELETE FROM "Goal" WHERE "id" = ANY(ARRAY(SELECT "id" FROM "Goal" WHERE "deletedAt" IS NOT NULL LIMIT ${limit}::int))`;
}
