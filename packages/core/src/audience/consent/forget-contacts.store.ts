import { type Db, ofProject } from '../../base/db/index.ts';
import type { Secrets } from '../../base/kernel/index.ts';

/** A contact that is deleted. */
export interface Forgotten {
  id: string;
  email: string;
}

export interface ForgottenRows {
  /** acts that were reduced */
  acts: number;
  subscriptionRequests: number;
  formSubmissions: number;
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
): Promise<ForgottenRows> {
  if (contacts.length === 0) return { acts: 0, subscriptionRequests: 0, formSubmissions: 0 };
  const emails = contacts.map(({ email }) => email);
  // Contacts that became part of them had the same address; links in their email have their ids.
  const former = await db.$queryRaw<{ id: string; contactId: string }[]>`
    SELECT "id", "contactId" FROM "MergedContact"
    WHERE "contactId" = ANY(${contacts.map(({ id }) => id)}::uuid[]) AND ${ofProject('"projectId"', projectId)}`;
  const emailOf = new Map(contacts.map(({ id, email }) => [id, email]));
  const gone = [
    ...contacts,
    ...former.map(({ id, contactId }) => ({ id, email: emailOf.get(contactId) ?? '' })),
  ];
  const ids = gone.map(({ id }) => id);
  const hashes = gone.map(({ email }) => secrets.addressHash(projectId, email).toString('hex'));
  await db.$executeRaw`
    INSERT INTO "ErasedContact" ("contactId", "projectId", "addressHash")
    SELECT u."id", ${projectId}::uuid, decode(u."hash", 'hex') FROM unnest(${ids}::uuid[], ${hashes}::text[]) AS u("id", "hash")
    ORDER BY u."id" ON CONFLICT ("contactId") DO NOTHING`;
  const acts = await db.$executeRaw`
    UPDATE "ConsentAct" a SET "contactId" = NULL, "addressHash" = decode(u."hash", 'hex'), "refusal" = NULL, "actorId" = NULL, "keyName" = NULL,
      "topicDefaults" = NULL, "until" = NULL, "before" = NULL, "formId" = NULL, "formVersion" = NULL, "emailId" = NULL, "jobId" = NULL,
      "executionId" = NULL, "requestId" = NULL, "eventId" = NULL, "page" = NULL, "ip" = NULL, "userAgent" = NULL, "evidence" = NULL
    FROM unnest(${ids}::uuid[], ${hashes}::text[]) AS u("id", "hash")
    WHERE a."contactId" = ANY(ARRAY[u."id"]) AND ${ofProject('a."projectId"', projectId)}`;
  const subscriptionRequests = await db.$executeRaw`
    DELETE FROM "SubscriptionRequest" WHERE "contactId" = ANY(${ids}::uuid[]) AND ${ofProject('"projectId"', projectId)}`;
  const formSubmissions = await db.$executeRaw`
    DELETE FROM "FormSubmission" WHERE "projectId" = ${projectId}::uuid AND "email" = ANY(${emails}::text[])`;
  return { acts, subscriptionRequests, formSubmissions };
}
