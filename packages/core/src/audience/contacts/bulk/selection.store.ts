import { type Db, Prisma } from '../../../base/db/index.ts';
import { matchesFilter } from '../contacts.store.ts';
import type { Selection, WalkPosition } from './selection.rules.ts';

/** The beginning of the transaction, by the clock that contacts and events have their times from. */
export async function presentMoment(db: Db): Promise<string> {
  const [row] = await db.$queryRaw<{ at: string }[]>`SELECT now()::text AS "at"`;
  if (!row) throw new Error('the moment gave no row');
  return row.at;
}

interface ListedPart {
  jobId: string;
  projectId: string;
  selection: Selection;
  /** the last contact of the part before; null for the first part */
  after: WalkPosition | null;
  /** contacts to walk over, whether they are selected or not */
  limit: number;
}

/**
 * Adds those of the next contacts that are selected to the list of a job. Contacts that were deleted since the moment of the request are
 * left out. An address or name that has changed since counts as it is now, because the earlier one is not stored.
 *
 * @returns how many were added, and the last contact of the part; null after the last part
 */
export async function listPart(
  db: Db,
  { jobId, projectId, selection, after, limit }: ListedPart,
): Promise<{ added: number; next: WalkPosition | null }> {
  const { at, search, text, subscribed, excludeIds } = selection;
  const matches = [matchesFilter({ projectId, search, text })];
  if (subscribed !== undefined)
    matches.push(Prisma.sql`${wasSubscribed(projectId, at)} = ${subscribed}::boolean`);
  const beyond = after
    ? Prisma.sql`AND (c."createdAt", c."id") > (${after.createdAt}::timestamptz, ${after.id}::uuid)`
    : Prisma.empty;
  const [row] = await db.$queryRaw<
    { added: number; seen: number; createdAt: Date | null; id: string | null }[]
  >`
    WITH "part" AS MATERIALIZED (
      SELECT c."id", c."createdAt", ${Prisma.join(matches, ' AND ')} AS "matches" FROM "Contact" c
      WHERE c."projectId" = ${projectId}::uuid AND c."createdAt" <= ${at}::timestamptz(3) ${beyond}
      ORDER BY c."createdAt", c."id" LIMIT ${limit}::int
    ), "added" AS (
      INSERT INTO "JobContact" ("jobId", "contactId")
      SELECT ${jobId}::uuid, p."id" FROM "part" p
      WHERE p."matches" AND NOT EXISTS (SELECT FROM unnest(${excludeIds}::uuid[]) AS x(id) WHERE x.id = p."id")
      ON CONFLICT DO NOTHING RETURNING "contactId"
    )
    SELECT (SELECT count(*)::int FROM "added") AS "added", (SELECT count(*)::int FROM "part") AS "seen", l."createdAt", l."id"
    FROM (SELECT) one LEFT JOIN (SELECT "createdAt", "id" FROM "part" ORDER BY "createdAt" DESC, "id" DESC LIMIT 1) l ON true`;
  if (!row) throw new Error('listing contacts gave no row');
  const { added, seen, createdAt, id } = row;
  const isLast = seen < limit || createdAt === null || id === null;
  return { added, next: isLast ? null : { createdAt: createdAt.toISOString(), id } };
}

/** `subscribed` of `"Contact" c` at a moment: the first change since says what it was before. */
const wasSubscribed = (projectId: string, at: string): Prisma.Sql => Prisma.sql`
  CASE WHEN c."subscriptionChangedAt" > ${at}::timestamptz THEN coalesce((
    SELECT e."name" = 'contact.unsubscribed' FROM "Event" e
    WHERE e."projectId" IS NOT DISTINCT FROM ${projectId}::uuid AND e."contactId" = c."id" AND e."name" IN ('contact.subscribed', 'contact.unsubscribed')
      AND e."createdAt" >= ${at}::timestamptz(3)
    ORDER BY e."createdAt", e."id" LIMIT 1), c."subscribed") ELSE c."subscribed" END`;
