import { forgetContacts } from '../../audience/consent/index.ts';
import { byRecipient, type OptedOut, rememberOptOuts, survives } from '../../audience/contacts/index.ts';
import type { Db } from '../../base/db/index.ts';
import type { Secrets } from '../../base/kernel/index.ts';

interface ContactScope {
  projectId: string;
  before: Date;
}

/**
 * Removes a batch of contacts and keeps the opt-outs among them (behaviour B4.3). A contact that has got an email or event since
 * belongs to what came after the reset and remains; the locks make sure that one sent to at this moment is seen.
 *
 * @returns how many were removed
 */
export async function removeContacts(
  db: Db,
  secrets: Pick<Secrets, 'addressHash'>,
  { projectId, before }: ContactScope,
): Promise<number> {
  const page = await db.$queryRaw<(OptedOut & { id: string; survives: boolean })[]>`
    SELECT c."id", c."email", ${survives} AS "survives", ${byRecipient} AS "byRecipient" FROM "Contact" c WHERE c."id" IN (
      SELECT o."id" FROM "Contact" o WHERE o."projectId" = ${projectId}::uuid AND o."createdAt" <= ${before}
        AND NOT EXISTS (SELECT FROM "Email" e WHERE (e."projectId" = o."projectId") IS TRUE AND e."contactId" = o."id" AND e."createdAt" > ${before})
        AND NOT EXISTS (SELECT FROM "Event" e WHERE (e."projectId" = o."projectId") IS TRUE AND e."contactId" = o."id" AND e."createdAt" > ${before})
      ORDER BY o."createdAt", o."id" LIMIT 1000)
    ORDER BY c."email" FOR UPDATE OF c`;
  // Their creation is no longer counted either.
  await db.$executeRaw`SELECT set_config('postrider.uncounted', 'on', true)`;
  const gone = await db.$queryRaw<{ id: string }[]>`
    DELETE FROM "Contact" c WHERE c."id" = ANY(${page.map(({ id }) => id)}::uuid[])
      AND NOT EXISTS (SELECT FROM "Email" e WHERE (e."projectId" = c."projectId") IS TRUE AND e."contactId" = c."id" AND e."createdAt" > ${before})
      AND NOT EXISTS (SELECT FROM "Event" e WHERE (e."projectId" = c."projectId") IS TRUE AND e."contactId" = c."id" AND e."createdAt" > ${before})
    RETURNING "id"`;
  const ids = new Set(gone.map(({ id }) => id));
  const removed = page.filter(({ id }) => ids.has(id));
  await rememberOptOuts(
    db,
    secrets,
    projectId,
    removed.filter((contact) => contact.survives),
  );
  await forgetContacts(db, secrets, projectId, removed);
  await db.$executeRaw`
    DELETE FROM "TouchedContact" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${[...ids]}::uuid[])`;
  await db.$executeRaw`
    DELETE FROM "ContactLimit" WHERE "contactId" IN (
      SELECT "contactId" FROM "ContactLimit" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${[...ids]}::uuid[])
      ORDER BY "contactId" FOR UPDATE)`;
  await db.$executeRaw`
    DELETE FROM "SegmentDue" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${[...ids]}::uuid[])`;
  await db.$executeRaw`
    DELETE FROM "SegmentMembership" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(${[...ids]}::uuid[])`;
  return ids.size;
}
