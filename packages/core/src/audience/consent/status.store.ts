import { constant, Prisma } from '../../base/db/index.ts';
import type { ContactStatus } from './consent.rules.ts';

/** The status of a contact `c`, as `statusOf` has it. */
export const contactStatus: Prisma.Sql =
  constant(`CASE WHEN c."subscribed" THEN 'subscribed' WHEN c."snoozedUntil" IS NOT NULL THEN 'snoozed'
  WHEN c."pendingUntil" IS NOT NULL THEN 'pending' WHEN c."stated" THEN 'unsubscribed' ELSE 'never' END`);

const conditions: Record<ContactStatus, Prisma.Sql> = {
  subscribed: Prisma.sql`"subscribed"`,
  snoozed: Prisma.sql`(NOT "subscribed" AND "snoozedUntil" IS NOT NULL)`,
  pending: Prisma.sql`(NOT "subscribed" AND "snoozedUntil" IS NULL AND "pendingUntil" IS NOT NULL)`,
  never: Prisma.sql`(NOT "subscribed" AND "snoozedUntil" IS NULL AND "pendingUntil" IS NULL AND NOT "stated")`,
  unsubscribed: Prisma.sql`(NOT "subscribed" AND "snoozedUntil" IS NULL AND "pendingUntil" IS NULL AND "stated")`,
};

/** The same as a condition on columns of contacts, in the form that the index of those who are not subscribed answers. */
export const withStatus = (status: ContactStatus): Prisma.Sql => conditions[status];
