import type { Pool } from 'pg';
import { type AttemptLimit, takenAttempts } from '../../base/attempts/index.ts';
import { Prisma, plainTransaction, type SqlDb } from '../../base/db/index.ts';
import type { MailLanguage } from '../../base/lib/index.ts';
import { unconfirmedLimit } from './forms.rules.ts';

export interface NewSubmission {
  id: string;
  projectId: string;
  formId: string;
  formVersion: number;
  email: string;
  fields: Record<string, unknown>;
  topics: readonly number[];
  language: MailLanguage;
  page: string | null;
  ip: string | null;
  userAgent: string | null;
}

export interface Stored {
  /** `network` or `project`: what is used up; null if the submission is stored */
  over: 'network' | 'project' | null;
  resetSeconds: number;
}

/**
 * Stores a submission within the limits of its network and project, in one statement that does not look at the address: it takes the same time for
 * every one (behaviour B12.6).
 */
export const storeSubmission = (
  pool: Pool,
  submission: NewSubmission,
  networkLimits: readonly AttemptLimit[],
): Promise<Stored> =>
  plainTransaction(pool, async (db) => {
    const [row] = await db.$queryRaw<
      { over: string | null; resetSeconds: number; taken: boolean }[]
    >(Prisma.sql`
      WITH "network" AS MATERIALIZED (${takenAttempts(networkLimits)}
      ), "project" AS MATERIALIZED (
        SELECT n.*, CASE WHEN n."over" IS NULL THEN take_request(${submission.projectId}::uuid, ${unconfirmedLimit.least}::int,
          ${unconfirmedLimit.perConfirmed}::int) ELSE false END AS "taken" FROM "network" n
      ), "stored" AS (
        INSERT INTO "FormSubmission" ("id", "projectId", "formId", "formVersion", "email", "fields", "topics", "language", "page", "ip", "userAgent")
        SELECT ${submission.id}::uuid, ${submission.projectId}::uuid, ${submission.formId}::uuid, ${submission.formVersion}::int, ${submission.email}::text,
          ${JSON.stringify(submission.fields)}::jsonb, ${[...submission.topics]}::smallint[], ${submission.language}::text, ${submission.page}::text,
          ${submission.ip}::text, ${submission.userAgent}::text
        FROM "project" WHERE "taken"
      )
      SELECT "over", "resetSeconds", "taken" FROM "project"`);
    if (!row || row.taken) return { over: null, resetSeconds: 0 };
    return row.over === null
      ? { over: 'project', resetSeconds: 3_600 }
      : { over: 'network', resetSeconds: row.resetSeconds };
  });

export interface SubmissionRow extends Omit<NewSubmission, 'topics'> {
  topics: number[];
}

/** Takes the oldest submission that nobody is working on; it is gone once the transaction commits. */
export async function takeSubmission(
  db: SqlDb,
  { skipped, olderThanSeconds }: { skipped: readonly string[]; olderThanSeconds: number },
): Promise<SubmissionRow | null> {
  const [row] = await db.$queryRaw<SubmissionRow[]>`
    DELETE FROM "FormSubmission" WHERE "id" = (
      SELECT "id" FROM "FormSubmission" WHERE "createdAt" <= now() - ${olderThanSeconds}::float8 * interval '1 s' AND "id" <> ALL(${[...skipped]}::uuid[])
      ORDER BY "createdAt" LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING "id"::text AS "id", "projectId"::text AS "projectId", "formId"::text AS "formId", "formVersion", "email", "fields", "topics", "language", "page",
      "ip", "userAgent"`;
  return row ?? null;
}

/** What was shown in a version of a form. */
export async function findFormVersion(
  db: SqlDb,
  formId: string,
  version: number,
): Promise<{ consentText: Record<string, string> } | null> {
  const [row] = await db.$queryRaw<{ content: { consentText: Record<string, string> } }[]>`
    SELECT "content" FROM "FormVersion" WHERE "formId" = ${formId}::uuid AND "version" = ${version}::int`;
  return row?.content ?? null;
}

/** Removes submissions that could not be processed for a day. @returns how many */
export const removeOldSubmissions = (db: SqlDb, now: Date, limit: number): Promise<number> => db.$executeRaw`
  DELETE FROM "FormSubmission" WHERE "id" = ANY(ARRAY(
    SELECT "id" FROM "FormSubmission" WHERE "createdAt" < ${now}::timestamptz - interval '1 day' LIMIT ${limit}::int))`;
