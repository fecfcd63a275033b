import { type Db, Prisma } from '../../base/db/index.ts';
import { sha256 } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';

export interface WaitingPlatformEmail {
  projectId: string;
  to: string;
  priority: number;
  content: {
    id: string;
    subject: string;
    sealedBody: string;
    from: string;
    fromName: string | null;
    projectName: string;
    language: string;
  };
}

/** One email without a contact, with a content of its own and its delivery batch. */
export async function insertWaitingEmail(db: Db, mail: WaitingPlatformEmail): Promise<void> {
  const { projectId, to, priority, content } = mail;
  const [id, batchId] = [newId(), newId()];
  const kind = { type: 'TRANSACTIONAL', sourceType: 'SYSTEM' } as const;
  // Its hash is that of its id: a hash of the text would tell when two people get the same one.
  const hash = Uint8Array.from(sha256(content.id));
  await db.content.create({ data: { ...content, ...kind, projectId, hash, literal: true } });
  await db.deliveryBatch.create({ data: { id: batchId, projectId, priority, emailIds: [id] } });
  await db.email.create({ data: { ...kind, id, projectId, to, contentId: content.id, batchId } });
}

/**
 * Clears the bodies of emails of one project that were settled before `before`; one that is still to be sent keeps its body.
 *
 * @returns how many were cleared
 */
export const clearBodiesOf = (db: Db, projectId: string, before: Date, limit: number): Promise<number> =>
  db.$executeRaw(Prisma.sql`
    UPDATE "Content" SET "body" = NULL, "sealedBody" = NULL WHERE "id" IN (
      SELECT c."id" FROM "Content" c JOIN "Email" e ON e."contentId" = c."id"
      WHERE c."projectId" = ${projectId}::uuid AND c."sourceType" = 'SYSTEM' AND (c."body" IS NOT NULL OR c."sealedBody" IS NOT NULL)
        AND c."createdAt" < ${before} AND e."batchId" IS NULL AND e."updatedAt" < ${before}
      ORDER BY c."createdAt", c."id" LIMIT ${limit}::int)`);

/** Removes settled emails of one project that were created before `before`, with their contents. @returns how many emails */
export async function removeEmailsOf(
  db: Db,
  projectId: string,
  before: Date,
  limit: number,
): Promise<number> {
  const [row] = await db.$queryRaw<{ removed: number }[]>(Prisma.sql`
    WITH gone AS (
      DELETE FROM "Email" WHERE "id" IN (
        SELECT "id" FROM "Email" WHERE "projectId" = ${projectId}::uuid AND "createdAt" < ${before} AND "batchId" IS NULL
        ORDER BY "createdAt", "id" LIMIT ${limit}::int)
      RETURNING "id", "contentId"
    ), interactions AS (
      DELETE FROM "Interaction" WHERE "emailId" IN (SELECT "id" FROM gone)
    ), contents AS (
      DELETE FROM "Content" WHERE "id" IN (SELECT "contentId" FROM gone)
    )
    SELECT count(*)::int AS "removed" FROM gone`);
  return row?.removed ?? 0;
}

/**
 * Removes the emails of one project to an address that are no contact's, with their contents and places in the queue. A message whose
 * transfer has begun is delivered; nothing remains of it here either.
 *
 * @returns how many emails
 */
export async function removeEmailsTo(db: Db, projectId: string, to: string): Promise<number> {
  // In the order in which delivery processes lock them.
  const emails = await db.$queryRaw<{ id: string; contentId: string; batchId: string | null }[]>`
    SELECT "id", "contentId", "batchId" FROM "Email"
    WHERE "projectId" = ${projectId}::uuid AND "contactId" IS NULL AND "to" = ${to} ORDER BY "id" FOR UPDATE`;
  const ids = emails.map(({ id }) => id);
  // A batch of retries can hold the emails of others, too: its claim passes over those that are missing.
  await db.$executeRaw`
    DELETE FROM "DeliveryBatch" WHERE "id" IN (
      SELECT "id" FROM "DeliveryBatch" WHERE "id" = ANY(${emails.flatMap(({ batchId }) => batchId ?? [])}::uuid[])
        AND "token" IS NULL AND "emailIds" <@ ${ids}::uuid[] ORDER BY "id" FOR UPDATE SKIP LOCKED)`;
  await db.$executeRaw`DELETE FROM "Interaction" WHERE "emailId" = ANY(${ids}::uuid[])`;
  await db.$executeRaw`DELETE FROM "Email" WHERE "id" = ANY(${ids}::uuid[])`;
  await db.$executeRaw`DELETE FROM "Content" WHERE "id" = ANY(${emails.map(({ contentId }) => contentId)}::uuid[])`;
  return ids.length;
}
