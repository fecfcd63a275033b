import { Prisma } from '../../base/db/index.ts';

/**
 * SQL for whether an address is a contact that gets no email but transactional: snoozed, or no longer subscribed. One that never was
 * subscribed has not opted out.
 */
export const hasOptedOut = ({
  project,
  address,
}: {
  project: Prisma.Sql;
  address: Prisma.Sql;
}): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT FROM "Contact" o WHERE o."projectId" = ${project} AND o."email" = ${address}
    AND (o."snoozedUntil" IS NOT NULL OR NOT o."subscribed" AND coalesce(o."optedOutAt", o."subscriptionChangedAt") IS NOT NULL))`;
