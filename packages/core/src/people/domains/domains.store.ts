import { type Database, type Db, Prisma, prepared, type SqlDb } from '../../base/db/index.ts';
import {
  copyOf,
  emailRecipient,
  eventRow,
  insertEvents,
  insertReports,
  storedAs,
  toldContact,
} from '../../base/event-types/index.ts';
import type { Addressee, CoreConfig } from '../../base/kernel/index.ts';
import type { NewDomainKey } from './domain-key.ts';
import { type DomainState, removedText } from './domains.rules.ts';

const withKey = { key: { select: { selector: true, publicKey: true } } } as const;

export type DomainRow = Prisma.DomainGetPayload<{ include: typeof withKey }>;

/** Whether a domain is verified without DNS (behaviour B15.9). */
export const needsNoRecords = (
  { mailboxUrl }: Pick<CoreConfig, 'mailboxUrl'>,
  { verifiedBy }: Pick<DomainRow, 'verifiedBy'>,
): boolean => verifiedBy === 'TEST' || (verifiedBy === 'LOCAL_MAILBOX' && mailboxUrl !== null);

export const findDomain = (db: Db, projectId: string, id: string): Promise<DomainRow | null> =>
  db.domain.findUnique({ where: { projectId_id: { projectId, id } }, include: withKey });

/** For the watcher, which has only the id. */
export const findDomainById = (db: Db, id: string): Promise<DomainRow | null> =>
  db.domain.findUnique({ where: { id }, include: withKey });

export const findDomains = (db: Db, projectId: string): Promise<DomainRow[]> =>
  db.domain.findMany({
    where: { projectId },
    include: withKey,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });

/** Locks a name until the transaction ends, so that its verification in other projects cannot change. */
export async function lockName(db: Db, domain: string): Promise<void> {
  await db.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`domain:${domain}`}, 0))::text`;
}

export const hasDomain = async (db: Db, projectId: string, domain: string): Promise<boolean> =>
  (await db.domain.count({ where: { projectId, domain } })) > 0;

/** How many domains a project has. Further ones wait until the transaction ends, so that none exceeds the cap. */
export async function countDomains(db: Db, projectId: string): Promise<number> {
  await db.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`domains of:${projectId}`}, 0))::text`;
  return db.domain.count({ where: { projectId } });
}

export const hasProvenOwner = async (db: Db, projectId: string): Promise<boolean> =>
  (await db.member.count({ where: { projectId, role: 'OWNER', user: { emailVerified: true } } })) > 0;

/** Domains of other projects that are verified by their records. What needs none proves nothing, and so blocks no other project. */
const provenElsewhere = (projectId: string) =>
  ({
    status: 'VERIFIED',
    projectId: { not: projectId },
    project: { deletedAt: null },
    OR: [{ verifiedBy: null }, { verifiedBy: 'DNS' }],
  }) satisfies Prisma.DomainWhereInput;

/** The other projects where the name is verified, and whether this user is an owner or admin there. */
export async function findVerifiedElsewhere(
  db: Db,
  { projectId, domain, userId }: { projectId: string; domain: string; userId: string | null },
): Promise<{ projectId: string; isLeader: boolean }[]> {
  const rows = await db.domain.findMany({
    where: { domain, ...provenElsewhere(projectId) },
    select: {
      projectId: true,
      project: {
        select: { members: { where: { role: { in: ['OWNER', 'ADMIN'] } }, select: { userId: true } } },
      },
    },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ projectId: owner, project }) => ({
    projectId: owner,
    isLeader: userId !== null && project.members.some((member) => member.userId === userId),
  }));
}

/** A new domain has no watcher yet. */
export const insertDomain = (
  db: Db,
  domain: {
    id: string;
    projectId: string;
    domain: string;
    sesTokens: string[];
    /** what verifies it at once; null where its records count */
    verifiedBy: 'TEST' | 'LOCAL_MAILBOX' | null;
  },
  key: NewDomainKey & { id: string },
): Promise<DomainRow> =>
  db.domain.create({
    data: {
      id: domain.id,
      domain: domain.domain,
      sesTokens: domain.sesTokens,
      project: { connect: { id: domain.projectId } },
      key: { create: { ...key, domain: domain.domain } },
      ...(domain.verifiedBy === null
        ? { wakeSeq: 1 }
        : {
            status: 'VERIFIED' as const,
            verifiedBy: domain.verifiedBy,
            verifiedAt: new Date(),
            nextCheckAt: null,
          }),
    },
    include: withKey,
  });

