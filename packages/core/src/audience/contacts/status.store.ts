import { constant, type Db, type Prisma } from '../../base/db/index.ts';

/** The statuses of contacts that are not subscribed (behaviour B12.1): disjoint, and together all of them. */
export const notSubscribedStatuses = ['unsubscribed', 'never', 'pending', 'snoozed'] as const;
export type NotSubscribedStatus = (typeof notSubscribedStatuses)[number];

const unlessSubscribed = (alias: string): string =>
  `CASE WHEN ${alias}."snoozedUntil" IS NOT NULL THEN 'snoozed' WHEN ${alias}."pendingUntil" IS NOT NULL THEN 'pending'
    WHEN NOT ${alias}."stated" THEN 'never' ELSE 'unsubscribed' END`;

/** SQL: the status of a contact that is not subscribed, by the columns that the index of such contacts has. @param alias of its row */
export const statusUnlessSubscribed = (alias: string): Prisma.Sql => constant(unlessSubscribed(alias));

/** SQL: the status of a contact. @param alias of its row */
export const statusOf = (alias: string): Prisma.Sql =>
  constant(`CASE WHEN ${alias}."subscribed" THEN 'subscribed' ELSE ${unlessSubscribed(alias)} END`);

/** The status of the contact with an address, in its normal form; null for no contact. */
export async function findStatus(db: Db, projectId: string, email: string): Promise<string | null> {
  const [row] = await db.$queryRaw<{ status: string }[]>`
    SELECT ${statusOf('c')} AS "status" FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."email" = ${email}`;
  return row?.status ?? null;
}
