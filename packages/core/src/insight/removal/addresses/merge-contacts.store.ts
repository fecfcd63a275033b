import { recordMove } from '../../../audience/consent/index.ts';
import { byRecipient, shareErasures } from '../../../audience/contacts/index.ts';
import { cancelReasons } from '../../../automation/workflows/exit-reasons.rules.ts';
import { cancelActive } from '../../../automation/workflows/index.ts';
import { type Db, ofProject, Prisma } from '../../../base/db/index.ts';
import { eventRow, insertEvents, storedAs } from '../../../base/event-types/index.ts';
import type { Secrets } from '../../../base/kernel/index.ts';
import { byAge, type MergedRow, type MergedState, mergedState } from './merge-contacts.rules.ts';

/** Why an execution ended whose contact became one with another that was in the same workflow. */

/**
 * Gives the contacts of an address in several spellings its normal form: one stays, the others become part of it with their events, emails,
 * memberships and executions. Locks as an erasure does: the erasures of the project, contacts by email, emails by id, segments. Runs within
 * the caller's transaction; a contact that gets the address in the meantime fails it as a duplicate.
 *
 * @param spellings all that are known, the normal form included
 * @returns how many contacts became part of another, and whether one has got another address
 */
export async function mergeContacts(
  db: Db,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  address: string,
  spellings: readonly string[],
): Promise<{ merged: number; rewritten: number }> {
  await shareErasures(db, projectId);
  const rows = await db.$queryRaw<MergedRow[]>`
    SELECT c."id", c."email", c."externalId", c."subscribed", c."snoozedUntil", c."pendingUntil", c."stated",
      ${byRecipient} AS "byRecipient", c."topicsOn", c."topicsOff", c."topicDefaults",
      basis_of(c."subscribed", c."snoozedUntil", c."consentBasis") AS "consentBasis", c."consentedAt", c."data", c."createdAt", c."updatedAt"
    FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."email" = ANY(${[...spellings]}::text[])
    ORDER BY c."email" FOR UPDATE`;
  const [kept, ...others] = rows.toSorted(byAge);
  if (!kept || (others.length === 0 && kept.email === address)) return { merged: 0, rewritten: 0 };
  const addressHash = Uint8Array.from(secrets.addressHash(projectId, address));
  const optedOut =
    others.some(({ email }) => email === address) || kept.email === address
      ? null
      : await db.optOut.findUnique({ where: { projectId_addressHash: { projectId, addressHash } } });
  for (const { id } of others) await moveHistory(db, projectId, id, kept.id);
  await db.$executeRaw`DELETE FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${others.map(({ id }) => id)}::uuid[])`;
  await writeMerged(db, projectId, kept, address, mergedState(rows, optedOut));
  return { merged: others.length, rewritten: kept.email === address ? 0 : 1 };
}

async function writeMerged(
  db: Db,
  projectId: string,
  kept: MergedRow,
  address: string,
  state: MergedState,
): Promise<void> {
  const leaves = kept.subscribed && !state.subscribed;
  const isOptOut = !state.subscribed && state.snoozedUntil === null;
  const optOutBy = isOptOut && state.stated ? (state.byRecipient ? 'recipient' : 'request') : null;
  await db.$executeRaw`
    UPDATE "Contact" SET "email" = ${address}, "externalId" = ${state.externalId}, "data" = ${JSON.stringify(state.data)}::jsonb, "subscribed" = ${state.subscribed},
      "snoozedUntil" = ${state.snoozedUntil}, "pendingUntil" = ${state.pendingUntil}, "stated" = ${state.stated}, "optOutBy" = ${optOutBy}::"OptOutBy",
      "topicsOn" = ${state.topicsOn}::smallint[], "topicsOff" = ${state.topicsOff}::smallint[], "topicDefaults" = ${state.topicDefaults},
      "consentBasis" = ${state.consentBasis}::"ConsentBasis", "consentedAt" = ${state.consentedAt}, "consentSeq" = nextval('"ConsentSeq"'),
      "subscriptionChangedAt" = CASE WHEN ${leaves} THEN now() ELSE "subscriptionChangedAt" END,
      "optedOutAt" = CASE WHEN ${isOptOut && state.byRecipient && (leaves || kept.snoozedUntil !== null || !kept.byRecipient)} THEN now() ELSE "optedOutAt" END,
      "updatedAt" = now()
    WHERE "projectId" = ${projectId}::uuid AND "id" = ${kept.id}::uuid`;
  await recordMove(db, projectId, kept.id, { by: 'recipient', source: 'api', actor: 'system' });
  if (!leaves) return;
  await db.$executeRaw`
    ${insertEvents}
    ${eventRow({
      ...storedAs('contact.unsubscribed'),
      projectId: Prisma.sql`${projectId}::uuid`,
      data: Prisma.sql`'{"reason": "merged"}'::jsonb`,
      contactId: Prisma.sql`${kept.id}::uuid`,
    })}`;
}

