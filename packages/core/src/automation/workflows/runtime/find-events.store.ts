import type { WhereCondition } from '../../../audience/segments/filters.rules.ts';
import { compileForClocks, type EqualProperty, eventWhereSql } from '../../../audience/segments/index.ts';
import { ofProject, Prisma, type SqlDb } from '../../../base/db/index.ts';
import type { ValueClock } from '../../../base/lib/index.ts';
import type { Anchor } from './member.ts';

/** The events of a contact that a wait accepts. */
export interface EventSearch {
  contactId: string;
  names: readonly string[];
  since: Anchor;
  /** later ones do not count */
  until: Date | null;
  /** what properties of the events must be equal to, by the names that `EventConditions` gives these values; a missing one is equal to nothing */
  values?: Readonly<Record<string, unknown>>;
  /** a clock of its own for conditions, in place of theirs */
  at?: Date;
}

/** What the events of searches must meet, by their names. */
export interface EventConditions {
  events: readonly { eventName: string; where: readonly (WhereCondition | EqualValue)[] }[];
  clock: ValueClock;
}

/** A property that must be equal to a value of each search. */
export interface EqualValue {
  property: string;
  equalToValue: string;
}

export interface FoundEvent {
  id: string;
  name: string;
  data: Record<string, unknown>;
  createdAt: Date;
}

/**
 * The first event that each search finds, by its time; null for none. One statement for all.
 *
 * @param conditions absent where any event of the names is accepted
 */
export async function findEvents(
  db: SqlDb,
  projectId: string,
  searches: readonly EventSearch[],
  conditions?: EventConditions,
): Promise<(FoundEvent | null)[]> {
  const accepted = Prisma.sql`e."contactId" = r."contactId" AND e."createdAt" >= r."since"
    AND e."createdAt" <= coalesce(r."until", 'infinity'::timestamptz)
    AND e."id" IS DISTINCT FROM r."notThis" AND e."kind" <> 'ACTIVITY' AND ${ofProject('e."projectId"', projectId)}`;
  const columns = Prisma.sql`e."id", e."name", e."data", e."createdAt"`;
  const anyOfNames = Prisma.sql`SELECT first.* FROM jsonb_array_elements_text(r."names") AS k("name") CROSS JOIN LATERAL (
        SELECT ${columns} FROM "Event" e WHERE e."name" = k."name" AND ${accepted} ORDER BY e."createdAt", e."id" LIMIT 1) first`;
  const found: (FoundEvent | null)[] = searches.map(() => null);
  const asked = searches.map((search, n) => ({ search, n }));
  const parts = conditions
    ? await compileForClocks(
        asked,
        ({ search: { at = conditions.clock.now } }) => at,
        { timeZone: conditions.clock.timeZone, column: Prisma.sql`r."clock"` },
        (clock) =>
          conditions.events.map(({ eventName, where }) => {
            const { joins, conditions: met } = eventWhereSql(where.map(inStatement), clock);
            return Prisma.sql`(SELECT ${columns} FROM "Event" e${joins} WHERE e."name" = ${eventName} AND ${accepted}${met} ORDER BY e."createdAt", e."id" LIMIT 1)`;
          }),
      )
    : [{ rows: asked.map((row) => ({ row, clock: [] })), compiled: [anyOfNames] }];
  for (const { rows: those, compiled } of parts) {
    const input = those.map(({ row: { search, n }, clock }) => {
      const { since, values = {}, at: _, ...rest } = search;
      return {
        n,
        ...rest,
        since: since.at,
        notThis: since.eventId,
        values,
        ...(clock.length > 0 && { clock }),
      };
    });
    const rows = await db.$queryRaw<(FoundEvent & { n: number })[]>`
      SELECT r."n", e."id", e."name", CASE WHEN jsonb_typeof(e."data") = 'object' THEN e."data" ELSE '{}' END AS "data", e."createdAt"
      FROM jsonb_to_recordset(${JSON.stringify(input)}::jsonb)
        AS r("n" int, "contactId" uuid, "names" jsonb, "since" timestamptz, "notThis" uuid, "until" timestamptz, "values" jsonb, "clock" jsonb)
      CROSS JOIN LATERAL (SELECT * FROM (${Prisma.join(compiled, ' UNION ALL ')}) c ORDER BY c."createdAt", c."id" LIMIT 1) e`;
    for (const { n, ...event } of rows) found[n] = event;
  }
  return found;
}

const inStatement = (condition: WhereCondition | EqualValue): WhereCondition | EqualProperty =>
  'equalToValue' in condition
    ? { property: condition.property, equalTo: Prisma.sql`r."values" -> ${condition.equalToValue}::text` }
    : condition;

/** An event that is stored nowhere, as one that a simulation makes happen. */
export interface AskedEvent {
  name: string;
  data: Record<string, unknown>;
  /** of the search */
  values?: EventSearch['values'];
  /** a clock of its own for conditions, in place of theirs */
  at?: Date;
}

/** Which of these events meet the conditions of their names. One statement for all. */
export async function meetConditions(
  db: SqlDb,
  events: readonly AskedEvent[],
  { events: asked, clock: ofAll }: EventConditions,
): Promise<boolean[]> {
  const met = new Set<number>();
  const parts = await compileForClocks(
    events.map((event, n) => ({ event, n })),
    ({ event: { at = ofAll.now } }) => at,
    { timeZone: ofAll.timeZone, column: Prisma.sql`r."clock"` },
    (clock) =>
      asked.map(({ eventName, where }) => {
        const { joins, conditions } = eventWhereSql(where.map(inStatement), clock);
        return Prisma.sql`SELECT r."n" FROM "asked" r CROSS JOIN LATERAL (SELECT r."name", r."data") e${joins} WHERE e."name" = ${eventName}${conditions}`;
      }),
  );
  for (const { rows: those, compiled } of parts) {
    const input = those.map(({ row: { event, n }, clock }) => {
      const { name, data, values = {} } = event;
      return { n, name, data, values, clock };
    });
    const rows = await db.$queryRaw<{ n: number }[]>`
      WITH "asked" AS MATERIALIZED (
        SELECT * FROM jsonb_to_recordset(${JSON.stringify(input)}::jsonb)
          AS r("n" int, "name" text, "data" jsonb, "values" jsonb, "clock" jsonb))
      ${Prisma.join(compiled, ' UNION ')}`;
    for (const { n } of rows) met.add(n);
  }
  return events.map((_, n) => met.has(n));
}
