import { constant, type Database, type Db, Prisma, prepared } from '../../../base/db/index.ts';
import type { JobInput, JobKind, JobProgress } from './jobs.rules.ts';

export interface JobRow {
  id: string;
  projectId: string;
  kind: JobKind;
  state: 'waiting' | 'active' | 'completed' | 'failed';
  progress: number;
  input: JobInput;
  result: JobProgress | null;
  failedReason: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

const columns = Prisma.sql`"id", "projectId", "kind", "state", "progress", "input", "result", "failedReason", "createdAt", "completedAt"`;

export async function insertJob(
  db: Db,
  job: {
    id: string;
    projectId: string;
    kind: JobKind;
    input: JobInput;
    fileName?: string | null;
    actorType?: string;
    actorId?: string | null;
    keyName?: string | null;
  },
): Promise<void> {
  await db.job.create({ data: { ...job, input: { ...job.input } as Prisma.InputJsonObject } });
}

export const insertJobFile = async (
  db: Db,
  jobId: string,
  projectId: string,
  bytes: Uint8Array,
): Promise<void> => {
  // `create` would read the bytes back.
  await db.jobFile.createMany({ data: [{ jobId, projectId, bytes: Uint8Array.from(bytes) }] });
};

interface ImportFile {
  jobId: string;
  projectId: string;
  bytes: Uint8Array;
}

const insertFile = prepared<ImportFile>(
  'insert-import-file',
  ({ jobId, projectId, bytes }) => Prisma.sql`
    INSERT INTO "JobFile" ("jobId", "projectId", "bytes") VALUES (${jobId}, ${projectId}, ${bytes})`,
);

/**
 * Stores the file of an import as bytes. Prisma encodes bytes several times over, which for a large file holds the event loop for a tenth of
 * a second. It is therefore stored before the transaction that inserts the job: of one that fails, `removeLostFiles` removes the file.
 */
export async function storeImportFile(
  { durable }: Pick<Database, 'durable'>,
  file: ImportFile,
): Promise<void> {
  await durable.query(insertFile(file));
}

/** Bytes that are read at once: as text, each is two characters. */
const bytesAtOnce = 1_048_576;

const readPart = prepared<{ jobId: string; from: number }>(
  'read-import-file',
  ({ jobId, from }) => Prisma.sql`
    SELECT substring("bytes" FROM ${from}::int FOR ${constant(bytesAtOnce)}) AS part FROM "JobFile" WHERE "jobId" = ${jobId}`,
);

export async function readImportFile(
  { durable }: Pick<Database, 'durable'>,
  jobId: string,
): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  for (let from = 1; ; from += bytesAtOnce) {
    const { rows } = await durable.query<{ part: Buffer }>(readPart({ jobId, from }));
    const [row] = rows;
    if (!row) return null;
    parts.push(row.part);
    if (row.part.length < bytesAtOnce) return Buffer.concat(parts);
  }
}