/** Everything that belongs to a contact belongs to another one from now on. */
async function moveHistory(db: Db, projectId: string, from: string, to: string): Promise<void> {
  await moveEmails(db, projectId, from, to);
  await db.$executeRaw`
    UPDATE "Event" SET "contactId" = ${to}::uuid WHERE ${ofProject('"projectId"', projectId)} AND "contactId" = ${from}::uuid`;
  await db.$executeRaw`
    UPDATE "WebhookDelivery" SET "contactId" = ${to}::uuid WHERE "projectId" = ${projectId}::uuid AND "contactId" = ${from}::uuid`;
  await moveMemberships(db, projectId, from, to);
  await moveExecutions(db, projectId, from, to);
  await db.$executeRaw`
    UPDATE "SubscriptionRequest" SET "contactId" = ${to}::uuid WHERE "projectId" = ${projectId}::uuid AND "contactId" = ${from}::uuid`;
  await db.$executeRaw`
    WITH gone AS (DELETE FROM "JobContact" WHERE "contactId" = ${from}::uuid AND "jobId" IN (
      SELECT "id" FROM "Job" WHERE "projectId" = ${projectId}::uuid) RETURNING "jobId")
    INSERT INTO "JobContact" ("jobId", "contactId") SELECT "jobId", ${to}::uuid FROM gone ON CONFLICT DO NOTHING`;
  await db.$executeRaw`
    DELETE FROM "TouchedContact" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ${from}::uuid`;
  await db.$executeRaw`
    WITH gone AS (DELETE FROM "ContactLimit" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ${from}::uuid RETURNING "sent", "waiting")
    INSERT INTO "ContactLimit" AS l ("contactId", "projectId", "sent", "waiting") SELECT ${to}::uuid, ${projectId}::uuid, "sent", "waiting" FROM gone
    ON CONFLICT ("contactId") DO UPDATE SET "sent" = l."sent" || excluded."sent", "waiting" = l."waiting" || excluded."waiting"`;
  await db.$executeRaw`
    UPDATE "MergedContact" SET "contactId" = ${to}::uuid WHERE "projectId" = ${projectId}::uuid AND "contactId" = ${from}::uuid`;
  await db.mergedContact.create({ data: { id: from, projectId, contactId: to } });
}

/**
 * A contact has one email of a campaign. The second one to the same mailbox loses what names its recipient, as after an erasure, and is not
 * sent if it still waits.
 */
async function moveEmails(db: Db, projectId: string, from: string, to: string): Promise<void> {
  await db.$queryRaw`
    SELECT count(*)::int AS "locked" FROM (
      SELECT FROM "Email" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ANY(ARRAY[${from}, ${to}]::uuid[])
      ORDER BY "id" FOR UPDATE) AS e`;
  await db.$executeRaw`
    UPDATE "Email" e SET "contactId" = NULL, "to" = '', "toName" = NULL, "vars" = NULL, "subject" = NULL, "error" = NULL,
      "contentClearedAt" = coalesce("contentClearedAt", now()), "updatedAt" = now()
    WHERE e."projectId" = ${projectId}::uuid AND e."contactId" = ${from}::uuid AND e."campaignId" IS NOT NULL
      AND EXISTS (SELECT FROM "Email" k WHERE k."campaignId" = e."campaignId" AND k."contactId" = ${to}::uuid)`;
  await db.$executeRaw`
    UPDATE "Email" SET "contactId" = ${to}::uuid WHERE "projectId" = ${projectId}::uuid AND "contactId" = ${from}::uuid`;
}

