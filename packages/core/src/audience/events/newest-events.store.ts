import { type Db, ofProject, Prisma } from '../../base/db/index.ts';

export interface NewestEvent {
  id: string;
  name: string;
  data: Record<string, unknown> | null;
  emailId: string | null;
  createdAt: Date;
  /** it waits in the event queue */
  isQueued: boolean;
  /** its place there */
  seq: bigint | null;
}

/**
 * The newest events of a contact with each of these names, at most `limit` of each, newest first. Activity is not among them. Rows are
 * compared as a whole, which only the index of a contact's events can do: equalities would let the planner read all events of a name.
 *
 * @param until only events up to this time
 */
export async function findNewestEvents(
  db: Db,
  { projectId, contactId }: { projectId: string; contactId: string },
  names: readonly string[],
  limit: number,
  until?: Date,
): Promise<NewestEvent[]> {
  const bound = (createdAt: Prisma.Sql): Prisma.Sql =>
    Prisma.sql`(${contactId}::uuid, n."name", ${createdAt})`;
  const last = until ? Prisma.sql`${until}::timestamptz` : Prisma.sql`'infinity'::timestamptz`;
  return db.$queryRaw<NewestEvent[]>`
    SELECT e.*, d."seq", d."seq" IS NOT NULL AS "isQueued" FROM unnest(${[...names]}::text[]) AS n("name") CROSS JOIN LATERAL (
      SELECT "id", "name", "data", "emailId", "createdAt" FROM "Event"
      WHERE ${ofProject('"projectId"', projectId)} AND ("contactId", "name", "createdAt") >= ${bound(Prisma.sql`'-infinity'::timestamptz`)}
        AND ("contactId", "name", "createdAt") <= ${bound(last)} AND "kind" <> 'ACTIVITY'
      ORDER BY "contactId" DESC, "name" DESC, "createdAt" DESC LIMIT ${limit}::int) e
    LEFT JOIN LATERAL (SELECT "seq" FROM "EventDispatch" WHERE "projectId" = ${projectId}::uuid AND "eventId" = e."id" OFFSET 0) d ON true
    ORDER BY e."createdAt" DESC`;
}
