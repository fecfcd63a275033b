import type { WhereCondition } from '../../../audience/segments/filters.rules.ts';
import { eventWhereSql } from '../../../audience/segments/index.ts';
import { ofProject, Prisma, type SqlDb } from '../../../base/db/index.ts';
import type { ValueClock } from '../../../base/lib/index.ts';
import { type CountedGoal, goalValue } from '../../goals/index.ts';

/** An event that a definition looks for in all of its executions. */
export interface EndRule {
  name: string;
  eventName: string;
  where: readonly WhereCondition[];
  /** null for an exit rule */
  goal: CountedGoal | null;
  effect: 'MEASURE' | 'EXIT' | 'JUMP';
  /** where a JUMP goes on */
  toStepId: string | null;
}

/** Since when each rule counts events of an execution, in their order; null: not at all. */
export interface EndSearch {
  contactId: string;
  since: readonly (Date | null)[];
  /** the event that started it */
  notThis: string | null;
  /** later ones do not count */
  until?: Date | null;
}

/** The first event that meets a rule. */
export interface FoundEnd {
  rule: EndRule;
  eventId: string;
  at: Date;
  value: number | null;
}

/** What each search finds, at most one event for each rule. One statement for all. */
export async function findEnds(
  db: SqlDb,
  projectId: string,
  rules: readonly EndRule[],
  searches: readonly EndSearch[],
  clock: ValueClock,
): Promise<FoundEnd[][]> {
  const found: FoundEnd[][] = searches.map(() => []);
  if (rules.length === 0 || searches.length === 0) return found;
  const input = searches.map((search, n) => ({ n, ...search }));
  const parts = rules.map((rule, index) => {
    const { joins, conditions: holds } = eventWhereSql(rule.where, clock);
    const value = rule.goal ? goalValue(rule.goal) : Prisma.sql`NULL::float8`;
    return Prisma.sql`(SELECT ${index}::int AS "rule", e."id"::text AS "id", e."createdAt", ${value} AS "value" FROM "Event" e${joins}
      WHERE e."contactId" = r."contactId" AND e."name" = ${rule.eventName} AND e."createdAt" >= (r."since" ->> ${index}::int)::timestamptz
        AND e."createdAt" <= coalesce(r."until", 'infinity'::timestamptz) AND e."id" IS DISTINCT FROM r."notThis" AND e."kind" <> 'ACTIVITY' AND ${ofProject('e."projectId"', projectId)}${holds}
      ORDER BY e."createdAt", e."id" LIMIT 1)`;
  });
  const rows = await db.$queryRaw<
    { n: number; rule: number; id: string; createdAt: Date; value: number | null }[]
  >`
    SELECT r."n", f."rule", f."id", f."createdAt", f."value"
    FROM jsonb_to_recordset(${JSON.stringify(input)}::jsonb) AS r("n" int, "contactId" uuid, "since" jsonb, "notThis" uuid, "until" timestamptz)
    CROSS JOIN LATERAL (${Prisma.join(parts, ' UNION ALL ')}) f`;
  for (const { n, rule: index, id: eventId, createdAt: at, value } of rows) {
    const rule = rules[index];
    if (rule) found[n]?.push({ rule, eventId, at, value });
  }
  return found;
}
