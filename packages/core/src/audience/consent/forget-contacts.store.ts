import { type Db, ofProject, Prisma } from '../../base/db/index.ts';
import type { Secrets } from '../../base/kernel/index.ts';
import { hashedAddress } from './write-consent.store.ts';

/** A contact that is deleted. */
export interface Forgotten {
  id: string;
  email: string;
}

/**
 * What remains of the consent of contacts that are deleted in the caller's transaction (behaviour B12.9): their acts without anything that tells of a
 * person, found by the keyed hash of the address; nothing of their subscription requests and submissions; and what lets links in their email still be used to leave.
 */
export async function forgetContacts(
  db: Db,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  contacts: readonly Forgotten[],
): Promise<void> {
  if (contacts.length === 0) return;
  const ids = contacts.map(({ id }) => id);
  const gone = Prisma.sql`
    "gone" AS MATERIALIZED (
      SELECT u."id", decode(u."hash", 'hex') AS "hash" FROM unnest(${ids}::uuid[], ${contacts.map(({ email }) => hashedAddress(secrets, projectId, email))}::text[]) AS u("id", "hash")
      UNION ALL
      -- Contacts that became part of them had the same address.
      SELECT m."id", decode(u."hash", 'hex') FROM unnest(${ids}::uuid[], ${contacts.map(({ email }) => hashedAddress(secrets, projectId, email))}::text[]) AS u("id", "hash")
      JOIN "MergedContact" m ON m."projectId" = ${projectId}::uuid AND m."contactId" = u."id"
    )`;
  await db.$executeRaw`
    WITH ${gone}
    INSERT INTO "ErasedContact" ("contactId", "projectId", "addressHash")
    SELECT "id", ${projectId}::uuid, "hash" FROM "gone" ORDER BY "id" ON CONFLICT ("contactId") DO NOTHING`;
  await db.$executeRaw`
    WITH ${gone}
    UPDATE "ConsentAct" a SET "contactId" = NULL, "addressHash" = g."hash", "refusal" = NULL, "actorId" = NULL, "keyName" = NULL, "topicDefaults" = NULL,
      "until" = NULL, "before" = NULL, "formId" = NULL, "formVersion" = NULL, "emailId" = NULL, "jobId" = NULL, "executionId" = NULL, "requestId" = NULL,
      "eventId" = NULL, "page" = NULL, "ip" = NULL, "userAgent" = NULL, "evidence" = NULL
    FROM "gone" g WHERE a."contactId" = ANY(ARRAY[g."id"]) AND ${ofProject('a."projectId"', projectId)}`;
  await db.$executeRaw`
    DELETE FROM "SubscriptionRequest" WHERE "contactId" = ANY(${ids}::uuid[]) AND ${ofProject('"projectId"', projectId)}`;
  await db.$executeRaw`
    DELETE FROM "FormSubmission" WHERE "projectId" = ${projectId}::uuid AND "email" = ANY(${contacts.map(({ email }) => email)}::text[])`;
}