/** Removes files, stored before `before`, of jobs that were never inserted, and of dry runs that ended before it. @returns how many */
export async function removeLostFiles(db: Db, before: Date, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "JobFile" WHERE "jobId" IN (
      SELECT f."jobId" FROM "JobFile" f LEFT JOIN "Job" j ON j."id" = f."jobId"
      WHERE f."createdAt" < ${before} AND (j."id" IS NULL OR j."completedAt" < ${before}) LIMIT ${limit}::int)`;
}

/**
 * Stores the file of a dry run again, for the import `jobId`.
 *
 * @param after dry runs that ended earlier have no file any more
 * @returns the name of the file, and its size; null if there is none
 */
export async function copyDryRunFile(
  db: Db,
  { from, jobId, projectId, after }: { from: string; jobId: string; projectId: string; after: Date },
): Promise<{ fileName: string | null; size: number } | null> {
  const [row] = await db.$queryRaw<{ fileName: string | null; size: number }[]>`
    WITH "copied" AS (
      INSERT INTO "JobFile" ("jobId", "projectId", "bytes")
      SELECT ${jobId}::uuid, f."projectId", f."bytes" FROM "JobFile" f JOIN "Job" j ON j."id" = f."jobId"
      WHERE f."jobId" = ${from}::uuid AND f."projectId" = ${projectId}::uuid AND j."kind" = 'import' AND j."input" ? 'dryRun'
        AND j."completedAt" >= ${after}
      RETURNING octet_length("bytes") AS "size"
    )
    SELECT c."size", j."fileName" FROM "copied" c, "Job" j WHERE j."id" = ${from}::uuid`;
  return row ?? null;
}

/** The contacts of a bulk change by id: each once, whether the project has it or not. */
export async function insertJobContacts(db: Db, jobId: string, ids: readonly string[]): Promise<number> {
  return db.$executeRaw`
    INSERT INTO "JobContact" ("jobId", "contactId") SELECT DISTINCT ${jobId}::uuid, u.id FROM unnest(${[...ids]}::uuid[]) AS u(id)`;
}

/** A job of one of these kinds, if it belongs to the project. */
export async function findJob(
  db: Db,
  projectId: string,
  id: string,
  kinds: readonly JobKind[],
): Promise<JobRow | null> {
  const [row] = await db.$queryRaw<JobRow[]>`
    SELECT ${columns} FROM "Job"
    WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "kind" = ANY(${[...kinds]}::text[])`;
  return row ?? null;
}

/** A job that has not ended, for processing; null when there is nothing to do. */
export async function findOpenJob(db: Db, id: string): Promise<JobRow | null> {
  const [row] = await db.$queryRaw<JobRow[]>`
    SELECT ${columns} FROM "Job" WHERE "id" = ${id}::uuid AND "state" IN ('waiting', 'active')`;
  return row ?? null;
}

/** The same under a lock: a concurrent worker waits for the batch and then sees its progress. */
export async function lockOpenJob(db: Db, id: string): Promise<JobRow | null> {
  const [row] = await db.$queryRaw<JobRow[]>`
    SELECT ${columns} FROM "Job" WHERE "id" = ${id}::uuid AND "state" IN ('waiting', 'active') FOR UPDATE`;
  return row ?? null;
}

export const readJobFile = async (db: Db, jobId: string): Promise<Buffer | null> => {
  const row = await db.jobFile.findUnique({ where: { jobId }, select: { bytes: true } });
  return row ? Buffer.from(row.bytes) : null;
};

export const removeJobFile = async (db: Db, jobId: string): Promise<void> => {
  await db.jobFile.deleteMany({ where: { jobId } });
};

export async function saveInput(db: Db, id: string, input: JobInput): Promise<void> {
  await db.job.update({ where: { id }, data: { input: { ...input } as Prisma.InputJsonObject } });
}

export async function saveProgress(db: Db, id: string, progress: number, result: JobProgress): Promise<void> {
  await db.job.update({
    where: { id },
    data: { state: 'active', progress, result: { ...result } as Prisma.InputJsonObject, lostRuns: 0 },
  });
}

/** Counts a run as lost until it ends. @returns how many were lost before it; null when the job has ended */
export async function beginRun(db: Db, id: string): Promise<number | null> {
  const [row] = await db.$queryRaw<{ lost: number }[]>`
    UPDATE "Job" SET "lostRuns" = "lostRuns" + 1 WHERE "id" = ${id}::uuid AND "state" IN ('waiting', 'active')
    RETURNING "lostRuns" - 1 AS "lost"`;
  return row?.lost ?? null;
}

export async function endRun(db: Db, id: string, lost: number): Promise<void> {
  await db.$executeRaw`
    UPDATE "Job" SET "lostRuns" = ${lost}::int WHERE "id" = ${id}::uuid AND "state" IN ('waiting', 'active')`;
}

/** @param keepsFile another import may use the file, see `copyDryRunFile` */
export async function completeJob(db: Db, id: string, result: JobProgress, keepsFile = false): Promise<void> {
  const end = { state: 'completed', progress: 100, result: { ...result } as Prisma.InputJsonObject };
  await endJob(db, id, end, keepsFile);
}

export async function failJob(db: Db, id: string, failedReason: string, keepsFile = false): Promise<void> {
  await endJob(db, id, { state: 'failed', failedReason }, keepsFile);
}

/** Ends an open job and removes its working data. A job that has already ended is not changed. */
async function endJob(
  db: Db,
  id: string,
  data: Prisma.JobUpdateManyMutationInput,
  keepsFile: boolean,
): Promise<void> {
  await db.job.updateMany({
    where: { id, state: { in: ['waiting', 'active'] } },
    data: { ...data, completedAt: new Date() },
  });
  if (!keepsFile) await removeJobFile(db, id);
  await db.jobContact.deleteMany({ where: { jobId: id } });
}

/** At most `limit` contacts of a bulk change that have not been processed yet. */
export async function nextJobContacts(db: Db, jobId: string, limit: number): Promise<string[]> {
  const rows = await db.jobContact.findMany({
    where: { jobId },
    select: { contactId: true },
    orderBy: { contactId: 'asc' },
    take: limit,
  });
  return rows.map(({ contactId }) => contactId);
}

export const removeJobContacts = async (db: Db, jobId: string, contactIds: string[]): Promise<void> => {
  await db.jobContact.deleteMany({ where: { jobId, contactId: { in: contactIds } } });
};

/** Jobs of these kinds that have been open for longer than a signal takes, oldest first, for `reconcile`. Signalling a running job is harmless. */
export async function findOpenJobs(
  db: Db,
  kinds: readonly JobKind[],
  olderThanSeconds: number,
  limit: number,
): Promise<{ id: string; kind: JobKind }[]> {
  return db.$queryRaw<{ id: string; kind: JobKind }[]>`
    SELECT "id", "kind" FROM "Job"
    WHERE "state" IN ('waiting', 'active') AND "kind" = ANY(${[...kinds]}::text[]) AND "createdAt" < now() - ${olderThanSeconds}::int * interval '1 second'
    ORDER BY "createdAt" LIMIT ${limit}::int`;
}

/** Removes jobs that ended before `before`, at most `limit` (behaviour B8.5). @returns how many */
export async function removeEndedJobs(db: Db, before: Date, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "Job" WHERE "id" IN (
      SELECT "id" FROM "Job" WHERE "completedAt" < ${before} ORDER BY "completedAt" LIMIT ${limit}::int)`;
}
