import { constant, type Db, Prisma } from '../../base/db/index.ts';
import type { ConsentBasis, ContactStatus } from './consent.rules.ts';

const unlessSubscribed = `CASE WHEN c."snoozedUntil" IS NOT NULL THEN 'snoozed' WHEN c."pendingUntil" IS NOT NULL THEN 'pending'
  WHEN c."stated" THEN 'unsubscribed' ELSE 'never' END`;

/** The status of a contact `c` that is not subscribed, by the columns that the index of such contacts has. */
export const statusUnlessSubscribed: Prisma.Sql = constant(unlessSubscribed);

/** The status of a contact `c`, as `statusOf` has it. */
export const contactStatus: Prisma.Sql = constant(
  `CASE WHEN c."subscribed" THEN 'subscribed' ELSE ${unlessSubscribed} END`,
);

const conditions: Record<ContactStatus, Prisma.Sql> = {
  subscribed: Prisma.sql`"subscribed"`,
  snoozed: Prisma.sql`(NOT "subscribed" AND "snoozedUntil" IS NOT NULL)`,
  pending: Prisma.sql`(NOT "subscribed" AND "snoozedUntil" IS NULL AND "pendingUntil" IS NOT NULL)`,
  never: Prisma.sql`(NOT "subscribed" AND "snoozedUntil" IS NULL AND "pendingUntil" IS NULL AND NOT "stated")`,
  unsubscribed: Prisma.sql`(NOT "subscribed" AND "snoozedUntil" IS NULL AND "pendingUntil" IS NULL AND "stated")`,
};

/** What the subscription of a contact `c` rests on, and since when; NULL while it is not subscribed. */
export const stated = {
  // As `basis_of` says it; contacts from before there was a log have no basis in their row.
  basis: constant(`(CASE WHEN c."subscribed" THEN coalesce(c."consentBasis"::text, 'unknown') END)`),
  at: constant(`(CASE WHEN c."subscribed" THEN c."consentedAt" END)`),
};

/** What filters and conditions ask of the consent of a contact. */
export interface ContactConsent {
  status: ContactStatus;
  /** of its subscription, and since when; null while it is not subscribed */
  consentBasis: ConsentBasis | null;
  consentedAt: Date | null;
}

/** The columns of `ContactConsent`. */
export const contactConsent: Prisma.Sql = Prisma.sql`${contactStatus} AS "status", ${stated.basis} AS "consentBasis", ${stated.at} AS "consentedAt"`;

/** The same as a condition on columns of contacts, in the form that the index of those who are not subscribed answers. */
export const withStatus = (status: ContactStatus): Prisma.Sql => conditions[status];

/** The status of the contact with an address, in its normal form; null without one. */
export async function findStatus(db: Db, projectId: string, email: string): Promise<ContactStatus | null> {
  const [row] = await db.$queryRaw<{ status: ContactStatus }[]>`
    SELECT ${contactStatus} AS "status" FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."email" = ${email}`;
  return row?.status ?? null;
}