/** Segments first, as in an erasure. Of two memberships the active one counts. */
async function moveMemberships(db: Db, projectId: string, from: string, to: string): Promise<void> {
  await db.$queryRaw`
    SELECT "id" FROM "Segment" WHERE "id" IN (
      SELECT "segmentId" FROM "SegmentMembership"
      WHERE "projectId" = ${projectId}::uuid AND "contactId" = ${from}::uuid
      UNION SELECT "segmentId" FROM "SegmentDue"
      WHERE "projectId" = ${projectId}::uuid AND "contactId" = ${from}::uuid) ORDER BY "id" FOR UPDATE`;
  await db.$executeRaw`
    WITH doubles AS (
      SELECT g."segmentId", g."enteredAt", g."exitedAt" AS "gone", k."exitedAt" AS "kept" FROM "SegmentMembership" g
      JOIN "SegmentMembership" k ON k."segmentId" = g."segmentId" AND k."contactId" = ${to}::uuid
      WHERE g."projectId" = ${projectId}::uuid AND g."contactId" = ${from}::uuid
    ), entered AS (
      UPDATE "SegmentMembership" m SET "enteredAt" = d."enteredAt", "exitedAt" = NULL FROM doubles d
      WHERE m."segmentId" = d."segmentId" AND m."contactId" = ${to}::uuid AND d."gone" IS NULL AND d."kept" IS NOT NULL
    ), counted AS (
      UPDATE "Segment" s SET "memberCount" = greatest(0, s."memberCount" - 1) FROM doubles d
      WHERE s."id" = d."segmentId" AND d."gone" IS NULL AND d."kept" IS NULL
    )
    DELETE FROM "SegmentMembership" m USING doubles d WHERE m."segmentId" = d."segmentId" AND m."contactId" = ${from}::uuid`;
  await db.$executeRaw`
    UPDATE "SegmentMembership" SET "contactId" = ${to}::uuid
    WHERE "projectId" = ${projectId}::uuid AND "contactId" = ${from}::uuid`;
  // Those of the contact that stays follow from its change.
  await db.$executeRaw`
    DELETE FROM "SegmentDue" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ${from}::uuid`;
}

/** A contact is in a workflow once at a time, and enters one without re-entry once. */
async function moveExecutions(db: Db, projectId: string, from: string, to: string): Promise<void> {
  const doubles = await db.$queryRaw<{ id: string; workflowId: string }[]>`
    SELECT g."id"::text, g."workflowId"::text FROM "WorkflowExecution" g
    WHERE g."projectId" = ${projectId}::uuid AND g."contactId" = ${from}::uuid AND g."status" IN ('RUNNING', 'WAITING')
      AND EXISTS (SELECT FROM "WorkflowExecution" k WHERE k."projectId" = g."projectId" AND k."workflowId" = g."workflowId"
        AND k."contactId" = ${to}::uuid AND k."status" IN ('RUNNING', 'WAITING'))
    ORDER BY g."id"`;
  for (const { id, workflowId } of doubles)
    await cancelActive(db, { projectId, workflowId, executionId: id }, cancelReasons.merged);
  await db.$executeRaw`
    UPDATE "WorkflowExecution" SET "contactId" = ${to}::uuid
    WHERE "projectId" = ${projectId}::uuid AND "contactId" = ${from}::uuid`;
  // The date of the contact that stays is looked for again when its data changes.
  await db.$executeRaw`DELETE FROM "WorkflowDue" WHERE "contactId" = ${from}::uuid AND "projectId" = ${projectId}::uuid`;
  await db.$executeRaw`
    UPDATE "Conversion" SET "contactId" = ${to}::uuid
    WHERE "contactId" = ${from}::uuid AND "projectId" IS NOT DISTINCT FROM ${projectId}::uuid`;
  await db.$executeRaw`
    WITH gone AS (DELETE FROM "WorkflowEntry" WHERE "projectId" = ${projectId}::uuid AND "contactId" = ${from}::uuid RETURNING *)
    INSERT INTO "WorkflowEntry" AS n ("workflowId", "contactId", "projectId", "entries", "lastAt", "lastEventId", "occurrence", "active")
    SELECT "workflowId", ${to}::uuid, "projectId", "entries", "lastAt", "lastEventId", "occurrence", "active" FROM gone
    ON CONFLICT ("workflowId", "contactId") DO UPDATE SET "entries" = n."entries" + excluded."entries",
      "lastAt" = greatest(n."lastAt", excluded."lastAt"),
      "lastEventId" = CASE WHEN n."lastAt" >= excluded."lastAt" THEN n."lastEventId" ELSE excluded."lastEventId" END,
      "occurrence" = greatest(n."occurrence", excluded."occurrence"), "active" = n."active" OR excluded."active"`;
}
