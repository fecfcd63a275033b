import { Prisma } from '../../base/db/index.ts';

/**
 * The end of an INSERT into Suppression: the first entry of an address is kept, but one that ends is replaced by one that does not. The reason
 * and the email are then those of the stricter one.
 */
export const onlyStricter = Prisma.sql`ON CONFLICT ("projectId", "email") DO UPDATE SET "expiresAt" = NULL, "reason" = excluded."reason", "emailId" = excluded."emailId"
  WHERE "Suppression"."expiresAt" IS NOT NULL AND excluded."expiresAt" IS NULL`;
