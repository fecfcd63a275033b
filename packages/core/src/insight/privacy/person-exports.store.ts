import { type Db, Prisma } from '../../base/db/index.ts';
import type { ProjectState } from '../../base/kernel/index.ts';

const kind = 'privacy-export';

/** Whom an export is about. */
export interface PersonRequest {
  address: string;
  contactId: string | null;
}

/** What has been written, and where it goes on. */
export interface PersonProgress {
  chunks: number;
  /** of all sections that have ended, and in the present one */
  records: number;
  section: number;
  inSection: number;
  /** the last record of the page before; null at the beginning of a section */
  after: string | null;
}

export interface PersonExportRow {
  id: string;
  projectId: string;
  state: 'waiting' | 'active' | 'completed' | 'failed';
  progress: number;
  input: PersonRequest;
  result: PersonProgress | null;
  failedReason: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

const columns = Prisma.sql`"id", "projectId", "state", "progress", "input", "result", "failedReason", "createdAt", "completedAt"`;
const isOpen = Prisma.sql`"kind" = ${kind} AND "state" IN ('waiting', 'active')`;

export async function insertPersonExport(
  db: Db,
  job: { id: string; projectId: string; input: PersonRequest },
): Promise<PersonExportRow> {
  const [row] = await db.$queryRaw<PersonExportRow[]>`
    INSERT INTO "Job" ("id", "projectId", "kind", "input")
    VALUES (${job.id}::uuid, ${job.projectId}::uuid, ${kind}, ${JSON.stringify(job.input)}::jsonb) RETURNING ${columns}`;
  if (!row) throw new Error('the insert of an export gave no row');
  return row;
}

export async function findPersonExport(
  db: Db,
  projectId: string,
  id: string,
): Promise<PersonExportRow | null> {
  const [row] = await db.$queryRaw<PersonExportRow[]>`
    SELECT ${columns} FROM "Job" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "kind" = ${kind}`;
  return row ?? null;
}

/** An export that has not ended, with its project; null when there is nothing to do. */
export async function findOpenPersonExport(
  db: Db,
  id: string,
): Promise<{ job: PersonExportRow; project: ProjectState } | null> {
  const [job] = await db.$queryRaw<PersonExportRow[]>`
    SELECT ${columns} FROM "Job" WHERE "id" = ${id}::uuid AND ${isOpen}`;
  if (!job) return null;
  const project = await db.project.findUnique({
    where: { id: job.projectId },
    select: {
      id: true,
      name: true,
      disabled: true,
      language: true,
      timeZone: true,
      tracking: true,
      definesFields: true,
    },
  });
  return project && { job, project };
}

/** The same under a lock: a concurrent worker waits for the chunk and then sees it. */
export async function lockOpenPersonExport(db: Db, id: string): Promise<PersonExportRow | null> {
  const [row] = await db.$queryRaw<PersonExportRow[]>`
    SELECT ${columns} FROM "Job" WHERE "id" = ${id}::uuid AND ${isOpen} FOR UPDATE`;
  return row ?? null;
}

export async function savePersonExport(
  db: Db,
  id: string,
  {
    bytes,
    progress,
    result,
    hasEnded,
  }: {
    bytes: Buffer;
    progress: number;
    result: PersonProgress;
    hasEnded: boolean;
  },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "ExportChunk" ("jobId", "n", "bytes", "projectId")
    SELECT "id", ${result.chunks - 1}::int, ${bytes}::bytea, "projectId" FROM "Job" WHERE "id" = ${id}::uuid`;
  await db.job.update({
    where: { id },
    data: {
      state: hasEnded ? 'completed' : 'active',
      progress,
      result: { ...result },
      lostRuns: 0,
      completedAt: hasEnded ? new Date() : null,
    },
  });
}

/** Fails an export that has not ended, and removes what has been written. */
export async function failPersonExport(db: Db, id: string, failedReason: string): Promise<void> {
  const failed = await db.job.updateMany({
    where: { id, kind, state: { in: ['waiting', 'active'] } },
    data: { state: 'failed', failedReason, completedAt: new Date() },
  });
  if (failed.count > 0) await db.exportChunk.deleteMany({ where: { jobId: id } });
}

/** Exports that have been open for longer than a signal takes, oldest first. */
export async function findNeglectedPersonExports(
  db: Db,
  olderThanSeconds: number,
  limit: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Job" WHERE ${isOpen} AND "createdAt" < now() - ${olderThanSeconds}::int * interval '1 second'
    ORDER BY "createdAt" LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

export async function readPersonChunk(db: Db, jobId: string, n: number): Promise<Buffer | null> {
  const row = await db.exportChunk.findUnique({ where: { jobId_n: { jobId, n } }, select: { bytes: true } });
  return row ? Buffer.from(row.bytes) : null;
}
