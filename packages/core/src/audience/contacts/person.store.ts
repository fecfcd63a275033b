import { type Db, ofProject, Prisma } from '../../base/db/index.ts';
import type { Secrets } from '../../base/kernel/index.ts';
import type { ContactReference } from './reference.schema.ts';
import { byRecipient } from './subscriptions.store.ts';
import { findSuppression, type SuppressionRow } from './suppressions/suppressions.store.ts';

/** A contact with what is recorded about its subscription. */
export interface Person {
  id: string;
  email: string;
  subscribed: boolean;
  snoozedUntil: Date | null;
  optedOutAt: Date | null;
  subscriptionChangedAt: Date | null;
  /** the recipient, or a bounce, ended the subscription */
  byRecipient: boolean;
  /** numbers of topics */
  topicsOn: number[];
  topicsOff: number[];
  topicDefaults: boolean;
  createdAt: Date;
  updatedAt: Date;
}

const named = (projectId: string, { by, value }: ContactReference): Prisma.Sql => {
  if (by === 'id') return Prisma.sql`c."id" = ${value}::uuid AND ${ofProject('c."projectId"', projectId)}`;
  const column = by === 'email' ? Prisma.sql`c."email"` : Prisma.sql`c."externalId"`;
  return Prisma.sql`c."projectId" = ${projectId}::uuid AND ${column} = ${value}`;
};

/** The contact that is named, by one index; null when there is none. */
export async function findPerson(
  db: Db,
  projectId: string,
  reference: ContactReference,
): Promise<Person | null> {
  const [row] = await db.$queryRaw<Person[]>`
    SELECT c."id", c."email", c."subscribed", c."snoozedUntil", c."optedOutAt", c."subscriptionChangedAt", ${byRecipient} AS "byRecipient",
      c."topicsOn", c."topicsOff", c."topicDefaults", c."createdAt", c."updatedAt"
    FROM "Contact" c WHERE ${named(projectId, reference)}`;
  return row ?? null;
}

/** What is recorded about an address, whether or not a contact has it. */
export interface AddressFacts {
  suppression: SuppressionRow | null;
  /** the opt-out of a contact that was deleted, or had the address before */
  optOut: { byRecipient: boolean; createdAt: Date } | null;
}

export async function readAddressFacts(
  db: Db,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  address: string,
): Promise<AddressFacts> {
  const addressHash = Uint8Array.from(secrets.addressHash(projectId, address));
  const suppression = await findSuppression(db, projectId, address);
  const optOut = await db.optOut.findUnique({
    where: { projectId_addressHash: { projectId, addressHash } },
    select: { byRecipient: true, createdAt: true },
  });
  return { suppression, optOut };
}
