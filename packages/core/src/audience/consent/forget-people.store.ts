import type { Db } from '../../base/db/index.ts';
import type { Secrets } from '../../base/kernel/index.ts';

/** A contact that is being deleted. */
export interface LeavingPerson {
  id: string;
  email: string;
}

export interface Forgotten {
  /** acts that were reduced */
  acts: number;
  /** subscription requests that were removed */
  requests: number;
}

/**
 * Reduces what is recorded about the consent of contacts to what outlives them (behaviour B12.9): of their acts the keyed hash of the address,
 * what was said, by which way, and when; of the contacts that they are erased, so that the links in their email can still be used to leave. Open
 * subscription requests end. In the transaction that deletes the contacts, whose rows are locked.
 */
export async function forgetConsent(
  db: Db,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  people: readonly LeavingPerson[],
): Promise<Forgotten> {
  if (people.length === 0) return { acts: 0, requests: 0 };
  const ids = people.map(({ id }) => id);
  const hashes = people.map(({ email }) => secrets.addressHash(projectId, email).toString('hex'));
  // Links in email from before two contacts became one have the id of the one that is gone.
  await db.$executeRaw`
    WITH "leaving" AS (
      SELECT u."id", decode(u."hash", 'hex') AS "hash" FROM unnest(${ids}::uuid[], ${hashes}::text[]) AS u("id", "hash")
    ), "former" AS (
      DELETE FROM "MergedContact" m USING "leaving" l WHERE m."projectId" = ${projectId}::uuid AND m."contactId" = l."id"
      RETURNING m."id", l."hash"
    )
    INSERT INTO "ErasedContact" ("contactId", "projectId", "addressHash")
    SELECT "id", ${projectId}::uuid, "hash" FROM "leaving" UNION ALL SELECT "id", ${projectId}::uuid, "hash" FROM "former"
    ON CONFLICT ("contactId") DO NOTHING`;
  const acts = await db.$executeRaw`
    UPDATE "ConsentAct" a SET "contactId" = NULL, "addressHash" = decode(u."hash", 'hex'), "refusal" = NULL, "actorId" = NULL, "keyName" = NULL,
      "liftsOptOut" = false, "optOutBy" = NULL, "topicDefaults" = NULL, "until" = NULL, "before" = NULL, "formId" = NULL, "formVersion" = NULL,
      "emailId" = NULL, "jobId" = NULL, "executionId" = NULL, "requestId" = NULL, "eventId" = NULL, "page" = NULL, "ip" = NULL,
      "userAgent" = NULL, "evidence" = NULL
    FROM unnest(${ids}::uuid[], ${hashes}::text[]) AS u("id", "hash")
    WHERE a."contactId" = u."id" AND a."projectId" = ${projectId}::uuid`;
  const requests = await db.$executeRaw`
    DELETE FROM "SubscriptionRequest" WHERE "contactId" = ANY(${ids}::uuid[]) AND "projectId" = ${projectId}::uuid`;
  return { acts, requests };
}
