import { eventNumber, eventWhereSql } from '../../audience/segments/index.ts';
import { constant, ofProject, Prisma, type SqlDb } from '../../base/db/index.ts';
import { insertReports } from '../../base/event-types/index.ts';
import type { ValueClock } from '../../base/lib/index.ts';
import { timeZoneOfProject } from '../../people/projects/index.ts';
import type { CountedConversion } from './counted-conversion.ts';
import type { GoalAttribution } from './goals.schema.ts';
import { type GoalRow, whereOf } from './goals.store.ts';
import { countRecipients } from './recipient-conversions.store.ts';

/** What a goal counts, which never changes. */
export type CountedGoal = Pick<
  GoalRow,
  | 'id'
  | 'name'
  | 'eventName'
  | 'conditions'
  | 'valueProperty'
  | 'valueCurrency'
  | 'attribution'
  | 'windowDays'
  | 'createdAt'
>;

const columns = Prisma.sql`g."id"::text AS "id", g."name", g."eventName", g."conditions", g."valueProperty", g."valueCurrency",
  g."attribution"::text AS "attribution", g."windowDays", g."createdAt"`;

/** The goals that count events of these names. */
const goalsOfEvents = (db: SqlDb, projectId: string, names: readonly string[]): Promise<CountedGoal[]> =>
  db.$queryRaw<CountedGoal[]>`
    SELECT ${columns} FROM "Goal" g WHERE g."projectId" = ${projectId}::uuid AND NOT g."archived" AND g."deletedAt" IS NULL
      AND g."eventName" = ANY(${[...names]}::text[]) ORDER BY g."id"`;

/** Goals by their ids. */
export const goalsById = (db: SqlDb, projectId: string, ids: readonly string[]): Promise<CountedGoal[]> =>
  db.$queryRaw<CountedGoal[]>`
    SELECT ${columns} FROM "Goal" g WHERE g."id" = ANY(${[...ids]}::uuid[]) AND g."deletedAt" IS NULL AND ${ofProject('g."projectId"', projectId)}`;

/** Doubles hold no number further from zero, and none nearer to it. */
const largest = constant('1.7976931348623157e308::numeric');
const smallest = constant('1e-300::numeric');

/**
 * The value of an event `e` for a goal: the number at its property, also one that is kept as text. NULL for anything else, for a number that no
 * double holds, and where the event names another currency.
 */
export function goalValue({ valueProperty, valueCurrency }: CountedGoal): Prisma.Sql {
  if (valueProperty === null || valueCurrency === null) return Prisma.sql`NULL::float8`;
  return Prisma.sql`CASE WHEN coalesce(jsonb_typeof(e."data" -> 'currency'), 'null') = 'null'
      OR upper(btrim(e."data" ->> 'currency')) = ${valueCurrency}::text THEN (
    SELECT CASE WHEN abs(v."n") > ${largest} THEN NULL WHEN abs(v."n") < ${smallest} THEN 0 ELSE v."n" END::float8
    FROM (SELECT ${eventNumber(valueProperty)} AS "n") v) END`;
}

/** The columns that hold when an email was touched. */
const touchOf: Record<GoalAttribution, Prisma.Sql> = {
  CLICK: Prisma.sql`m."clickedAt"`,
  OPEN: Prisma.sql`m."openedAt"`,
  SENT: Prisma.sql`m."sentAt"`,
};

/**
 * Counts the events of a batch that reach goals, in the transaction that takes them from the queue, and reports them to webhook endpoints. Each is
 * credited to the email of its contact with the latest touch within the window of the goal.
 *
 * @param events with an id, in a batch of one project
 * @returns what was counted, each once
 */
export async function countConversions(
  db: SqlDb,
  projectId: string,
  events: readonly { id: string; name: string }[],
  now: Date,
): Promise<CountedConversion[]> {
  const goals = await goalsOfEvents(db, projectId, [...new Set(events.map(({ name }) => name))]);
  if (goals.length === 0) return [];
  const clock = { now, timeZone: await timeZoneOfProject(db, projectId) };
  const counted: CountedConversion[] = [];
  for (const goal of goals) {
    const ids = events.filter(({ name }) => name === goal.eventName).map(({ id }) => id);
    counted.push(...(await countGoal(db, projectId, goal, ids, clock)));
  }
  await countRecipients(db, projectId, counted);
  return counted;
}

const countGoal = (
  db: SqlDb,
  projectId: string,
  goal: CountedGoal,
  eventIds: readonly string[],
  clock: ValueClock,
): Promise<CountedConversion[]> => {
  const { joins, conditions: holds } = eventWhereSql(whereOf(goal), clock);
  const touch = touchOf[goal.attribution];
  const window = Prisma.sql`${goal.windowDays}::int * interval '1 day'`;
  return db.$queryRaw<CountedConversion[]>`
    WITH "event" AS MATERIALIZED (
      SELECT e."id", e."contactId", e."createdAt", ${goalValue(goal)} AS "value"
      FROM unnest(${[...eventIds]}::uuid[]) AS k("id")
      CROSS JOIN LATERAL (SELECT * FROM "Event" WHERE "id" = k."id" AND ${ofProject('"projectId"', projectId)} OFFSET 0) e${joins}
      WHERE e."contactId" IS NOT NULL AND e."createdAt" >= ${goal.createdAt}::timestamptz${holds}
    ), "converted" AS (
      INSERT INTO "Conversion" ("id", "projectId", "goalId", "eventId", "contactId", "at", "value", "emailId", "campaignId", "workflowId")
      SELECT uuid7(), ${projectId}::uuid, ${goal.id}::uuid, e."id", e."contactId", e."createdAt", e."value", t."id", t."campaignId", t."workflowId"
      FROM "event" e LEFT JOIN LATERAL (
        SELECT m."id", m."campaignId", (SELECT x."workflowId" FROM "WorkflowExecution" x
          WHERE x."id" = m."workflowExecutionId" AND ${ofProject('x."projectId"', projectId)}) AS "workflowId"
        FROM "Email" m
        WHERE m."projectId" = ${projectId}::uuid AND m."contactId" = e."contactId" AND m."createdAt" <= e."createdAt"
          AND m."sourceType" IN ('CAMPAIGN', 'WORKFLOW') AND NOT m."toOther"
          AND ${touch} <= e."createdAt" AND ${touch} >= e."createdAt" - ${window}
        ORDER BY ${touch} DESC, m."id" DESC LIMIT 1) t ON true
      ON CONFLICT ("goalId", "eventId") DO NOTHING
      RETURNING *
    ), "told" AS (${insertReports(
      'goal.converted',
      Prisma.sql`SELECT c."projectId", c."contactId", jsonb_build_object('goalId', c."goalId", 'goalName', ${goal.name}::text, 'conversionId', c."id",
        'value', c."value", 'currency', CASE WHEN c."value" IS NOT NULL THEN ${goal.valueCurrency}::text END, 'emailId', c."emailId",
        'campaignId', c."campaignId", 'workflowId', c."workflowId") AS "data" FROM "converted" c`,
    )})
    SELECT "goalId"::text AS "goalId", "eventId"::text AS "eventId", "contactId"::text AS "contactId", "at", "value",
      ${goal.windowDays}::int AS "windowDays" FROM "converted"`;
};