/** For a domain that was added before a provider signed its messages. @returns null when it was deleted */
export async function storeTokens(db: Db, id: string, sesTokens: string[]): Promise<DomainRow | null> {
  const { count } = await db.domain.updateMany({ where: { id }, data: { sesTokens } });
  return count > 0 ? findDomainById(db, id) : null;
}

/** Whether another project verified the name after this one added it, and therefore did not agree to it. */
export const isVerifiedElsewhereSince = async (
  db: Db,
  { projectId, domain, createdAt }: DomainRow,
): Promise<boolean> =>
  (await db.domain.count({
    where: {
      domain,
      ...provenElsewhere(projectId),
      verifiedAt: { gt: createdAt },
    },
  })) > 0;

/** Removes the domain and its key. */
export async function removeDomain(db: Db, { id, keyId }: { id: string; keyId: string }): Promise<void> {
  await db.domain.delete({ where: { id } });
  await db.domainKey.delete({ where: { id: keyId } });
}

/** Whether a template, or a campaign that is not finished, has a sender of the domain. */
export async function isSenderInUse(db: Db, projectId: string, domain: string): Promise<boolean> {
  const rows = await db.$queryRaw<{ inUse: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM "Template" WHERE "projectId" = ${projectId}::uuid AND split_part("from", '@', 2) = ${domain}
    ) OR EXISTS (
      SELECT FROM "Campaign" WHERE "projectId" = ${projectId}::uuid AND split_part("from", '@', 2) = ${domain}
        AND "status" IN ('DRAFT', 'SCHEDULED', 'SENDING')
    ) AS "inUse"`;
  return rows[0]?.inUse ?? false;
}

/** The error of emails whose domain was deleted (behaviour B4.11). */

/**
 * Fails the emails of at most `limit` waiting delivery batches of a deleted domain. Claimed batches are left to their worker, those of
 * campaigns to the claim, which knows why a campaign ended. An email that may have been delivered stays UNCERTAIN, or becomes it again.
 *
 * @param text the error of the emails
 * @returns how many batches were waiting
 */
export async function failWaitingMail(
  db: Db,
  domainId: string,
  limit: number,
  text: string = removedText,
): Promise<number> {
  const rows = await db.$queryRaw<{ gone: number }[]>`
    WITH waiting AS MATERIALIZED (
      SELECT "id", "emailIds" FROM "DeliveryBatch"
      WHERE "domainId" = ${domainId}::uuid AND "token" IS NULL AND "campaignId" IS NULL
      ORDER BY "id" LIMIT ${limit}::int FOR UPDATE
    ), gone AS (
      DELETE FROM "DeliveryBatch" b USING waiting WHERE b."id" = waiting."id" RETURNING b."id"
    ), locked AS MATERIALIZED (
      SELECT e.* FROM (SELECT w."id" AS "batchId", unnest(w."emailIds") AS "id" FROM waiting w ORDER BY 2) m
      CROSS JOIN LATERAL (
        SELECT "id", "status" FROM "Email" WHERE "id" = m."id" AND "batchId" = m."batchId" AND "status" IN ('PENDING', 'UNCERTAIN') FOR UPDATE
      ) e
    ), failed AS (
      UPDATE "Email" e SET "batchId" = NULL, "updatedAt" = now(),
        "status" = CASE WHEN e."uncertainAt" IS NULL THEN 'FAILED'::"EmailStatus" ELSE 'UNCERTAIN' END,
        "error" = CASE WHEN e."uncertainAt" IS NULL THEN ${text}::text ELSE e."error" END
      FROM locked WHERE e."id" = locked."id" RETURNING e.*, locked."status" AS "before"
    ), told AS (
      ${insertEvents}
      ${eventRow({
        ...storedAs('email.failed'),
        projectId: Prisma.sql`f."projectId"`,
        data: Prisma.sql`email_facts(f."id", f."subject", f."messageId", f."templateId", f."campaignId", f."sourceType", f."contentId")
          || email_labels(f."tags", f."metadata") || jsonb_build_object('error', f."error", 'reason', NULL, 'failureClass', NULL)`,
        contactId: toldContact('f'),
        emailId: Prisma.sql`f."id"`,
      })}
      FROM failed f
      WHERE f."status" = 'FAILED' AND f."sourceType" NOT IN ('TEST', 'SYSTEM')
    ), reported AS (${insertReports(
      'email.uncertain',
      Prisma.sql`SELECT f."projectId", ${toldContact('f')} AS "contactId", ${copyOf('f')} AS "copyId",
        email_facts(f."id", f."subject", f."messageId", f."templateId", f."campaignId", f."sourceType", f."contentId")
          || email_labels(f."tags", f."metadata") || jsonb_build_object('error', f."error") || ${emailRecipient('f')} AS "data"
      FROM failed f
      WHERE f."status" = 'UNCERTAIN' AND f."before" <> 'UNCERTAIN' AND f."sourceType" NOT IN ('TEST', 'SYSTEM')`,
    )})
    SELECT count(*)::int AS gone FROM gone`;
  return rows[0]?.gone ?? 0;
}

/** Domains that only the local mailbox has verified, in the order of their ids. */
export async function findLocalDomains(db: Db, after: string | null, limit: number): Promise<string[]> {
  const rows = await db.domain.findMany({
    where: { verifiedBy: 'LOCAL_MAILBOX', status: 'VERIFIED', ...(after !== null && { id: { gt: after } }) },
    orderBy: { id: 'asc' },
    take: limit,
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Its records count from now on; until they are found, the mark keeps its email from every other server. */
export const endLocalVerification = (db: Db, ids: readonly string[]): Promise<number> =>
  db.$executeRaw`
    UPDATE "Domain" SET "status" = 'PENDING', "verifiedAt" = NULL, "pendingSince" = now(), "nextCheckAt" = now(), "failedChecks" = 0,
      "wakeSeq" = "wakeSeq" + 1, "updatedAt" = now()
    WHERE "id" = ANY(${ids}::uuid[]) AND "verifiedBy" = 'LOCAL_MAILBOX' AND "status" = 'VERIFIED'`;

/** Verifies every domain that is not verified: all email goes to the mailbox on this machine. */
export const verifyLocally = (db: Db): Promise<number> =>
  db.$executeRaw`
    UPDATE "Domain" SET "status" = 'VERIFIED', "verifiedBy" = 'LOCAL_MAILBOX', "verifiedAt" = now(), "nextCheckAt" = NULL, "updatedAt" = now()
    WHERE "status" <> 'VERIFIED'`;

/** Prevents removing the domain, but not checking it, until the transaction of the caller ends, if any. */
export async function findVerifiedSender(
  db: SqlDb,
  projectId: string,
  domain: string,
  takesLocal: boolean,
  purpose: 'keep' | 'look',
): Promise<{ id: string; domain: string } | null> {
  const lock = purpose === 'keep' ? Prisma.sql`FOR KEY SHARE` : Prisma.empty;
  const rows = await db.$queryRaw<{ id: string; domain: string }[]>`
    SELECT "id", "domain" FROM "Domain"
    WHERE "projectId" = ${projectId}::uuid AND "domain" = ${domain} AND "status" = 'VERIFIED'
      AND (${takesLocal}::boolean OR "verifiedBy" IS DISTINCT FROM 'LOCAL_MAILBOX') ${lock}`;
  return rows[0] ?? null;
}

/** Whether a domain of the project was verified by its records in DNS, and not because its email never leaves. */
export async function needsRecords(db: SqlDb, projectId: string, domain: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 AS one FROM "Domain"
    WHERE "projectId" = ${projectId}::uuid AND "domain" = ${domain} AND coalesce("verifiedBy", 'DNS') = 'DNS'`;
  return rows.length > 0;
}

