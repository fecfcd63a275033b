import type { SqlDb } from '../../base/db/index.ts';
import type { MailLanguage } from '../../base/lib/index.ts';

export interface SubmissionRow {
  id: string;
  projectId: string;
  /** both null: asked for with a public key, without a form */
  formId: string | null;
  formVersion: number | null;
  email: string;
  fields: Record<string, unknown>;
  /** numbers of topics */
  topics: number[];
  language: MailLanguage;
  page: string | null;
  ip: string | null;
  userAgent: string | null;
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
