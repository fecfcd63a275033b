import { ofProject, type SqlDb } from '../../../base/db/index.ts';
import type { Anchor } from './member.ts';

/** The events of a contact that a wait accepts. */
export interface EventSearch {
  contactId: string;
  names: readonly string[];
  since: Anchor;
  /** later ones do not count */
  until: Date | null;
}

export interface FoundEvent {
  id: string;
  name: string;
  data: Record<string, unknown>;
  createdAt: Date;
}

/** The first event that each search finds, by its time; null for none. */
export async function findEvents(
  db: SqlDb,
  projectId: string,
  searches: readonly EventSearch[],
): Promise<(FoundEvent | null)[]> {
  const input = searches.map(({ since, ...search }, n) => ({
    n,
    ...search,
    since: since.at,
    notThis: since.eventId,
  }));
  const rows = await db.$queryRaw<(FoundEvent & { n: number })[]>`
    SELECT r."n", e."id", e."name", CASE WHEN jsonb_typeof(e."data") = 'object' THEN e."data" ELSE '{}' END AS "data", e."createdAt"
    FROM jsonb_to_recordset(${JSON.stringify(input)}::jsonb)
      AS r("n" int, "contactId" uuid, "names" jsonb, "since" timestamptz, "notThis" uuid, "until" timestamptz)
    CROSS JOIN LATERAL (
      SELECT first.* FROM jsonb_array_elements_text(r."names") AS k("name") CROSS JOIN LATERAL (
        SELECT e."id", e."name", e."data", e."createdAt" FROM "Event" e
        WHERE e."contactId" = r."contactId" AND e."name" = k."name" AND e."createdAt" >= r."since"
          AND e."createdAt" <= coalesce(r."until", 'infinity'::timestamptz)
          AND e."id" IS DISTINCT FROM r."notThis" AND e."kind" <> 'ACTIVITY' AND ${ofProject('e."projectId"', projectId)}
        ORDER BY e."createdAt", e."id" LIMIT 1) first
      ORDER BY first."createdAt", first."id" LIMIT 1) e`;
  const found = new Map(rows.map(({ n, ...event }) => [n, event]));
  return searches.map((_, n) => found.get(n) ?? null);
}
