import type { SqlDb } from '../../base/db/index.ts';
import { formerSpellings, type Secrets } from '../../base/kernel/index.ts';
import { byRecipient, survives } from './subscriptions.store.ts';
import { firstEntryStays } from './suppressions/suppressions.store.ts';

/**
 * Before an address is used: what is known about it under a spelling that an earlier version stored holds for its normal form, too. An opt-out
 * of a deleted contact, which is only a hash, can be found when the address is named, and moves to the hash of its normal form; so does
 * a suppression. A contact that is not subscribed and has not got the normal form yet counts as an opt-out. Costs nothing for addresses that are ASCII.
 */
export async function recallFormerSpellings(
  db: SqlDb,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  addresses: readonly string[],
): Promise<void> {
  const former = addresses.flatMap((address) =>
    formerSpellings(address).map((spelling) => ({ address, spelling })),
  );
  if (former.length === 0) return;
  const hashOf = (address: string): string => secrets.addressHash(projectId, address).toString('hex');
  await db.$executeRaw`
    WITH former AS MATERIALIZED (
      SELECT f."address", f."spelling", decode(f."hash", 'hex') AS "hash", decode(f."formerHash", 'hex') AS "formerHash"
      FROM unnest(${former.map(({ address }) => address)}::text[], ${former.map(({ spelling }) => spelling)}::text[],
        ${former.map(({ address }) => hashOf(address))}::text[], ${former.map(({ spelling }) => hashOf(spelling))}::text[])
        AS f("address", "spelling", "hash", "formerHash")
    ), "movedOptOut" AS (
      DELETE FROM "OptOut" o USING former f WHERE o."projectId" = ${projectId}::uuid AND o."addressHash" = f."formerHash"
      RETURNING f."hash", o."byRecipient"
    ), "keptOptOut" AS (
      INSERT INTO "OptOut" AS o ("projectId", "addressHash", "byRecipient")
      SELECT ${projectId}::uuid, x."hash", bool_or(x."byRecipient") FROM (
        SELECT "hash", "byRecipient" FROM "movedOptOut"
        UNION ALL SELECT f."hash", ${byRecipient} FROM former f
          JOIN "Contact" c ON c."projectId" = ${projectId}::uuid AND c."email" = f."spelling" AND ${survives}
          WHERE NOT EXISTS (SELECT FROM "Contact" p WHERE p."projectId" = ${projectId}::uuid AND p."email" = f."address")
      ) x GROUP BY x."hash" ORDER BY x."hash"
      ON CONFLICT ("projectId", "addressHash") DO UPDATE SET "byRecipient" = true WHERE excluded."byRecipient" AND NOT o."byRecipient"
    ), "movedSuppression" AS (
      DELETE FROM "Suppression" s USING former f WHERE s."projectId" = ${projectId}::uuid AND s."email" = f."spelling"
      RETURNING f."address", s."reason", s."emailId", s."createdAt", s."expiresAt"
    )
    INSERT INTO "Suppression" AS s ("projectId", "email", "reason", "emailId", "createdAt", "expiresAt")
    SELECT DISTINCT ON ("address") ${projectId}::uuid, "address", "reason", "emailId", "createdAt", "expiresAt" FROM "movedSuppression"
    ORDER BY "address", "expiresAt" DESC NULLS FIRST, "createdAt"
    ${firstEntryStays}`;
}
