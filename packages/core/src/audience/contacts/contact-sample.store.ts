import { constant, Prisma } from '../../base/db/index.ts';

const anchors = 200;
const perAnchor = 20;

/**
 * A query for up to 4,000 contacts of a project, for estimates, read by two indexes in a few dozen milliseconds however many there are.
 * Contacts that were created at moments spread evenly over time are where it starts, and those with the next addresses are what it
 * returns: the contacts of one large import count as much as their number, and not as little as the hour in which they were created.
 */
export const contactSample = (projectId: string): Prisma.Sql => Prisma.sql`
  WITH "ends" AS MATERIALIZED (
    SELECT (SELECT "createdAt" FROM "Contact" WHERE "projectId" = ${projectId}::uuid ORDER BY "createdAt", "id" LIMIT 1) AS "first",
      (SELECT "createdAt" FROM "Contact" WHERE "projectId" = ${projectId}::uuid ORDER BY "createdAt" DESC, "id" DESC LIMIT 1) AS "last"
  ), "anchor" AS MATERIALIZED (
    SELECT DISTINCT a."email" FROM "ends" e CROSS JOIN generate_series(0, ${constant(anchors - 1)}) n CROSS JOIN LATERAL (
      SELECT c."email" FROM "Contact" c
      WHERE c."projectId" = ${projectId}::uuid AND c."createdAt" >= e."first" + (e."last" - e."first") * (n::float8 / ${constant(anchors)})
      ORDER BY c."createdAt", c."id" LIMIT 1) a
  )
  SELECT s.* FROM "anchor" a CROSS JOIN LATERAL (
    SELECT c.* FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."email" >= a."email"
    ORDER BY c."email" LIMIT ${constant(perAnchor)}) s`;
