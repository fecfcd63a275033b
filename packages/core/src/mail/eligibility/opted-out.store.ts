import { Prisma } from '../../base/db/index.ts';

/**
 * SQL for whether an address is a contact that gets no email but transactional: one that is snoozed, or of which somebody said that it is not
 * subscribed. A subscription request that is open does not undo that.
 */
export const hasOptedOut = ({
  project,
  address,
}: {
  project: Prisma.Sql;
  address: Prisma.Sql;
}): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT FROM "Contact" o WHERE o."projectId" = ${project} AND o."email" = ${address} AND NOT o."subscribed"
    AND (o."snoozedUntil" IS NOT NULL OR o."stated"))`;
