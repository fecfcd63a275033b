import type { Pool } from 'pg';
import { type AttemptLimit, takenAttempts } from '../../../base/attempts/index.ts';
import { Prisma, plainTransaction, type SqlDb } from '../../../base/db/index.ts';
import type { MailLanguage } from '../../../base/lib/index.ts';

/** Unconfirmed requests of a project in a day: this many, or this many times the confirmed ones (behaviour B12.6). */
export const unconfirmedLimit = { least: 500, perConfirmed: 4 } as const;

/** What a visitor asks for, until it is worked on. */
export interface NewSubmission {
  id: string;
  projectId: string;
  /** null: asked for with a public key, without a form */
  form: { id: string; version: number } | null;
  email: string;
  fields: Record<string, unknown>;
  /** numbers of topics */
  topics: readonly number[];
  /** of a form: the one in which it was shown */
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
  networkLimits: readonly AttemptLimit[] = [],
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
        SELECT ${submission.id}::uuid, ${submission.projectId}::uuid, ${submission.form?.id ?? null}::uuid, ${submission.form?.version ?? null}::int,
          ${submission.email}::text, ${JSON.stringify(submission.fields)}::jsonb, ${[...submission.topics]}::smallint[], ${submission.language}::text,
          ${submission.page}::text, ${submission.ip}::text, ${submission.userAgent}::text
        FROM "project" WHERE "taken"
      )
      SELECT "over", "resetSeconds", "taken" FROM "project"`);
    if (!row || row.taken) return { over: null, resetSeconds: 0 };
    return row.over === null
      ? { over: 'project', resetSeconds: 3_600 }
      : { over: 'network', resetSeconds: row.resetSeconds };
  });

/** Takes back a submission whose request was refused, unless it is being worked on. */
export const takeBackSubmission = (pool: Pool, projectId: string, id: string): Promise<unknown> =>
  plainTransaction(
    pool,
    (db) => db.$executeRaw`
      WITH "gone" AS (
        DELETE FROM "FormSubmission" WHERE "id" = (
          SELECT "id" FROM "FormSubmission" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid FOR UPDATE SKIP LOCKED)
        RETURNING "projectId"
      ) SELECT count_request("projectId", 'none') FROM "gone"`,
  );

/** Counts a request of a project. @returns false, if too many of a day are unconfirmed: then it does not count */
export async function takeRequest(db: SqlDb, projectId: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ taken: boolean }[]>`
    SELECT take_request(${projectId}::uuid, ${unconfirmedLimit.least}::int, ${unconfirmedLimit.perConfirmed}::int) AS "taken"`;
  return row?.taken ?? true;
}