/** Serialises checks. @returns false when the domain was deleted */
export async function lockForCheck(db: Db, id: string): Promise<boolean> {
  const rows = await db.$queryRaw<
    unknown[]
  >`SELECT 1 AS one FROM "Domain" WHERE "id" = ${id}::uuid FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** For the removal: waits for transactions that use the domain as a sender. @returns false when it was deleted */
export async function lockForRemoval(db: Db, id: string): Promise<boolean> {
  const rows = await db.$queryRaw<
    unknown[]
  >`SELECT 1 AS one FROM "Domain" WHERE "id" = ${id}::uuid FOR UPDATE`;
  return rows.length > 0;
}

export interface CheckedDomain extends DomainState {
  lastCheckedAt: Date;
  recordsFound: Record<string, boolean>;
  /** a domain keeps the mark of the local mailbox until its records were found */
  verifiedBy: 'DNS' | 'LOCAL_MAILBOX' | null;
}

export const writeCheck = (db: Db, id: string, checked: CheckedDomain): Promise<DomainRow> =>
  db.domain.update({ where: { id }, data: checked, include: withKey });

export async function noteMail(db: Db, id: string, turn: 'verified' | 'lost', at: Date): Promise<void> {
  await db.domain.update({
    where: { id },
    data: turn === 'verified' ? { verifiedMailAt: at } : { lostMailAt: at },
  });
}

/** The owner and the admins of a project, as addressees of notices. */
export async function findLeaders(
  db: Db,
  projectId: string,
  besides: readonly string[] = [],
): Promise<Addressee[]> {
  const members = await db.member.findMany({
    where: { projectId, role: { in: ['OWNER', 'ADMIN'] }, userId: { notIn: [...besides] } },
    select: { user: { select: { email: true, language: true } } },
    orderBy: { createdAt: 'asc' },
  });
  return members.map(({ user }) => user);
}

/** Raises `wakeSeq`, so that the watcher, or `reconcile`, checks the domain. */
export async function raiseWake(db: Db, id: string): Promise<void> {
  await db.domain.updateMany({ where: { id }, data: { wakeSeq: { increment: 1 } } });
}

export interface WatchedRow {
  status: DomainState['status'];
  nextCheckAt: Date | null;
}

const watched = prepared<{ id: string }>(
  'read-watched-domain',
  ({ id }) => Prisma.sql`
    UPDATE "Domain" SET "seenSeq" = "wakeSeq" WHERE "id" = ${id} RETURNING "status", "nextCheckAt"`,
);

/** Reads the next check for the watcher and, in the same statement, records that it has read the row. */
export async function readWatched(database: Database, id: string): Promise<WatchedRow | null> {
  const { rows } = await database.durable.query<WatchedRow>(watched({ id }));
  return rows[0] ?? null;
}

const unwatched = prepared<{ limit: number }>(
  'find-unwatched-domains',
  ({ limit }) => Prisma.sql`
    SELECT "id" FROM (
      (SELECT "id", "updatedAt" AS since FROM "Domain" WHERE "wakeSeq" > "seenSeq" ORDER BY "updatedAt" LIMIT ${limit})
      UNION ALL
      (SELECT "id", "nextCheckAt" FROM "Domain" WHERE "nextCheckAt" < now() - interval '60 s' ORDER BY "nextCheckAt" LIMIT ${limit})
    ) unwatched GROUP BY "id" ORDER BY min(since) LIMIT ${limit}`,
);

/** Domains not read by their watcher since they changed, or whose check is more than a minute late; oldest first. */
export async function findUnwatched(database: Database, limit: number): Promise<string[]> {
  const { rows } = await database.durable.query<{ id: string }>(unwatched({ limit }));
  return rows.map(({ id }) => id);
}

export interface SigningKeyRow {
  id: string;
  domain: string;
  keyId: string;
  selector: string;
  algorithm: string;
  privateCipher: string;
  recordsFound: Record<string, boolean>;
}

const signingKeys = prepared<{ domainIds: readonly string[] }>(
  'find-signing-keys',
  ({ domainIds }) => Prisma.sql`
    SELECT d."id", d."domain", d."keyId", k."selector", k."algorithm", k."privateCipher", d."recordsFound"
    FROM "Domain" d JOIN "DomainKey" k ON k."id" = d."keyId" WHERE d."id" = ANY(${domainIds}::uuid[])`,
);

export async function findSigningKeys(
  database: Database,
  domainIds: readonly string[],
): Promise<SigningKeyRow[]> {
  const { rows } = await database.durable.query<SigningKeyRow>(signingKeys({ domainIds }));
  return rows;
}
